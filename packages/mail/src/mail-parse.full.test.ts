// Reading mails: fields, files, and the text that the sender wrote.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParserFailure } from '@lendloom/foundation/parser-thread'
import { withoutHistory } from './mail-history.ts'
import { digestOf, mailIdsOf, readForDisplay, readHead, readMail, UnreadableMail } from './mail-read.ts'

const message = (headers: string[], body: string): Buffer =>
  Buffer.from([...headers, '', body].join('\n').replaceAll('\n', '\r\n'))

const htmlMail = (html: string): Buffer => message(['From: a@b.example', 'Content-Type: text/html'], html)

test('removes quoted history before and after the written text', () => {
  const writtenText = 'The charge is still there.\n\nAsha'
  const cases = [
    `${writtenText}\n\nOn Sat, 21 Nov 2026 at 15:30, Lendloom <grievance+c1@lendloom.example> wrote:\n> Dear Asha,\n>\n> we look at it.\n`,
    `${writtenText}\n\nOn Sat, 21 Nov 2026 at 15:30, Lendloom <grievance+c1@lendloom.example>\nwrote:\n\n> Dear Asha,\n> we look at it.`,
    `${writtenText}\n\nशनि, 21 नव॰ 2026 को 3:30 pm बजे को Lendloom <g@lendloom.example> ने लिखा:\n\n> प्रिय आशा\n`,
    `${writtenText}\n\n-----Original Message-----\nFrom: Lendloom\nDear Asha`,
    `${writtenText}\n\n________________________________\nFrom: Lendloom <g@lendloom.example>\nSent: Saturday\nDear Asha`,
    `${writtenText}\n\nFrom: Lendloom <g@lendloom.example>\nSent: Saturday\nTo: Asha\n\nDear Asha`,
    `> Dear Asha,\n> we look at it.\n\n${writtenText}`,
    `On Sat, Lendloom wrote:\n> Dear Asha,\n\n> we look at it.\n\n${writtenText}`,
  ]
  for (const text of cases) assert.equal(withoutHistory(text), writtenText, text)
  assert.equal(withoutHistory('> only quoted\n'), '> only quoted')
  assert.equal(withoutHistory('On Monday I wrote:\nyou never answered'), 'On Monday I wrote:\nyou never answered')
})

const answered = {
  domain: 'lendloom.example',
  sentText: 'Dear Asha,\n\nwe look at your complaint until Monday.\n\nNeha',
}

test('removes an attribution to our mail in any language, and one that a mail program has broken', () => {
  const ours = 'grievance+c1@lendloom.example'
  const attributions = [
    `सोम, 30 नव॰ 2026 को 4:14 am बजे को Lendloom <\n${ours}> ने लिखा:`,
    `திங்., 30 நவ., 2026 அன்று, பிற்பகல் 4:14 மணிக்கு Lendloom <${ours}>\nஎழுதியது:`,
    `On Mon, 30 Nov 2026 at 04:14, Lendloom\n<${ours}\n[${ours}]> wrote:`,
    `On Nov 30, 2026, at 4:14 AM, Lendloom <${ours}> wrote:`,
    'On 30/11/26 04:14, Lendloom wrote:',
    `On Mon, 30 Nov 2026 04:14:00 GMT, ${ours} wrote:`,
  ]
  for (const each of attributions)
    assert.equal(withoutHistory(`Thank you.\n\n${each}\n\n> Dear Asha\n`, answered), 'Thank you.', each)
  const ownWords = `On 3 November you wrote to me from ${ours}.\nI never got it, as I said:`
  assert.equal(withoutHistory(`${ownWords}\nnothing`, answered), `${ownWords}\nnothing`)
  const drawn = `Hurry.\n\n${'-'.repeat(80)}\n\nFrom: Lendloom <${ours}>\nSent: Monday\n\nDear Asha,`
  assert.equal(withoutHistory(drawn, answered), 'Hurry.')
})

test('keeps the cells and rows of a table apart in the text of HTML', async () => {
  const table =
    '<table><tr><th>Date</th><th>Amount</th></tr><tr><td>05-11-2026</td><td><b>4,500.00</b></td></tr></table><p>Why?</p>'
  const alternative = message(
    ['From: a@b.example', 'Content-Type: multipart/related; boundary=b'],
    `--b\nContent-Type: text/html\n\n${table}\n--b--`,
  )
  for (const raw of [htmlMail(table), alternative])
    assert.match((await readMail(raw)).text, /^Date Amount *\n05-11-2026 4,500\.00 *\n+Why\?$/)
})

test('keeps what the sender forwards below a reply, and cuts the history of our own mail', () => {
  const ours = 'From: Lendloom <grievance+c1@lendloom.example>\nSent: Saturday\nTo: Asha\n\nDear Asha,'
  const theirs = 'From: Bank <care@bank.example>\nSent: Friday\nTo: Asha\n\nWe charged you ₹500.'
  const forward =
    '---------- Forwarded message ---------\nFrom: Bank <care@bank.example>\nDate: Friday\n\nWe charged you.'
  const own = 'See what the bank writes.'
  assert.equal(withoutHistory(`${own}\n\n${ours}`, answered), own)
  assert.equal(withoutHistory(`${own}\n\n-----Original Message-----\n${ours}`, answered), own)
  for (const evidence of [theirs, forward]) {
    assert.equal(withoutHistory(`${own}\n\n${evidence}`, answered), `${own}\n\n${evidence}`)
    assert.equal(withoutHistory(`${own}\n\n${evidence}\n\n${ours}`, answered), `${own}\n\n${evidence}`)
  }
})

test('keeps own words that resemble an attribution, and answers between the lines of our mail', () => {
  const ours = 'grievance+c1@lendloom.example'
  const own = [
    `I sent three mails on 12 Nov to ${ours} and each time got only this answer:`,
    `My case GR-2611-XXXXX (mail from ${ours}, 3 May) says:`,
    `On 3 May I was told by\n${ours} that the amount\nwas 500 rupees and that:`,
    'On 12 Nov your officer Neha wrote:',
    'आपके अधिकारी ने 12 नवंबर को ने लिखा:',
  ]
  for (const words of own)
    assert.equal(withoutHistory(`Sir,\n\n${words}\n\n> We closed it.\n\nHelp.`, answered), `Sir,\n\n${words}\n\nHelp.`)
  const header = `From: Lendloom <${ours}>\nSent: Monday\nTo: Asha\nSubject: Re: Your complaint`
  const quoted = 'Dear Asha,\n\nwe look at your\ncomplaint until Monday.\n\nNeha'
  const withLink = quoted.replace('Neha', 'Neha<mailto:neha@lendloom.example>')
  for (const history of [quoted, withLink])
    assert.equal(withoutHistory(`No.\n\n${header}\n\n${history}\n`, answered), 'No.')
  const between = `No.\n\n${header}\n\nDear Asha,\n\nwe look at your\nMY ANSWER: I paid on 3 May.\ncomplaint until Monday.`
  for (const mail of [between, `${header}\n\n${quoted}\n\nMy answer is below.`])
    assert.equal(withoutHistory(mail, answered), mail)
})

test('keeps answers below an unquoted header that are words of our mail', () => {
  const sentText = 'Dear Asha,\n\nhave you received the money of\n3 May? Or not?\n\nYes\nor\nNo\n\nNeha'
  const header = 'From: Lendloom <g@lendloom.example>\nSent: Monday\nTo: Asha'
  const cut = (below: string) => withoutHistory(`See below.\n\n${header}\n\n${below}`, { ...answered, sentText })
  const inOutlook = 'Dear Asha,\n\nhave you received the money of 3 May?\nOr not?\n\nYes or No\n\nNeha'
  const firstAndLastLeft = 'have you received the money of\n3 May? Or not?\n\nYes'
  for (const history of [sentText, inOutlook, firstAndLastLeft, '']) assert.equal(cut(history), 'See below.', history)
  const answers = [
    'no',
    '3 May',
    'received the money',
    `${sentText}\n\nYes`,
    sentText.replace('Or not?', 'Or not?\nNo'),
    sentText.replace('Yes\nor\nNo', 'No\nYes'),
    sentText.replace('money of', 'money of\n3 May'),
  ]
  for (const below of answers) assert.ok(cut(below).endsWith(below), below)
})

test('reads an HTML-only mail as text, with sanitized names and ids', async () => {
  const raw = message(
    [
      'From: =?utf-8?B?4KSG4KS24KS+?= <Asha@Mail.example>',
      'Subject: =?utf-8?Q?Complaint_=E2=80=AE?= x',
      'Message-ID: <a1@mail.example>',
      'In-Reply-To: <b1@lendloom.example>',
      'References: <c1@lendloom.example> <b1@lendloom.example>',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
    ],
    '--b\nContent-Type: text/html; charset=utf-8\n\n<p>The <b>charge</b> is wrong</p><script>x()</script>\n--b\n' +
      'Content-Type: application/pdf; name="../../etc/bill.pdf"\nContent-Disposition: attachment\n\n%PDF\n--b--',
  )
  const mail = await readMail(raw)
  assert.deepEqual(mailIdsOf(raw), { messageId: '<a1@mail.example>', thread: '<c1@lendloom.example>' })
  assert.equal(mail.from, 'Asha@Mail.example')
  assert.equal(mail.fromName, 'आशा')
  assert.equal(mail.subject, 'Complaint x')
  assert.equal(mail.text.trim(), 'The charge is wrong')
  assert.equal(mail.inReplyTo, '<b1@lendloom.example>')
  assert.deepEqual(mail.references, ['<c1@lendloom.example>', '<b1@lendloom.example>'])
  assert.equal(mail.isAutomatic, false)
  assert.deepEqual(
    mail.files.map(({ name, type }) => ({ name, type })),
    [{ name: 'bill.pdf', type: 'application/pdf' }],
  )
})

test('reads a mail that names no character set, as old mail programs and web forms send it', async () => {
  const sentence = 'They charged me £30 – “late fee”, for José’s café.'
  const windows = Buffer.from(
    sentence.replaceAll(/[–“”’]/g, (sign) => ({ '–': '\x96', '“': '\x93', '”': '\x94', '’': '\x92' })[sign] ?? ''),
    'latin1',
  )
  const html = (charset: string, body: Buffer) =>
    Buffer.concat([
      Buffer.from(`<html><head><meta http-equiv="Content-Type" content="text/html; charset=${charset}"></head><p>`),
      body,
    ])
  const hindi = Buffer.from('यह शुल्क गलत है')
  const cases: [what: string, headers: string[], body: Buffer, text: string][] = [
    ['no content type', [], windows, sentence],
    ['text without a character set', ['Content-Type: text/plain'], windows, sentence],
    ['format on its own line', ['Content-Type: text/plain;', '\tformat=fixed'], windows, sentence],
    ['ASCII that is none', ['Content-Type: text/plain; charset="us-ascii"'], windows, sentence],
    ['HTML with a meta element', ['Content-Type: text/html'], html('windows-1252', windows), sentence],
    ['HTML that names the wrong set', ['Content-Type: text/html'], html('utf-8', windows), sentence],
    ['UTF-8 without a character set', ['Content-Type: text/plain'], hindi, 'यह शुल्क गलत है'],
    ['UTF-8 in HTML', ['Content-Type: text/html'], html('utf-8', hindi), 'यह शुल्क गलत है'],
    [
      'UTF-8 with a spoilt byte',
      ['Content-Type: text/plain'],
      Buffer.concat([hindi, Buffer.from([0xe0])]),
      'यह शुल्क गलत है\ufffd',
    ],
    ['UTF-8 with a cut character', [], Buffer.concat([hindi, Buffer.from(' \ufffd')]), 'यह शुल्क गलत है \ufffd'],
    ['a set in the header', ['Content-Type: text/plain; charset=windows-1252'], windows, sentence],
    ['a set in a meta element', ['Content-Type: text/html'], html('iso-8859-5', Buffer.from([0xd8, 0xe2])), 'ит'],
  ]
  for (const [what, headers, body, text] of cases) {
    const mail = await readMail(Buffer.concat([message(['From: a@b.example', ...headers], ''), body]))
    assert.equal(mail.text.trim(), text, what)
  }
})

test('reads a mail without a character set that has a log which looks like a long field', async () => {
  const log = `Content-Type: text/plain\n${' a line of a log\n'.repeat(600_000)}`
  const attached = `--b\nContent-Type: text/plain\nContent-Disposition: attachment\n\n${log}\n--b--`
  const head = 'From: a@b.example\nContent-Type: multipart/mixed; boundary=b'
  const { text, files } = await readMail(
    Buffer.from(`${head}\n\n--b\nContent-Type: text/plain\n\nCaf\xe9\n${attached}`, 'latin1'),
  )
  assert.equal(text, 'Café')
  assert.equal(files.length, 1)
})

test('reads the words after long styles and embedded pictures', async () => {
  const style = `<style>${'a{}'.repeat(100_000)}</STYLE >`
  const picture = `<img src="data:image/png;base64,${'A'.repeat(1_000_000)}">`
  const { text } = await readMail(
    htmlMail(`${style}<p>My words.</p>${picture}<p>After it.</p><style>${'b'.repeat(100)}`),
  )
  assert.match(text, /^My words\.\s+After it\.$/)
  const unclosed = await readMail(htmlMail(`<p>One</p>${'<style>'.repeat(150_000)}`))
  assert.equal(unclosed.text.trim(), 'One')
})

test('reads the words around what only resembles an embedded picture or a style, and in deeply nested elements', async () => {
  const textOf = async (html: string) => (await readMail(htmlMail(html))).text.trim()
  const sentence = 'The page shows data:image/png;base64, and then nothing happens'
  assert.equal(await textOf(`<p>${sentence}</p>`), sentence)
  assert.equal(await textOf('<p>See <b title="<style">this</b>.</p><!-- <style> --><p>Why?</p>'), 'See this.\n\nWhy?')
  assert.equal(await textOf("<p a='<script>'>One</p><p don't>Two</p><style>p{}</style>"), 'One\n\nTwo')
  for (const tag of ['div', 'table><tr><td', 'ul><li', 'blockquote'])
    assert.equal(
      await textOf(`<p>My words &amp;</p>${`<${tag}>`.repeat(3000)}<b>x</b>y<p>z`),
      'My words &\n\nxy\nz',
      tag,
    )
  assert.equal(await textOf(`<span>${'<span>'.repeat(100_000)}My words`), 'My words')
})

test('reads the beginning of an HTML-only mail of more than a megabyte', async () => {
  const { text } = await readMail(htmlMail(`<p>The charge is wrong.</p>${'<p>x</p>'.repeat(150_000)}`))
  assert.match(text, /^The charge is wrong\./)
})

test('a mail that is forwarded as a file is followed by its readable text and its files', async () => {
  const text = Buffer.from('₹4,500 debited. खाता').toString('base64')
  const alert =
    'From: Bank <alerts@bank.example>\nSubject: Debit\nDate: Sat, 28 Nov 2026 10:02:00 +0530\nContent-Type: multipart/mixed; boundary=c\n\n' +
    `--c\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${text}\n` +
    '--c\nContent-Type: application/pdf; name="statement.pdf"\nContent-Disposition: attachment\n\n%PDF\n--c--'
  const forwarding = (headers: string[]) =>
    message(
      ['From: a@b.example', 'Content-Type: multipart/mixed; boundary=b', ...headers],
      `--b\nContent-Type: text/plain\n\nSee.\n--b\nContent-Type: message/rfc822\nContent-Disposition: attachment; filename="Debit.eml"\n\n${alert}\n--b--`,
    )
  const { files } = await readMail(forwarding([]))
  assert.deepEqual(
    files.map(({ name }) => name),
    ['Debit.eml', 'Debit.txt', 'statement.pdf'],
  )
  assert.match(
    files[1]!.bytes.toString(),
    /^From: Bank <alerts@bank\.example>[\s\S]*Subject: Debit\n\n₹4,500 debited\. खाता/,
  )
  const returned = await readMail(forwarding(['Auto-Submitted: auto-replied']))
  assert.equal(returned.files.length, 1, 'a machine returns our own mail')
})

const multipart = (boundary: string, parts: string[]): string =>
  `From: a@b.example\nContent-Type: multipart/mixed; boundary=${boundary}\n\n${parts.map((part) => `--${boundary}\n${part}\n`).join('')}--${boundary}--`
const forwarded = (mail: string): string => `Content-Type: message/rfc822\n\n${mail}`
const small = forwarded('From: c@d.example\n\nx')

test('a mail of mails has at most twenty files, its own ones first', async () => {
  const ofTwenty = forwarded(multipart('c', Array(20).fill(small)))
  const photo = 'Content-Type: image/jpeg; name=photo.jpg\nContent-Disposition: attachment\n\nx'
  const one = await readMail(Buffer.from(multipart('b', [ofTwenty, photo])))
  assert.deepEqual(
    one.files.slice(0, 4).map(({ name }) => name),
    ['file-1', 'photo.jpg', 'file-1.txt', 'file-1'],
  )
  assert.equal(one.files.length, 20)
  assert.equal(one.furtherFiles.length, 3)
  const many = await readMail(Buffer.from(multipart('b', [...Array(480).fill(ofTwenty), photo])))
  assert.equal(many.files.length, 20)
  assert.equal(many.furtherFiles.length, 461)
  assert.equal(many.furtherFiles.at(-1), 'photo.jpg')
})

test('forwarded mails that take long to read stay files of a mail that is read', async () => {
  const long = forwarded(`From: c@d.example\nContent-Type: text/html\n\n${'<p>x</p>'.repeat(50_000)}`)
  const { files } = await readMail(Buffer.from(multipart('b', Array(10).fill(long))))
  assert.equal(files.filter(({ type }) => type === 'message/rfc822').length, 10)
})

test('a long mail is read whole, and shows its first part', async () => {
  const { text, ownText } = await readMail(message(['From: a@b.example'], `${'word '.repeat(60_000)}the end`))
  assert.ok(text.trimEnd().endsWith('the end'))
  assert.equal(ownText.length <= 200_000, true)
  const longest = await readMail(message(['From: a@b.example'], 'x'.repeat(2_000_010)))
  assert.match(longest.text.slice(-40), /\[… 1\d more characters\]$/)
})

test('a signature of a mail is no file', async () => {
  const raw = message(
    ['From: a@b.example', 'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; boundary=b'],
    '--b\nContent-Type: text/plain\n\nSigned.\n--b\n' +
      'Content-Type: application/pkcs7-signature; name="smime.p7s"\nContent-Disposition: attachment\n\nMIAG\n--b--',
  )
  const { text, files } = await readMail(raw)
  assert.equal(text.trim(), 'Signed.')
  assert.deepEqual(files, [])
})

test('recognizes automatic mails by their headers (RFC 3834)', async () => {
  for (const [header, isAutomatic] of [
    ['Auto-Submitted: auto-replied', true],
    ['Auto-Submitted: no', false],
    ['Precedence: bulk', true],
    ['List-Id: <news.mail.example>', true],
    ['Content-Type: multipart/report; report-type=delivery-status; boundary=b', true],
    ['X-Failed-Recipients: c@d.example', true],
    ['X-Auto-Response-Suppress: All', false],
    ['X-Mailer: Thunderbird', false],
  ] as const)
    assert.equal((await readMail(message(['From: a@b.example', header], 'x'))).isAutomatic, isAutomatic, header)
})

test('recognizes mails whose sender wants or reads no automatic answer', async () => {
  const from = 'From: a@b.example'
  for (const [headers, refusesAnswer] of [
    [[from, 'X-Auto-Response-Suppress: All'], true],
    [[from, 'X-Auto-Response-Suppress: DR, OOF, AutoReply'], true],
    [[from, 'X-Auto-Response-Suppress: DR, RN, NRN'], false],
    [['From: MAILER-DAEMON@b.example'], true],
    [['From: Bank <no-reply@b.example>'], true],
    [['From: donotreply@b.example'], true],
    [['From: noreen@b.example'], false],
  ] as const)
    assert.equal((await readMail(message([...headers], 'x'))).refusesAnswer, refusesAnswer, headers.join())
})

test('reads bytes that are not a mail as a mail without fields', async () => {
  for (const raw of [
    Buffer.alloc(0),
    Buffer.from([0, 255, 254, 10, 13]),
    message(['Content-Type: multipart/mixed'], 'x'),
  ]) {
    const { from, messageId, files } = await readMail(raw)
    assert.equal(from, null)
    assert.equal(messageId, null)
    assert.deepEqual(mailIdsOf(raw), { messageId: null, thread: null })
    assert.deepEqual(files, [])
  }
})

test('removes a long quoted history in linear time', () => {
  const emptyLines = '\n'.repeat(199_000)
  assert.equal(withoutHistory(`Still wrong.\nOn Sat, X wrote:\n> a${emptyLines}> b`), 'Still wrong.')
  assert.equal(withoutHistory(`Still wrong.\nOn Sat, X wrote:\n> a${emptyLines}wrong`), 'Still wrong.\n\nwrong')
  const attributions = 'On Sat, X wrote:\n'.repeat(12_000)
  assert.equal(withoutHistory(attributions), attributions.trim())
  const headers = 'From: Lendloom <g@lendloom.example>\nSent: Monday\n\n'.repeat(4000)
  const sentLines = `From: Lendloom <g@lendloom.example>\nSent: Monday\n\n${'Neha\n'.repeat(38_000)}`
  for (const text of [headers, sentLines]) assert.equal(withoutHistory(text, answered), text.trim())
})

test('two deliveries of one mail have one digest, and two mails with one Message-ID have two', () => {
  const mail = (trace: string[], body: string, headers = ['Message-ID: <a1@b.example>', 'Subject: Charge']) =>
    digestOf(message([...trace, ...headers], body))
  const first = mail(['Received: from a', '\tby b; Sat', 'X-Spamd-Result: 1.2', '\tBAYES', 'Subject : x'], 'Wrong.')
  assert.deepEqual(
    mail(['Return-Path: <a@b>', 'X-Spamd-Result: 1.3', 'DKIM-Signature: b', 'Subject : x'], 'Wrong.'),
    first,
  )
  assert.notDeepEqual(mail(['Subject : x'], 'Still wrong.'), first)
  assert.notDeepEqual(mail(['Subject : y'], 'Wrong.'), first)
  assert.notDeepEqual(mail(['Subject : x', 'From: c@d.example'], 'Wrong.'), first)
  const lastField = (fields: string[]) => mail([], 'Wrong.', fields)
  assert.deepEqual(lastField(['Subject: a', 'X-Virus: none']), lastField(['X-Virus: some', 'Subject: a']))
})

test('finds ids in folded headers, in linear time', () => {
  const raw = message(
    ['Message-Id :', ' <a1@b.example>', 'IN-REPLY-TO:\t<c1@b.example>', 'References: none'],
    'References: <d@e>',
  )
  assert.deepEqual(mailIdsOf(raw), { messageId: '<a1@b.example>', thread: '<c1@b.example>' })
  for (const head of ['Message-ID: <', 'message-id:\n ', '<'.repeat(900), 'a\n'])
    assert.equal(mailIdsOf(Buffer.from(head.repeat(2_000_000 / head.length))).thread, null)
})

const mailWithParts = (count: number): Buffer =>
  message(
    ['From: a@b.example', 'Content-Type: multipart/mixed; boundary=b'],
    `${'--b\nContent-Type: text/plain\n\nx\n'.repeat(count)}--b--`,
  )
const mailWithNesting = (depth: number): Buffer =>
  Buffer.from(
    Array.from({ length: depth }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}.\r\n\r\n--b${i}.\r\n`).join(
      '',
    ),
  )

test('rejects a mail with too many parts or overlong headers before parsing', async () => {
  // The text is 400 times `x`, joined by 399 line breaks.
  assert.equal((await readMail(mailWithParts(400))).text.trim().length, 799)
  for (const raw of [
    mailWithParts(1001),
    mailWithParts(100_000),
    mailWithNesting(3000),
    message([...Array.from({ length: 30_000 }, (_, i) => `X-A${i}: b`)], 'x'),
    message([`To: ${'a@b.example, '.repeat(60_000)}c@b.example`], 'x'),
    message([`Subject: ${'=?utf-8?Q?a?= '.repeat(30_000)}`], 'x'),
  ])
    await assert.rejects(readMail(raw), UnreadableMail)
})

test('a hostile mail is read or rejected, and does not prevent reading the next mail', async () => {
  const hostile: Record<string, Buffer> = {
    'nested elements': htmlMail('<div>'.repeat(150_000)),
    'nested tables': htmlMail('<table><tr><td>'.repeat(60_000)),
    'unterminated comments': htmlMail('<!--'.repeat(200_000)),
    'unterminated attributes': htmlMail('<b a="'.repeat(150_000)),
    'unterminated attributes of two kinds': htmlMail(`<b a='${'<b a="x" '.repeat(100_000)}`),
    'addresses in groups': message([`To: ${'a:'.repeat(100_000)}`], 'x'),
    'nested comments in an address': message([`From: ${'('.repeat(200_000)}`], 'x'),
    'quoted-printable': message(['Content-Transfer-Encoding: quoted-printable'], '=C3=A9'.repeat(2_000_000)),
    'shift sequences of a character set': message(
      ['Content-Type: text/plain; charset=iso-2022-jp'],
      '\u001b$B'.repeat(3_000_000),
    ),
    'flowed lines': message(['Content-Type: text/plain; format=flowed'], 'a \n'.repeat(1_000_000)),
    'inline images': htmlMail('<img src="cid:a">'.repeat(50_000)),
  }
  for (const [name, raw] of Object.entries(hostile)) {
    const result = await readMail(raw).catch((error: unknown) => error)
    const isRead = !(result instanceof Error)
    assert.ok(isRead || result instanceof ParserFailure || result instanceof UnreadableMail, `${name}: ${result}`)
  }
  assert.equal((await readMail(mailWithParts(1))).from, 'a@b.example')
})

test('readForDisplay and readHead return source and subject of an unreadable mail', async () => {
  const raw = message(['Subject: Many parts', 'Content-Type: multipart/mixed; boundary=b'], '--b\n\nx\n'.repeat(2000))
  assert.equal((await readHead(raw)).subject, 'Many parts')
  const mail = await readForDisplay(raw)
  assert.match(mail.text, /^Subject: Many parts\r\n/)
  assert.deepEqual(mail.files, [])
})

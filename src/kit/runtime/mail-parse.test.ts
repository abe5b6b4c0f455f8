// Messages as mail programs write them: what is read of them, and what of their text somebody wrote.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageIdOf, readMail, withoutHistory } from './mail-parse.ts'

const message = (headers: string[], body: string): Buffer =>
  Buffer.from([...headers, '', body].join('\n').replaceAll('\n', '\r\n'))

test('the history that mail programs quote is left out, wherever what was written stands', () => {
  const written = 'The charge is still there.\n\nAsha'
  const cases = [
    `${written}\n\nOn Sat, 21 Nov 2026 at 15:30, Lendloom <grievance+c1@lendloom.example> wrote:\n> Dear Asha,\n>\n> we look at it.\n`,
    `${written}\n\nOn Sat, 21 Nov 2026 at 15:30, Lendloom <grievance+c1@lendloom.example>\nwrote:\n\n> Dear Asha,\n> we look at it.`,
    `${written}\n\nशनि, 21 नव॰ 2026 को 3:30 pm बजे को Lendloom <g@lendloom.example> ने लिखा:\n\n> प्रिय आशा\n`,
    `${written}\n\n-----Original Message-----\nFrom: Lendloom\nDear Asha`,
    `${written}\n\n________________________________\nFrom: Lendloom <g@lendloom.example>\nSent: Saturday\nDear Asha`,
    `${written}\n\nFrom: Lendloom <g@lendloom.example>\nSent: Saturday\nTo: Asha\n\nDear Asha`,
    `> Dear Asha,\n> we look at it.\n\n${written}`,
    `On Sat, Lendloom wrote:\n> Dear Asha,\n\n> we look at it.\n\n${written}`,
  ]
  for (const text of cases) assert.equal(withoutHistory(text), written, text)
  assert.equal(withoutHistory('> only quoted\n'), '> only quoted')
  assert.equal(withoutHistory('On Monday I wrote:\nyou never answered'), 'On Monday I wrote:\nyou never answered')
})

test('a message in HTML alone is read as text, names and ids without what must not come along', async () => {
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
  assert.equal(messageIdOf(raw), '<a1@mail.example>')
  assert.deepEqual(
    [mail.from, mail.fromName, mail.subject, mail.text.trim(), mail.inReplyTo, mail.references, mail.isAutomatic],
    [
      ...['Asha@Mail.example', 'आशा', 'Complaint x', 'The charge is wrong', '<b1@lendloom.example>'],
      ...[['<c1@lendloom.example>', '<b1@lendloom.example>'], false],
    ],
  )
  assert.deepEqual(
    mail.files.map(({ name, type }) => [name, type]),
    [['bill.pdf', 'application/pdf']],
  )
})

test('what machines write is known by its headers (RFC 3834)', async () => {
  for (const [header, is] of [
    ['Auto-Submitted: auto-replied', true],
    ['Auto-Submitted: no', false],
    ['Precedence: bulk', true],
    ['List-Id: <news.mail.example>', true],
    ['X-Mailer: Thunderbird', false],
  ] as const)
    assert.equal((await readMail(message(['From: a@b.example', header], 'x'))).isAutomatic, is, header)
})

test('bytes that are no message are read as far as they go', async () => {
  for (const raw of [
    Buffer.alloc(0),
    Buffer.from([0, 255, 254, 10, 13]),
    message(['Content-Type: multipart/mixed'], 'x'),
  ]) {
    const { from, messageId, files } = await readMail(raw)
    assert.deepEqual([from, messageId, messageIdOf(raw), files], [null, null, null, []])
  }
})

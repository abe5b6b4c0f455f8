// Incoming mail over real SMTP and LMTP is stored before the server accepts it, and is handled once.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { exposition } from '@lendloom/foundation/metrics'
import { Refusal } from '@lendloom/foundation/refusal'
import { noTenantId } from '@lendloom/queue/queue'
import { uuidv4 } from '@lendloom/seal/id'
import { fakeClamd } from '@lendloom/tests/setup/clamd'
import { eicar, samplePdf } from '@lendloom/tests/setup/files'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Context } from '#platform/context.ts'
import { incomingMailWorker } from './apply-mail.ts'
import { readFile } from './attachment.ts'
import type { IncomingMail, MailHandler } from './incoming-mail.ts'
import { measureMail } from './mail-gauge.ts'
import { queueMail } from './queue-mail.ts'
import { startIncomingMail } from './receive-mail.ts'
import { rawMail, retryIncomingMail } from './stored-mail.ts'

const scanner = await fakeClamd()
const { ctx } = await testPlatform({
  MAIL_DOMAIN: 'help.lendloom.example',
  CLAMD: `127.0.0.1:${scanner.port}`,
  MAIL_IN_MAX_BYTES: '1000000',
})
const handled: IncomingMail[] = []
let failure: Error | null = null
const onMail: MailHandler = async (_within, mail) => {
  if (failure) throw failure
  handled.push(mail)
}
const { db } = ctx
const listener = await startIncomingMail(ctx, 0)
after(() => listener.stop())

const transport = (port = listener.port, more = {}) =>
  createTransport({ host: '127.0.0.1', port, ignoreTLS: true, ...more })
const send = (mail: SendMailOptions, port?: number, more?: object) => {
  const smtp = transport(port, more)
  const defaults = {
    from: 'Asha <Asha@mail.example>',
    to: 'grievance@help.lendloom.example',
    subject: 'A charge',
    text: 'Why?',
  }
  return smtp.sendMail({ ...defaults, ...mail }).finally(() => smtp.close())
}
const handleMails = async (count: number): Promise<IncomingMail[]> => {
  const worker = incomingMailWorker(ctx, onMail)
  await until('the handled mails', () => handled.length >= count)
  await worker.stop()
  return handled.splice(0)
}
const countWaiting = async () =>
  (await db<{ mailId: string }>`select mail_id from mail_in where state = 'RECEIVED'`).length

test('a mail is stored encrypted before it is accepted, and only once if it arrives repeatedly', async () => {
  const messageId = `<${uuidv4()}@mail.example>`
  const mail = {
    to: 'Grievance+C-7K2@Help.Lendloom.example',
    messageId,
    date: '2026-11-20T06:00:00.000Z',
    text: 'Still wrong.\n\nOn Sat, 28 Nov 2026 at 10:02, X wrote:\n> old',
  }
  await Promise.all([send(mail), send(mail), send(mail)])
  await send(mail)
  const [row, ...otherRows] = await db<{ stored: string }>`
    select encode(message_sealed, 'escape') || encode(envelope_sealed, 'escape') as stored from mail_in`
  assert.deepEqual(otherRows, [])
  assert.doesNotMatch(row!.stored, /Asha|Still/i)
  const [handledMail, ...otherMails] = await handleMails(1)
  assert.deepEqual(otherMails, [])
  assert.equal(handledMail!.tag, 'c-7k2')
  assert.equal(handledMail!.from, 'asha@mail.example')
  assert.equal(handledMail!.fromName, 'Asha')
  assert.equal(handledMail!.subject, 'A charge')
  assert.equal(handledMail!.text, 'Still wrong.')
  assert.equal(handledMail!.messageId, messageId)
  assert.equal(handledMail!.isAutomatic, false)
  assert.match((await rawMail(ctx, handledMail!.mailId)).toString(), /> old/)
  assert.match(handledMail!.wholeText, /^Still wrong\.\s+On Sat, .* X wrote:\s+> old/)
  await send(mail)
  assert.equal(await countWaiting(), 0)
})

test('a mail with the Message-ID of an earlier mail is another mail if it says something else', async () => {
  const mail = { messageId: '<1@mail.example>', date: '2026-11-20T06:00:00.000Z' }
  await send({ ...mail, text: 'The charge is wrong.' })
  await send({ ...mail, text: 'My account was debited twice.' })
  await send({ ...mail, text: 'My account was debited twice.' })
  assert.deepEqual((await handleMails(2)).map(({ text }) => text.trim()).sort(), [
    'My account was debited twice.',
    'The charge is wrong.',
  ])
  assert.equal(await countWaiting(), 0)
})

test('a first mail keeps its own words and what it forwards', async () => {
  const text =
    'See what they wrote to me.\n\n---------- Forwarded message ---------\nFrom: Bank <care@bank.example>\nTo: Asha <asha@mail.example>\n\n> You asked\nWe charged ₹500.'
  await send({ text })
  const [mail] = await handleMails(1)
  assert.equal(mail!.text.trim(), text)
  assert.deepEqual(mail!.attachments, [])
})

test('a reply without quote marks is shortened only by what we sent', async () => {
  const text = 'Dear Asha,\n\nwe look at it.\n\nNeha'
  const { messageId } = await db.tx((tx) =>
    queueMail(
      { ...ctx, tx, at: ctx.clock() },
      {
        tenantId: noTenantId,
        kind: 'complaint',
        subjectId: uuidv4(),
        to: 'asha@mail.example',
        subject: 'Your complaint',
        text,
        replyTag: 'c1',
        inReplyTo: null,
        attachments: [],
      },
    ),
  )
  const header = 'From: Lendloom <grievance+c1@help.lendloom.example>\nSent: Monday\nTo: Asha'
  const answers = `Hello.\n\n${header}\n\n${text.replace('it.', 'it.\nI paid on 3 May.')}`
  await send({ text: `I paid.\n\n${header}\n\n${text}`, inReplyTo: messageId })
  await send({ text: answers, inReplyTo: messageId })
  assert.deepEqual((await handleMails(2)).map((mail) => mail.text).sort(), [answers, 'I paid.'])
})

test('rejects mail to other domains and mailboxes, and mail that is too large', async () => {
  for (const to of [
    'asha@mail.example',
    'grievance@mail.example',
    'ceo@help.lendloom.example',
    'grievance+a/b@help.lendloom.example',
  ])
    await assert.rejects(send({ to }), /550 no such mailbox/, to)
  await assert.rejects(send({ text: 'x'.repeat(1_500_000) }), /552|size/i)
  assert.equal(await countWaiting(), 0)
})

test('does not accept a mail that cannot be stored', async () => {
  const unavailable: Context = {
    ...ctx,
    db: Object.assign(() => {}, { tx: () => Promise.reject(new Error('the database is unavailable')) }) as never,
  }
  const unavailableListener = await startIncomingMail(unavailable, 0)
  await assert.rejects(send({}, unavailableListener.port), /451/)
  await unavailableListener.stop()
})

test('stores clean files, and rejects malware and other file types with a reason', async () => {
  const pdf = await samplePdf('The statement')
  await send({
    attachments: [
      { filename: 'statement.pdf', content: pdf, contentType: 'application/octet-stream' },
      { filename: 'virus.txt', content: eicar },
      { filename: 'run.exe', content: Buffer.from('MZ') },
      { filename: 'no.pdf', content: Buffer.from('not a PDF') },
    ],
  })
  const [mail] = await handleMails(1)
  const [clean, virus, program, falsePdf] = mail!.attachments
  assert.equal(clean!.type, 'application/pdf')
  assert.equal(clean!.size, pdf.length)
  assert.equal(clean!.why, null)
  assert.deepEqual(await readFile(ctx, clean!.objectKey!), pdf)
  for (const [file, why] of [
    [virus, /malware scanner/],
    [program, /has a type/],
    [falsePdf, /PDF/],
  ] as const) {
    assert.equal(file!.objectKey, null)
    assert.match(file!.why!, why)
  }
})

test('keeps the first twenty files of a mail, and names the others in one line', async () => {
  const attachments = Array.from({ length: 25 }, (_, i) => ({ filename: `note-${i + 1}.txt`, content: 'x' }))
  await send({ attachments })
  const [mail] = await handleMails(1)
  const line = mail!.attachments.at(-1)
  assert.equal(mail!.attachments.length, 21)
  assert.equal(mail!.attachments.filter(({ objectKey }) => objectKey !== null).length, 20)
  assert.equal(line?.name, '5 further files')
  assert.equal(
    line?.why,
    'is beyond the first 20 files of the mail: note-21.txt, note-22.txt, note-23.txt, note-24.txt, note-25.txt',
  )
})

test('D3 §2.1: the readable text of a forwarded mail has no Aadhaar number, and the mail stays as it came', async () => {
  const forwarded =
    'From: UIDAI <help@uidai.example>\r\nSubject: 2345 6789 0124\r\n\r\nAadhaar 234567890124 is yours.\r\n'
  const letter = { filename: 'Letter.eml', contentType: 'message/rfc822', content: forwarded }
  await send({ attachments: [{ ...letter, contentDisposition: 'attachment' }] })
  const [mail] = await handleMails(1)
  const [original, text] = await Promise.all(mail!.attachments.map(({ objectKey }) => readFile(ctx, objectKey!)))
  assert.equal(original!.toString().trim(), forwarded.trim())
  assert.match(text!.toString(), /Subject: \[Aadhaar number removed\]\n\nAadhaar \[Aadhaar number removed\] is yours\./)
  assert.equal(mail!.attachments[1]!.size, text!.length)
})

test('marks bounces and automatic replies as automatic', async () => {
  await send({ envelope: { from: '', to: 'grievance+c1@help.lendloom.example' } })
  await send({ headers: { 'Auto-Submitted': 'auto-replied' } })
  assert.deepEqual(
    (await handleMails(2)).map(({ isAutomatic }) => isAutomatic),
    [true, true],
  )
})

test('sets aside a mail that cannot be handled, with the reason, until an operator retries it', async () => {
  failure = new Refusal('wrong-state', 'no complaint of asha@mail.example has this tag')
  await send({ subject: 'Unknown tag' })
  const setAsideMail = await waitForSetAside()
  assert.match(setAsideMail.why, /no complaint of \[masked\] has this tag/)
  failure = null
  await db.tx((tx) => retryIncomingMail({ ...ctx, tx, at: ctx.clock() }, setAsideMail.mailId))
  const [mail] = await handleMails(1)
  assert.equal(mail!.mailId, setAsideMail.mailId)
  assert.equal(mail!.subject, 'Unknown tag')
  await assert.rejects(
    db.tx((tx) => retryIncomingMail({ ...ctx, tx, at: ctx.clock() }, setAsideMail.mailId)),
    /was not set aside/,
  )
})

/** Runs the worker until it sets a mail aside, and returns the reason. */
async function waitForSetAside(): Promise<{ mailId: string; why: string }> {
  const list = () => db<{ mailId: string; why: string }>`select mail_id, why from mail_in where state = 'SET_ASIDE'`
  const knownIds = new Set((await list()).map(({ mailId }) => mailId))
  const worker = incomingMailWorker(ctx, onMail)
  try {
    return await until('a mail that was set aside', async () =>
      (await list()).find(({ mailId }) => !knownIds.has(mailId)),
    )
  } finally {
    await worker.stop()
  }
}

test('measures the age of the oldest unhandled mail', async () => {
  const ageOf = async () => /^mail_in_oldest_seconds (.+)$/m.exec((await exposition()).text)?.[1]
  await send({ subject: 'Waiting' })
  await db`update mail_in set received_at = ${new Date('2026-11-21T10:00:00Z')} where state = 'RECEIVED'`
  await measureMail({ db, clock: () => new Date('2026-11-21T10:20:00Z') })
  assert.equal(await ageOf(), '1200')
  assert.equal((await handleMails(1))[0]!.subject, 'Waiting')
  await measureMail(ctx)
  assert.equal(await ageOf(), '0')
})

test('sets aside a mail with too many parts after the first attempt', async () => {
  const parts = '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(1100)
  await send({ raw: `Subject: Parts\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--` })
  assert.match((await waitForSetAside()).why, /^the mail has more than 500 parts/)
})

test('sets aside a mail after two attempts that take too long, and then handles the next mail', async () => {
  await send({ raw: `Content-Type: text/html\r\n\r\n${'<img src="cid:a">'.repeat(50_000)}` })
  await db`update job set attempt = 1 where kind = 'mail-in'`
  assert.match((await waitForSetAside()).why, /^the mail takes too long to be read/)
  await send({ subject: 'The next mail' })
  assert.equal((await handleMails(1))[0]!.subject, 'The next mail')
})

test('sets aside a mail after two crashes of its worker', async () => {
  await send({ subject: 'It crashes the worker' })
  await db`update job set attempt = 2, unanswered_claims = 2 where kind = 'mail-in'`
  assert.equal((await waitForSetAside()).why, 'the program stopped twice while handling this mail')
  assert.deepEqual(handled, [])
})

test('an internal error sets a mail aside with a fixed text and an id, without details', async () => {
  failure = new TypeError("Cannot read properties of undefined (reading 'x')")
  await send({ subject: 'Internal error' })
  await db`update job set attempt = 4 where kind = 'mail-in'`
  const { why } = await waitForSetAside()
  failure = null
  assert.match(why, /^an internal error occurred; see [0-9a-f-]{36} in the log$/)
})

test('over LMTP a mail is stored once per recipient address', async () => {
  const lmtp = await startIncomingMail({ ...ctx, config: { ...ctx.config, MAIL_IN_PROTOCOL: 'lmtp' } }, 0)
  const to = ['grievance+c1@help.lendloom.example', 'grievance+c2@help.lendloom.example']
  await send({ to }, lmtp.port, { lmtp: true })
  await lmtp.stop()
  assert.deepEqual((await handleMails(2)).map(({ tag }) => tag).sort(), ['c1', 'c2'])
})

test('does not store a mail if the connection ends before the mail is complete', async () => {
  const socket = connect(listener.port, '127.0.0.1')
  const lines = [
    'EHLO x',
    'MAIL FROM:<a@b.example>',
    'RCPT TO:<grievance@help.lendloom.example>',
    'DATA',
    'Subject: half',
  ]
  socket.write(`${lines.join('\r\n')}\r\n`)
  await until('the greeting of the server', () => socket.bytesRead > 0)
  socket.destroy()
  await send({ subject: 'whole' })
  const [mail, ...more] = await handleMails(1)
  assert.equal(mail!.subject, 'whole')
  assert.deepEqual(more, [])
})

test('temporarily rejects mail beyond the hourly limits per sender, address and thread', async () => {
  const config = { ...ctx.config, MAIL_IN_PER_SENDER: 3, MAIL_IN_PER_THREAD: 2, MAIL_IN_PER_ADDRESS: 4 }
  let at = new Date('2021-01-01T10:00:00Z')
  const limitedContext = { ...ctx, config, clock: () => at }
  // Two servers share the counts, as in two processes.
  const firstListener = await startIncomingMail(limitedContext, 0)
  const secondListener = await startIncomingMail(limitedContext, 0)
  const sendFrom = (sender: string, mail: SendMailOptions = {}, port = firstListener.port) =>
    send({ from: sender, ...mail }, port)
  const to = (tag: string) => ({ to: `grievance+${tag}@help.lendloom.example` })
  const before = await countWaiting()

  const first = { messageId: `<${uuidv4()}@mail.example>`, date: '2021-01-01T10:00:00Z', ...to('s1') }
  await sendFrom('flood@mail.example', first)
  await sendFrom('Flood@mail.example', to('s2'), secondListener.port)
  await sendFrom('flood@mail.example', to('s3'))
  await assert.rejects(
    sendFrom('flood@mail.example', to('s4'), secondListener.port),
    /450 more than 3 mails of this sender/,
  )
  await sendFrom('flood@mail.example', first)
  await sendFrom('asha@mail.example', to('s4'))

  await sendFrom('b1@mail.example', to('s1'))
  await assert.rejects(
    sendFrom('b2@mail.example', to('s1'), secondListener.port),
    /450 more than 2 mails of this thread/,
  )
  const threadReply = { headers: { References: '<root@lendloom.example> <later@lendloom.example>' } }
  for (const sender of ['c1', 'c2']) await sendFrom(`${sender}@mail.example`, threadReply)
  await assert.rejects(
    sendFrom('c3@mail.example', { inReplyTo: '<root@lendloom.example>' }),
    /450 more than 2 .* thread/,
  )

  for (const sender of ['d1', 'd2']) await sendFrom(`${sender}@mail.example`)
  await assert.rejects(sendFrom('d3@mail.example', {}, secondListener.port), /450 more than 4 mails of this address/)
  assert.equal((await countWaiting()) - before, 9, 'only the accepted mails are stored')
  at = new Date('2021-01-01T11:00:01Z')
  await sendFrom('d3@mail.example')
  await sendFrom('flood@mail.example', to('s4'))
  await Promise.all([firstListener.stop(), secondListener.stop()])
  assert.equal((await handleMails(11)).length, 11)
  assert.match((await exposition()).text, /^mail_in_refused_total\{by="thread"\} 2$/m)
})

test('over LMTP a mail beyond a limit is temporarily rejected for each recipient', async () => {
  const config = { ...ctx.config, MAIL_IN_PROTOCOL: 'lmtp' as const, MAIL_IN_PER_SENDER: 1 }
  const lmtp = await startIncomingMail({ ...ctx, config, clock: () => new Date('2022-01-01T10:00:00Z') }, 0)
  const to = ['grievance+c8@help.lendloom.example', 'grievance+c9@help.lendloom.example']
  const refusals = await send({ to }, lmtp.port, { lmtp: true }).then(
    ({ rejectedErrors }) => rejectedErrors ?? [],
    (error) => error.rejectedErrors ?? [error],
  )
  assert.deepEqual(
    refusals.map(({ responseCode }: { responseCode?: number }) => responseCode),
    [450, 450],
  )
  await lmtp.stop()
  assert.equal(await countWaiting(), 0)
})

// Outgoing mail over real SMTP is sent once after the commit, and retried by schedule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { uuidv4 } from '@lendloom/seal/id'
import { mailServer } from '@lendloom/tests/setup/mail-server'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { storeMailFile } from './attachment.ts'
import { mailSchedule, type OutgoingMail } from './outgoing-mail.ts'
import { listMailsAbout, mailQueue, queueMail, resendMail } from './queue-mail.ts'
import { outgoingMailWorker } from './send-mail.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const server = await mailServer()
const { ctx, tenant } = await testPlatform(
  { SMTP_URL: server.url, MAIL_DOMAIN: 'help.lendloom.example' },
  () => new Date(now),
)
const { db } = ctx
const { tenantId } = tenant

const mailAbout = (subjectId: string, more: Partial<OutgoingMail> = {}): OutgoingMail => ({
  tenantId,
  kind: 'complaint',
  subjectId,
  to: 'asha@mail.example',
  subject: 'Ihre Beschwerde – आपकी शिकायत',
  text: 'We look at it.',
  replyTag: null,
  inReplyTo: null,
  attachments: [],
  ...more,
})
const queueComplaintMail = (mail: OutgoingMail) => db.tx((tx) => queueMail({ ...ctx, tx, at: ctx.clock() }, mail))
const mailState = async (subjectId: string) => (await listMailsAbout(db, tenantId, 'complaint', subjectId))[0]!

test('sends a mail after the commit, with Message-ID, tagged reply address and attachments', async () => {
  const subjectId = uuidv4()
  await assert.rejects(
    db.tx(async (tx) => {
      await queueMail({ ...ctx, tx, at: ctx.clock() }, mailAbout(subjectId))
      throw new Error('rolled back')
    }),
    /rolled back/,
  )
  const { messageId } = await db.tx(async (tx) => {
    const write = { ...ctx, tx, at: ctx.clock() }
    const objectKey = await storeMailFile(write, tenantId, Buffer.from('Ten lines'))
    const attachments = [{ name: 'answer.txt', type: 'text/plain', objectKey }]
    return queueMail(
      write,
      mailAbout(subjectId, { replyTag: 'c-7k2', inReplyTo: '<theirs@mail.example>', attachments }),
    )
  })
  const [row] = await db<{ stored: string }>`select encode(content_sealed, 'escape') as stored from mail_out`
  assert.doesNotMatch(row!.stored, /asha|look at it/)
  const workers = [outgoingMailWorker(ctx), outgoingMailWorker(ctx), outgoingMailWorker(ctx)]
  await until('the delivery', async () => (await mailState(subjectId)).state === 'SENT')
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.equal(server.mails.length, 1)
  const [mail] = server.mails
  assert.equal(mail!.from, 'grievance+c-7k2@help.lendloom.example')
  assert.deepEqual(mail!.to, ['asha@mail.example'])
  assert.match(mail!.text, new RegExp(`^Message-ID: ${messageId}\r$`, 'm'))
  assert.match(mail!.text, /^Reply-To: grievance\+c-7k2@help\.lendloom\.example\r$/m)
  assert.match(mail!.text, /^In-Reply-To: <theirs@mail\.example>\r$/m)
  assert.match(mail!.text, /filename=answer\.txt/)
  assert.match(mail!.text, /VGVuIGxpbmVz|Ten lines/)
})

test('retries a mail by schedule until it fails, and resends it when an operator asks', async () => {
  const subjectId = uuidv4()
  server.refusalCode = 452
  const { messageId, mailId } = await queueComplaintMail(mailAbout(subjectId))
  const worker = outgoingMailWorker(ctx)
  for (const [tries, pause] of mailSchedule.milliseconds.entries()) {
    const queued = await until(`attempt ${tries + 1}`, async () => {
      const mail = await mailState(subjectId)
      return mail.tries === tries + 1 ? mail : undefined
    })
    assert.equal(queued.state, 'QUEUED')
    assert.equal(queued.nextTryAt?.getTime(), now + pause)
    // The worker updates the mail first and reschedules the job afterwards.
    await until(
      'the rescheduled job',
      async () =>
        (
          await db`select 1 from job where kind = ${mailQueue} and due_at > ${ctx.clock()} and last_error like ${`%attempt ${tries + 1}`}`
        ).length === 1,
    )
    now += pause
    db.wakeAll()
  }
  const failed = await until('the failure', async () => {
    const mail = await mailState(subjectId)
    return mail.state === 'FAILED' ? mail : undefined
  })
  assert.match(failed.answer!, /the mailbox of <\[masked\]> is full/)
  assert.equal(failed.nextTryAt, null)
  assert.equal(failed.settledAt?.getTime(), now)
  server.refusalCode = null
  server.mails.length = 0
  await db.tx((tx) => resendMail({ tx, at: ctx.clock() }, { tenantId, mailId }))
  await until('the delivery', async () => (await mailState(subjectId)).state === 'SENT')
  await worker.stop()
  assert.match(server.mails[0]!.text, new RegExp(`^Message-ID: ${messageId}\r$`, 'm'))
  await assert.rejects(
    db.tx((tx) => resendMail({ tx, at: ctx.clock() }, { tenantId, mailId })),
    (error) => error instanceof Refusal && error.kind === 'wrong-state',
  )
})

test('does not retry a mail if the recipient is permanently rejected or no mail server is configured', async () => {
  const subjectId = uuidv4()
  server.refusalCode = 550
  await queueComplaintMail(mailAbout(subjectId))
  const worker = outgoingMailWorker(ctx)
  const rejected = await until('the failure', async () => {
    const mail = await mailState(subjectId)
    return mail.state === 'FAILED' ? mail : undefined
  })
  await worker.stop()
  server.refusalCode = null
  assert.equal(rejected.tries, 1)
  const withoutServer = { ...ctx, config: { ...ctx.config, SMTP_URL: 'none' } }
  const secondSubjectId = uuidv4()
  await queueComplaintMail(mailAbout(secondSubjectId))
  const secondWorker = outgoingMailWorker(withoutServer)
  await until('the failure', async () => (await mailState(secondSubjectId)).state === 'FAILED')
  await secondWorker.stop()
  assert.match((await mailState(secondSubjectId)).answer!, /SMTP_URL/)
})

test('after the lease expires, another worker sends the mail of a crashed worker', async () => {
  const subjectId = uuidv4()
  server.mails.length = 0
  await queueComplaintMail(mailAbout(subjectId))
  // The state after a worker has claimed the job and crashed.
  await db`update job set attempt = attempt + 1, due_at = ${new Date(now + 15_000)} where kind = ${mailQueue}`
  const worker = outgoingMailWorker(ctx)
  now += 15_000
  db.wakeAll()
  await until('the delivery', async () => (await mailState(subjectId)).state === 'SENT')
  await worker.stop()
  assert.equal(server.mails.length, 1)
})

test('rejects several recipients, line breaks in headers and malformed tags', async () => {
  for (const invalidFields of [
    { to: 'a@b.example, c@d.example' },
    { to: 'a@b.example\r\nBcc: c@d.example' },
    { subject: 'Hello\r\nBcc: c@d.example' },
    { replyTag: 'Upper' },
    { inReplyTo: '<a@b>\r\nX: y' },
  ])
    await assert.rejects(queueComplaintMail(mailAbout(uuidv4(), invalidFields)), RangeError)
})

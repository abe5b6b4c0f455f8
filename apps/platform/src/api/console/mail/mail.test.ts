// Mail in the console over real HTTP and SMTP: outgoing and set-aside mail, masked, with retries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noTenantId } from '@lendloom/queue/queue'
import { uuidv4, uuidv7 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { mailServer } from '@lendloom/tests/setup/mail-server'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { applyComplaintMail } from '#platform/complaints/complaint/apply-mail.ts'
import { incomingMailWorker } from '#platform/mail/apply-mail.ts'
import type { OutgoingMail } from '#platform/mail/outgoing-mail.ts'
import { queueMail } from '#platform/mail/queue-mail.ts'
import { mailPartContext } from '#platform/mail/receive-mail.ts'
import { outgoingMailWorker } from '#platform/mail/send-mail.ts'
import { finishReceivedMail, insertReceivedMail } from '#platform/mail/store.ts'
import { detailsOf } from '#platform/people/audit/reason.ts'
import { listNewest } from '#platform/people/audit/store.ts'

let now = Date.parse('2026-11-21T10:00:00Z')

/** A console of a platform without mail, and its mail server. */
async function startConsole() {
  const server = await mailServer()
  const platform = await testPlatform({ SMTP_URL: server.url }, () => new Date(now))
  const { ctx, tenant } = platform
  const [operator, viewer] = await Promise.all([
    consoleUser(platform, { role: 'operator' }),
    consoleUser(platform, { role: 'viewer' }),
  ])
  return {
    ...platform,
    server,
    operator,
    viewer,
    queueComplaintMail: (more: Partial<OutgoingMail> = {}) =>
      ctx.db.tx((tx) =>
        queueMail(
          { ...ctx, tx, at: ctx.clock() },
          {
            tenantId: tenant.tenantId,
            kind: 'complaint',
            subjectId: uuidv4(),
            to: 'asha@mail.example',
            text: 'secret words',
            subject: 'Re: call 9876543210',
            replyTag: null,
            inReplyTo: null,
            attachments: [],
            ...more,
          },
        ),
      ),
    listMail: async (query = '', who = operator) => (await who.ask('GET', `/mail?${query}`)).body,
    /** Runs the worker for outgoing mail until the check succeeds. */
    async runWorkerUntil<T>(what: string, check: () => Promise<T | undefined | false>): Promise<T> {
      const worker = outgoingMailWorker(ctx)
      ctx.db.wakeAll()
      return until(what, check).finally(() => worker.stop())
    },
  }
}
const platform = await startConsole()
const { ctx, tenant, operator, viewer, listMail } = platform
const { tenantId } = tenant

/** A console with three mails: the first was refused for now, and waits longer than the others. */
async function consoleWithMails() {
  const mailConsole = await startConsole()
  const { server, secondTenant, queueComplaintMail, listMail, runWorkerUntil } = mailConsole
  server.refusalCode = 452
  const { mailId } = await queueComplaintMail()
  const attempted = await runWorkerUntil('the first attempt', async () =>
    (await listMail()).items.find((each: { tries: number }) => each.tries === 1),
  )
  server.refusalCode = null
  now += 1000
  const tenantMail = await queueComplaintMail({ tenantId: secondTenant.tenantId, kind: 'webhook-alert' })
  now += 1000
  const platformMail = await queueComplaintMail({ tenantId: noTenantId, kind: 'invitation' })
  return { ...mailConsole, mailId, attempted, tenantMail, platformMail }
}

test('lists outgoing mail masked, page by page, filtered by state, kind and tenant', async () => {
  const firstAt = now
  const { tenant, operator, listMail, mailId, attempted, tenantMail, platformMail } = await consoleWithMails()
  const { tenantId } = tenant
  assert.equal(attempted.mailId, mailId)
  assert.equal(attempted.to, 'a•••@mail.example')
  assert.equal(attempted.subject, 'Re: call [masked]')
  assert.equal(attempted.state, 'QUEUED')
  assert.equal(attempted.tenantId, tenantId)
  assert.equal(attempted.nextTryAt, new Date(firstAt + 60_000).toISOString())
  assert.match(attempted.answer, /452/)
  const fullList = await listMail()
  assert.equal(JSON.stringify(fullList).includes('secret words'), false)
  assert.deepEqual(fullList.counts, { waiting: 3, givenUp: 0, setAside: 0 })
  const ids = async (query: string) => (await listMail(query)).items.map((each: { mailId: string }) => each.mailId)
  const firstPage = await listMail('limit=2')
  const expectedIds = [platformMail.mailId, tenantMail.mailId]
  assert.deepEqual(
    firstPage.items.map((each: { mailId: string }) => each.mailId),
    expectedIds,
  )
  assert.deepEqual(await ids(`limit=2&after=${firstPage.next}`), [mailId])
  assert.deepEqual(await ids('kind=webhook-alert'), [tenantMail.mailId])
  assert.deepEqual(await ids(`tenantId=${tenantId}&state=QUEUED`), [mailId])
  assert.deepEqual(await ids('state=FAILED'), [])
  assert.equal((await operator.ask('GET', '/mail?after=x')).status, 400)
  assert.equal((await operator.ask('GET', '/mail?state=LOST')).status, 400)
})

test('retries a queued or failed mail at once, but not a sent one', async () => {
  const { ctx, tenant, server, operator, viewer, listMail, runWorkerUntil } = await consoleWithMails()
  const { tenantId } = tenant
  await runWorkerUntil('an attempt for each mail', async () => (await listMail('state=SENT')).items.length === 2)
  const [waiting] = (await listMail('state=QUEUED')).items
  const sendAgain = (who = operator) => who.ask('POST', `/mail/${waiting.mailId}/send-again`)
  assert.equal((await sendAgain(viewer)).status, 403, 'a viewer may only read')
  assert.equal((await listMail('', viewer)).items.length, 3)
  const retried = await sendAgain()
  assert.equal(retried.status, 200)
  assert.equal(retried.body.nextTryAt, new Date(now).toISOString())
  assert.equal((await sendAgain()).status, 409, 'the mail is already due')
  server.refusalCode = 550
  await runWorkerUntil('the failure', async () => (await listMail()).counts.givenUp === 1)
  server.refusalCode = null
  assert.equal((await sendAgain()).body.state, 'QUEUED')
  await runWorkerUntil('the delivery', async () => (await listMail('state=SENT')).items.length === 3)
  assert.equal((await sendAgain()).body.error.code, 'STATE_PRECONDITION_FAILED')
  assert.equal((await operator.ask('POST', `/mail/${uuidv4()}/send-again`)).status, 404)
  const acts = (await listNewest(ctx.db, tenantId, null, 10)).map(({ act, subject }) => `${act} ${subject}`)
  assert.deepEqual(acts, Array(2).fill(`MAIL_SENT_AGAIN ${waiting.mailId}`))
})

/** Stores an incoming mail that the worker has set aside. */
async function storeSetAsideMail(mail: { from: string; subject: string }): Promise<string> {
  const key = { tenantId: noTenantId, mailId: uuidv7(now) }
  const raw = Buffer.from(
    `From: ${mail.from}\r\nSubject: ${mail.subject}\r\nMessage-ID: <${key.mailId}@x>\r\n\r\nI paid twice, call 9876543210.\r\n`,
  )
  await ctx.db.tx(async (tx) => {
    await insertReceivedMail(tx, {
      ...key,
      digest: ctx.seal.digest(key.mailId, 'mail_in'),
      sizeBytes: raw.length,
      receivedAt: ctx.clock(),
      envelopeSealed: ctx.seal.json({ from: mail.from, tag: null }, mailPartContext('envelope', key)),
      messageSealed: ctx.seal.bytes(raw, mailPartContext('message', key)),
    })
    await finishReceivedMail(tx, key, 'the malware scanner did not answer', ctx.clock())
  })
  return key.mailId
}

async function handleIncomingMail(): Promise<void> {
  const worker = incomingMailWorker(ctx, applyComplaintMail)
  const listUnhandled = () => ctx.db`select 1 from mail_in where state = 'RECEIVED'`
  await until('handling', async () => (await listUnhandled()).length === 0).finally(() => worker.stop())
}

test('lists set-aside mail masked, reveals it for a reason, and assigns it to a complaint', async () => {
  const opened = await operator.ask('POST', '/complaints', {
    category: 'OTHER',
    text: 'He was charged twice.',
    language: 'en',
    email: 'meera@mail.example',
  })
  const { complaintId, number } = opened.body
  const first = await storeSetAsideMail({ from: 'ravi@mail.example', subject: 'Bill of 9876543210' })
  now += 1000
  const second = await storeSetAsideMail({ from: 'gita@mail.example', subject: 'Help' })
  const { items } = (await viewer.ask('GET', '/mail/set-aside')).body
  assert.deepEqual(
    items.map((each: { mailId: string }) => each.mailId),
    [second, first],
  )
  assert.equal(items[1].from, 'r•••@mail.example')
  assert.equal(items[1].subject, 'Bill of [masked]')
  assert.equal(items[1].why, 'the malware scanner did not answer')
  assert.equal((await listMail()).counts.setAside, 2)

  const postMail = (mailId: string, part: string, body: object, who = operator) =>
    who.ask('POST', `/mail/set-aside/${mailId}/${part}`, body)
  assert.equal((await postMail(first, 'read', { reason: 'no' })).status, 400)
  assert.equal((await postMail(first, 'read', { reason: 'whose complaint is it' }, viewer)).status, 403)
  const revealed = await postMail(first, 'read', { reason: 'whose complaint is it' })
  assert.equal(revealed.body.from, 'ravi@mail.example')
  assert.equal(revealed.body.subject, 'Bill of 9876543210')
  assert.match(revealed.body.text, /^I paid twice/)

  const unknownComplaint = await postMail(first, 'handle-again', { complaint: 'GR-2611-22222' })
  assert.equal(unknownComplaint.status, 400)
  assert.equal(unknownComplaint.body.error.details.field, 'complaint')
  assert.equal((await postMail(first, 'handle-again', { complaint: number })).body.complaintId, complaintId)
  assert.deepEqual((await postMail(second, 'handle-again', {})).body, { mailId: second, complaintId: null })
  assert.equal((await postMail(second, 'handle-again', {})).status, 409)
  assert.equal((await postMail(uuidv4(), 'handle-again', {})).status, 404)
  await handleIncomingMail()
  const { thread } = (await operator.ask('GET', `/complaints/${complaintId}`)).body
  assert.equal(thread.filter((each: { text: string }) => each.text.startsWith('I paid twice')).length, 1)
  const { items: complaints } = (await operator.ask('GET', '/complaints')).body
  assert.equal(complaints.length, 2, 'the second mail opened a new complaint')
  assert.deepEqual((await operator.ask('GET', '/mail/set-aside')).body, { items: [], next: null })
  const entries = await listNewest(ctx.db, noTenantId, null, 4)
  const details = await detailsOf(ctx, noTenantId, entries)
  const acts = entries.map(({ act, sequence }) => ({ act, detail: details.get(sequence) }))
  assert.deepEqual(acts.slice(0, 3), [
    { act: 'MAIL_HANDLED_AGAIN', detail: {} },
    { act: 'MAIL_HANDLED_AGAIN', detail: { complaint: number } },
    { act: 'MAIL_READ', detail: { reason: 'whose complaint is it' } },
  ])
})

test('tenant staff see no mail', async () => {
  const admin = await consoleUser(platform, { role: 'admin', tenantId })
  for (const path of ['/mail', `/mail?tenantId=${tenantId}`, '/mail/set-aside'])
    assert.equal((await admin.ask('GET', path)).status, 404)
})

test('a mail about a request to cancel a loan is marked, and one about a complaint is not', async () => {
  const request = { text: 'I want to cancel.', language: 'en', email: 'zoya@mail.example' }
  for (const category of ['COOLING_OFF', 'OTHER'])
    assert.equal((await operator.ask('POST', '/complaints', { ...request, category })).status, 201)
  const { items } = await listMail('limit=200')
  const own = items.filter(({ to }: { to: string }) => to === 'z•••@mail.example')
  assert.deepEqual(
    own.map((each: { isCancellation: boolean }) => each.isCancellation),
    [false, true],
  )
})

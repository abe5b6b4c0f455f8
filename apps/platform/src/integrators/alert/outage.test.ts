// Alerts about webhook endpoints, over real SMTP and HTTP: one alert per outage and one per recovery.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { mailServer } from '@lendloom/tests/setup/mail-server'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { verify } from '@lendloom/wire/webhook/signature'
import { deliveryOf } from '#platform/integrators/webhook/delivery.ts'
import { insertDeliveries } from '#platform/integrators/webhook/store.ts'
import { outgoingMailWorker } from '#platform/mail/send-mail.ts'
import { checkEndpoints } from './check-endpoints.ts'
import { alertWorker } from './notify-tenant.ts'
import type { OutageRow } from './outage.ts'
import { failingMail, workingMail } from './text-en.ts'

let now = Date.now()
const advanceMinutes = (count: number) => {
  now += count * 60_000
}
const server = await mailServer()
const platform = await testPlatform({ SMTP_URL: server.url }, () => new Date(now))
const { ctx, tenant, secondTenant } = platform
const { tenantId, applicationId } = tenant
const { db } = ctx
const receiver = await startReceiver()
after(() => receiver.stop())
const developer = await consoleUser(platform, { role: 'developer', tenantId })
const support = await consoleUser(platform, { role: 'support', tenantId })
const outsider = await consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId })
const workers = [outgoingMailWorker(ctx), alertWorker(ctx)]
after(() => Promise.all(workers.map((worker) => worker.stop())))

async function createEndpoint(path: string) {
  const { body } = await developer.ask('POST', '/webhooks/endpoints', { applicationId, url: receiver.url(path) })
  return { endpointId: String(body.endpoint.endpointId), secret: String(body.secret) }
}

/** Adds a journey update that is pending for every endpoint. */
async function addUpdate(): Promise<void> {
  const journeyId = uuidv4()
  const event = { tenantId, applicationId, journeyId, sequence: 1, status: 'STARTED' as const }
  const delivery = deliveryOf(ctx, { ...event, eventId: uuidv7(now, bucketOf(journeyId)) }, Buffer.from('{}'), null)
  await db.tx((tx) => insertDeliveries(tx, delivery, ctx.clock()))
}
/** Records failed attempts of an endpoint's pending deliveries. */
const markFailed = (endpointId: string, attempt: number) => db`
  update webhook_delivery set attempt = ${attempt}, last_attempt_at = ${ctx.clock()}, last_answer = '503',
    due_at = ${new Date(now + 60_000)} where destination_id = ${endpointId} and state = 'PENDING'`
const markDelivered = (endpointId: string) => db`
  update webhook_delivery set state = 'DELIVERED', due_at = null, last_attempt_at = ${ctx.clock()}, last_answer = '204'
  where destination_id = ${endpointId} and state = 'PENDING'`
const receiveMails = async (count: number) => {
  db.wakeAll()
  const sent = await until(`${count} mails`, () => (server.mails.length === count ? server.mails.splice(0) : undefined))
  for (const { text } of sent)
    assert.ok(text.replaceAll('=\r\n', '').replaceAll('=3D', '=').includes(`?tenant=${tenantId}`), text)
  return sent.map(({ to, text }) => ({ to: to[0], subject: /^Subject: (.*)\r$/m.exec(text)?.[1] }))
}
const defaults = { isOn: true, failures: 10, waitingMinutes: 15, emails: null, endpointIds: [] }

test('an outage sends one mail and one signed event, and so does the recovery', async () => {
  const failing = await createEndpoint('/failing')
  const watching = await createEndpoint('/watching')
  const settings = { ...defaults, failures: 3, endpointIds: [watching.endpointId, failing.endpointId] }
  assert.equal((await developer.ask('PUT', '/webhooks/alerts', settings)).status, 200)
  await addUpdate()
  await markDelivered(watching.endpointId)
  await markFailed(failing.endpointId, 2)
  await checkEndpoints(ctx)
  assert.deepEqual((await developer.ask('GET', '/webhooks/alerts')).body.outages, [])
  advanceMinutes(1)
  await markFailed(failing.endpointId, 3)
  await Promise.all([checkEndpoints(ctx), checkEndpoints(ctx)])
  await checkEndpoints(ctx)
  const address = `${new URL(receiver.url('/')).host}/failing`
  assert.deepEqual(await receiveMails(1), [
    { to: developer.person.email, subject: `A webhook endpoint at ${address} is failing` },
  ])
  const [posted] = await receiver.waitForRequests(1)
  assert.equal(posted!.path, '/watching')
  verify(watching.secret, posted!.headers, posted!.body, ctx.clock())
  const { event, endpoint_id, failures, last_answer, ended_at } = JSON.parse(posted!.body.toString())
  assert.equal(event, 'webhook_endpoint.failing')
  assert.equal(endpoint_id, failing.endpointId)
  assert.equal(failures, 3)
  assert.equal(last_answer, '503')
  assert.equal(ended_at, null)
  advanceMinutes(30)
  await checkEndpoints(ctx)
  assert.equal(receiver.received.length, 1)

  await markDelivered(failing.endpointId)
  await checkEndpoints(ctx)
  await checkEndpoints(ctx)
  assert.deepEqual(await receiveMails(1), [
    { to: developer.person.email, subject: `The webhook endpoint at ${address} works again` },
  ])
  const [, recovery] = await receiver.waitForRequests(2)
  assert.equal(JSON.parse(recovery!.body.toString()).event, 'webhook_endpoint.working')
  const { outages } = (await developer.ask('GET', '/webhooks/alerts')).body
  assert.deepEqual(
    outages.map(({ why, endedAt }: { why: string; endedAt: string | null }) => ({ why, isOver: endedAt !== null })),
    [{ why: 'FAILURES', isOver: true }],
  )
})

test('a long pending update alerts the configured addresses, unless alerts are off', async () => {
  const slow = await createEndpoint('/slow')
  const emails = ['ops@pay.example', 'night@pay.example']
  await developer.ask('PUT', '/webhooks/alerts', { ...defaults, isOn: false, emails })
  await addUpdate()
  for (const { endpointId } of await db<{ endpointId: string }>`select endpoint_id from webhook_endpoint`)
    if (endpointId !== slow.endpointId) await markDelivered(endpointId)
  await markFailed(slow.endpointId, 1)
  advanceMinutes(16)
  await checkEndpoints(ctx)
  assert.deepEqual((await developer.ask('GET', '/webhooks/alerts')).body.settings.emails, emails)
  await developer.ask('PUT', '/webhooks/alerts', { ...defaults, emails })
  await checkEndpoints(ctx)
  const sent = await receiveMails(2)
  assert.deepEqual(sent.map(({ to }) => to).sort(), emails.sort())
  await db`delete from webhook_endpoint where endpoint_id = ${slow.endpointId}`
  await checkEndpoints(ctx)
  const [newest] = (await developer.ask('GET', '/webhooks/alerts')).body.outages
  assert.equal(newest.why, 'WAITING')
  assert.notEqual(newest.endedAt, null)
  assert.equal(newest.url, null)
  assert.equal(server.mails.length, 0)
})

test('D1 §6: the failed tries of given-up updates count until the next success', async () => {
  const { endpointId } = await createEndpoint('/giving-up')
  await developer.ask('PUT', '/webhooks/alerts', { ...defaults, failures: 7, emails: ['ops@pay.example'] })
  const firstFailedAt = new Date(now).toISOString()
  await addUpdate()
  advanceMinutes(5)
  await markFailed(endpointId, 6)
  await db`update webhook_delivery set state = 'EXHAUSTED', due_at = null where destination_id = ${endpointId}`
  await addUpdate()
  await db`
    update webhook_delivery set state = 'DELIVERED', due_at = null, last_attempt_at = ${ctx.clock()}
    where destination_id <> ${endpointId} and state = 'PENDING'`
  await checkEndpoints(ctx)
  assert.equal(server.mails.length, 0, 'six tries failed')
  await markFailed(endpointId, 1)
  await checkEndpoints(ctx)
  assert.equal((await receiveMails(1)).length, 1)
  assert.equal((await developer.ask('GET', '/webhooks/alerts')).body.outages[0].beganAt, firstFailedAt)
  advanceMinutes(1)
  await markDelivered(endpointId)
  await checkEndpoints(ctx)
  assert.equal((await receiveMails(1)).length, 1, 'it works again')
})

test('invalid alert settings are refused with the invalid field, and other roles and tenants are refused', async () => {
  const ownEndpoint = await createEndpoint('/mine')
  for (const [change, field] of [
    [{ failures: 0 }, 'failures'],
    [{ waitingMinutes: 1.5 }, 'waitingMinutes'],
    [{ emails: [] }, 'emails'],
    [{ emails: ['a@b.example, c@d.example'] }, 'emails[0]'],
    [{ endpointIds: [uuidv4()] }, 'endpointIds'],
  ] as const) {
    const { status, body } = await developer.ask('PUT', '/webhooks/alerts', { ...defaults, ...change })
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(body.error.details.field.startsWith(field.split('[')[0]), true, JSON.stringify(body))
  }
  assert.equal(
    (await outsider.ask('PUT', '/webhooks/alerts', { ...defaults, endpointIds: [ownEndpoint.endpointId] })).status,
    400,
  )
  assert.equal((await outsider.ask('GET', `/webhooks/alerts?tenantId=${tenantId}`)).status, 404)
  assert.equal((await support.ask('GET', '/webhooks/alerts')).status, 403)
})

test('the mail about a waiting update states the minute since which the update has waited', () => {
  const outage = { why: 'WAITING', waitingSince: new Date('2026-11-21T14:11:00Z'), lastAnswer: null } as OutageRow
  const { text } = failingMail(outage, 'pay.example', 'https://console.example')
  assert.match(text, /waiting since 21 Nov, 7:41\spm IST\./)
  const refused = failingMail({ ...outage, lastAnswer: 'ECONNREFUSED' }, 'pay.example', 'https://console.example')
  assert.match(refused.text, /IST\. It refuses the connection\.\n\nCheck that your program runs/)
})

test('the subject of an alert mail cuts a path of more than 80 characters, and the text has the whole path', () => {
  const outage = { why: 'FAILURES', failures: 10, lastAnswer: null, beganAt: new Date(now) } as OutageRow
  for (const mailOf of [failingMail, workingMail]) {
    const subjectOf = (path: string) => mailOf(outage, `pay.example${path}`, 'https://console.example').subject
    const path = `/${'p'.repeat(79)}`
    assert.ok(subjectOf(path).includes(`at pay.example${path} `))
    assert.ok(subjectOf(`${path}q`).includes(`at pay.example${path}… `))
  }
  const long = `pay.example/${'p'.repeat(200)}`
  assert.ok(failingMail(outage, long, 'https://console.example').text.includes(long))
})

test('D1 §6: given-up updates alone begin an outage, unless their tries are long past', async () => {
  const { endpointId } = await createEndpoint('/gave-up')
  await developer.ask('PUT', '/webhooks/alerts', { ...defaults, failures: 6, emails: ['ops@pay.example'] })
  await addUpdate()
  await markFailed(endpointId, 6)
  await db`update webhook_delivery set state = 'EXHAUSTED', due_at = null where destination_id = ${endpointId}`
  await db`update webhook_delivery set state = 'DELIVERED', due_at = null where state = 'PENDING'`
  advanceMinutes(61)
  await checkEndpoints(ctx)
  assert.equal(server.mails.length, 0)
  advanceMinutes(-2)
  await checkEndpoints(ctx)
  assert.equal((await receiveMails(1)).length, 1)
})

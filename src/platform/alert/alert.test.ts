// Alerts about webhook endpoints on a real database, over real SMTP and HTTP: once when one fails, once when it works again.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { verify } from '#contract/webhook/signature.ts'
import { bucketOf, uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import { sendingMail } from '#platform/mail/send.ts'
import { deliveryOf } from '#platform/webhook/delivery.ts'
import { insertDeliveries } from '#platform/webhook/store.ts'
import { consoleUser } from '#test/setup/console.ts'
import { mailServer } from '#test/setup/mail-server.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { startReceiver } from '#test/setup/receiver.ts'
import { checkEndpoints } from './check.ts'
import { postingAlerts } from './tell.ts'

let now = Date.now()
const minutes = (count: number) => {
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
const workers = [sendingMail(ctx), postingAlerts(ctx)]
after(() => Promise.all(workers.map((worker) => worker.stop())))

async function endpoint(path: string) {
  const { body } = await developer.ask('POST', '/webhooks/endpoints', { applicationId, url: receiver.url(path) })
  return { endpointId: String(body.endpoint.endpointId), secret: String(body.secret) }
}

/** An update of a journey that waits for every endpoint. */
async function update(): Promise<void> {
  const journeyId = uuidv4()
  const event = { tenantId, applicationId, journeyId, sequence: 1, status: 'STARTED' as const }
  const delivery = deliveryOf(ctx, { ...event, eventId: uuidv7(now, bucketOf(journeyId)) }, Buffer.from('{}'), null)
  await db.tx((tx) => insertDeliveries(tx, delivery, ctx.clock()))
}
/** As the worker leaves what it has tried. */
const tried = (endpointId: string, attempt: number) => db`
  update webhook_delivery set attempt = ${attempt}, last_attempt_at = ${ctx.clock()}, last_answer = '503',
    due_at = ${new Date(now + 60_000)} where destination_id = ${endpointId} and state = 'PENDING'`
const delivered = (endpointId: string) => db`
  update webhook_delivery set state = 'DELIVERED', due_at = null, last_attempt_at = ${ctx.clock()}, last_answer = '204'
  where destination_id = ${endpointId} and state = 'PENDING'`
const mails = async (count: number) => {
  db.wakeAll()
  const sent = await until(`${count} mails`, () => (server.mails.length === count ? server.mails.splice(0) : undefined))
  for (const { text } of sent)
    assert.ok(text.replaceAll('=\r\n', '').replaceAll('=3D', '=').includes(`?tenant=${tenantId}`), text)
  return sent.map(({ to, text }) => [to[0], /^Subject: (.*)\r$/m.exec(text)?.[1]])
}
const usual = { isOn: true, failures: 10, waitingMinutes: 15, emails: null, endpointIds: [] }

test('an endpoint that fails is told of once, by mail and by a signed event, and once more when it works again', async () => {
  const [failing, watching] = [await endpoint('/failing'), await endpoint('/watching')]
  const settings = { ...usual, failures: 3, endpointIds: [watching.endpointId, failing.endpointId] }
  assert.equal((await developer.ask('PUT', '/webhooks/alerts', settings)).status, 200)
  await update()
  await delivered(watching.endpointId)
  await tried(failing.endpointId, 2)
  await checkEndpoints(ctx)
  assert.deepEqual((await developer.ask('GET', '/webhooks/alerts')).body.outages, [])
  minutes(1)
  await tried(failing.endpointId, 3)
  await Promise.all([checkEndpoints(ctx), checkEndpoints(ctx)])
  await checkEndpoints(ctx)
  const { host } = new URL(receiver.url('/'))
  assert.deepEqual(await mails(1), [[developer.person.email, `A webhook endpoint at ${host} is failing`]])
  const [posted] = await receiver.waitForRequests(1)
  assert.equal(posted!.path, '/watching')
  verify(watching.secret, posted!.headers, posted!.body, ctx.clock())
  const { event, endpoint_id, failures, last_answer, ended_at } = JSON.parse(posted!.body.toString())
  assert.deepEqual(
    [event, endpoint_id, failures, last_answer, ended_at],
    ['webhook_endpoint.failing', failing.endpointId, 3, '503', null],
  )
  minutes(30)
  await checkEndpoints(ctx)
  assert.equal(receiver.received.length, 1)

  await delivered(failing.endpointId)
  await checkEndpoints(ctx)
  await checkEndpoints(ctx)
  assert.deepEqual(await mails(1), [[developer.person.email, `The webhook endpoint at ${host} works again`]])
  const [, over] = await receiver.waitForRequests(2)
  assert.equal(JSON.parse(over!.body.toString()).event, 'webhook_endpoint.working')
  const { outages } = (await developer.ask('GET', '/webhooks/alerts')).body
  assert.deepEqual(
    outages.map((each: { why: string; endedAt: string | null }) => [each.why, each.endedAt !== null]),
    [['FAILURES', true]],
  )
})

test('an update that waits too long is told to the addresses that were chosen; while alerts are off nobody is told', async () => {
  const slow = await endpoint('/slow')
  const emails = ['ops@pay.example', 'night@pay.example']
  await developer.ask('PUT', '/webhooks/alerts', { ...usual, isOn: false, emails })
  await update()
  for (const { endpointId } of await db<{ endpointId: string }>`select endpoint_id from webhook_endpoint`)
    if (endpointId !== slow.endpointId) await delivered(endpointId)
  await tried(slow.endpointId, 1)
  minutes(16)
  await checkEndpoints(ctx)
  assert.deepEqual((await developer.ask('GET', '/webhooks/alerts')).body.settings.emails, emails)
  await developer.ask('PUT', '/webhooks/alerts', { ...usual, emails })
  await checkEndpoints(ctx)
  const sent = await mails(2)
  assert.deepEqual(sent.map(([to]) => to).sort(), emails.sort())
  await db`delete from webhook_endpoint where endpoint_id = ${slow.endpointId}`
  await checkEndpoints(ctx)
  const [newest] = (await developer.ask('GET', '/webhooks/alerts')).body.outages
  assert.deepEqual([newest.why, newest.endedAt !== null, newest.url], ['WAITING', true, null])
  assert.equal(server.mails.length, 0)
})

test('what is no choice is refused by its field; only those who look after webhooks choose, for their own tenant', async () => {
  const foreign = await endpoint('/mine')
  for (const [change, field] of [
    [{ failures: 0 }, 'failures'],
    [{ waitingMinutes: 1.5 }, 'waitingMinutes'],
    [{ emails: [] }, 'emails'],
    [{ emails: ['a@b.example, c@d.example'] }, 'emails[0]'],
    [{ endpointIds: [uuidv4()] }, 'endpointIds'],
  ] as const) {
    const { status, body } = await developer.ask('PUT', '/webhooks/alerts', { ...usual, ...change })
    assert.deepEqual(
      [status, body.error.details.field.startsWith(field.split('[')[0])],
      [400, true],
      JSON.stringify(body),
    )
  }
  assert.equal(
    (await outsider.ask('PUT', '/webhooks/alerts', { ...usual, endpointIds: [foreign.endpointId] })).status,
    400,
  )
  assert.equal((await outsider.ask('GET', `/webhooks/alerts?tenantId=${tenantId}`)).status, 404)
  assert.equal((await support.ask('GET', '/webhooks/alerts')).status, 403)
})

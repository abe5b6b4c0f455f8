// Webhooks in the console over real HTTP: endpoints, deliveries, replays and permissions.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { schedule } from '@lendloom/foundation/schedule'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { immediateRetries } from '@lendloom/tests/setup/webhooks'
import { bulkReplayWorker } from '#platform/integrators/webhook/bulk-replay/replay-worker.ts'
import { webhookDeliveryWorker } from '#platform/integrators/webhook/deliver-updates.ts'
import { deliveryOf } from '#platform/integrators/webhook/delivery.ts'
import { insertDeliveries } from '#platform/integrators/webhook/store.ts'
import { holdJourney } from '#platform/lending/journey/store.ts'
import { listNewest } from '#platform/people/audit/store.ts'

let clockAheadMs = 0
const platform = await testPlatform({}, () => new Date(Date.now() + clockAheadMs))
const { ctx, tenant, secondTenant } = platform
const { tenantId, applicationId } = tenant
const receiver = await startReceiver()
after(() => receiver.stop())
const developer = await consoleUser(platform, { role: 'developer', tenantId })
const operator = await consoleUser(platform, { role: 'operator' })
const outsider = await consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId })

/** Queues an update that contains personal data. */
async function queueUpdate(journeyId: string, sequence = 1): Promise<string> {
  const eventId = uuidv7(Date.now(), bucketOf(journeyId))
  const event = { tenantId, applicationId, journeyId, sequence, status: 'STARTED' as const, eventId }
  const body = Buffer.from(JSON.stringify({ journeyId, sequence, panName: 'Asha Rao', contactNumber: '+919874896524' }))
  await ctx.db.tx((tx) => insertDeliveries(tx, deliveryOf(ctx, event, body, null), new Date()))
  return eventId
}
const policy = { ...immediateRetries, schedule: schedule([], 'give up') }

async function createEndpoint(receiverPath: string) {
  const created = await developer.ask('POST', '/webhooks/endpoints', { applicationId, url: receiver.url(receiverPath) })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const { endpoint: endpointBody, secret } = created.body
  return { ...endpointBody, secret, path: `/webhooks/endpoints/${endpointBody.endpointId}` }
}
const waitForDeliveries = (endpointId: string) =>
  until('no pending delivery', async () => {
    const { body } = await developer.ask('GET', `/webhooks/deliveries?endpointId=${endpointId}&state=PENDING`)
    return body.items.length === 0
  })
const listActs = async () => (await listNewest(ctx.db, tenantId, null, 50)).map(({ act }) => act)

test('an endpoint shows its health, latency and answers, and its pending and missed updates', async () => {
  const endpoint = await createEndpoint('/health')
  assert.match(endpoint.secret, /^whsec_/)
  assert.equal(endpoint.health, 'idle')
  assert.equal(endpoint.waiting, 0)
  assert.equal(endpoint.missed, 0)
  assert.equal(endpoint.applicationName, 'Sandbox Pay')
  await ctx.db`
    insert into webhook_outage (tenant_id, outage_id, endpoint_id, why, failures, began_at)
    values (${tenantId}, ${uuidv4()}, ${endpoint.endpointId}, 'FAILURES', 10, now())`
  const inOutage = await developer.ask('GET', endpoint.path)
  assert.equal(inOutage.body.health, 'failing', 'an outage without attempts in the last day')
  assert.ok(inOutage.body.failingSince)
  await ctx.db`update webhook_outage set ended_at = now() where endpoint_id = ${endpoint.endpointId}`
  const worker = webhookDeliveryWorker(ctx, policy)
  await queueUpdate(uuidv4())
  await waitForDeliveries(endpoint.endpointId)
  const delivering = await developer.ask('GET', endpoint.path)
  assert.equal(delivering.body.health, 'delivering')
  assert.equal(delivering.body.lastDay.delivered, 1)
  assert.equal(typeof delivering.body.lastDay.p95Ms, 'number')
  assert.equal(delivering.body.failingSince, null)
  assert.equal(delivering.body.nextTryAt, null)
  receiver.answer = () => 503
  await queueUpdate(uuidv4())
  await waitForDeliveries(endpoint.endpointId)
  const { body: failing } = await developer.ask('GET', endpoint.path)
  assert.equal(failing.health, 'failing')
  assert.equal(failing.missed, 1)
  assert.deepEqual(
    failing.lastAnswers.map(({ answer }: { answer: string }) => answer),
    ['503', '204'],
  )
  assert.ok(failing.failingSince >= failing.lastSuccessAt, 'the failure began after the last success')
  assert.deepEqual(failing.retries, { tries: 6, seconds: 31 }, 'the schedule of the sandbox')
  const { body: lastTried } = await developer.ask('GET', `/webhooks/deliveries/${failing.lastAnswers[0].deliveryId}`)
  assert.equal(lastTried.state, 'EXHAUSTED')
  assert.equal(lastTried.lastTryAt, null)
  const { deliveryId } = lastTried
  const dueAt = new Date(Date.now() + 3_600_000)
  const setState = (state: string, due: Date | null) =>
    ctx.db`update webhook_delivery set state = ${state}, attempt = 2, due_at = ${due} where delivery_id = ${deliveryId}`
  await setState('PENDING', dueAt)
  const { lastTryAt } = (await developer.ask('GET', `/webhooks/deliveries/${deliveryId}`)).body
  assert.equal(Date.parse(lastTryAt), dueAt.getTime() + 28_000, 'three tries remain after the next one')
  assert.equal((await developer.ask('GET', endpoint.path)).body.nextTryAt, dueAt.toISOString())
  await setState('EXHAUSTED', null)
  receiver.answer = () => 204

  const paused = await developer.ask('POST', `${endpoint.path}/pause`)
  assert.equal(paused.status, 200)
  assert.equal(paused.body.health, 'paused')
  const secondPause = await operator.ask('POST', `${endpoint.path}/pause?tenantId=${tenantId}`)
  assert.equal(secondPause.status, 409)
  assert.equal(secondPause.body.error.message, 'the endpoint is already paused')
  const countBefore = receiver.received.length
  const eventId = await queueUpdate(uuidv4())
  const waiting = await until('the pending delivery', async () => {
    const { body } = await developer.ask('GET', `/webhooks/deliveries?eventId=${eventId}`)
    return body.items[0]
  })
  const { body: detail } = await developer.ask('GET', `/webhooks/deliveries/${waiting.deliveryId}`)
  assert.equal(detail.waitsFor, 'paused')
  assert.equal(detail.lastTryAt, null)
  assert.deepEqual(detail.tries, [])
  assert.equal((await developer.ask('GET', endpoint.path)).body.waiting, 1)
  assert.equal(receiver.received.length, countBefore)
  assert.equal((await operator.ask('POST', `${endpoint.path}/resume?tenantId=${tenantId}`)).body.health, 'untried')
  await waitForDeliveries(endpoint.endpointId)
  assert.equal((await developer.ask('GET', endpoint.path)).body.health, 'delivering')
  const { body: endpointList } = await operator.ask('GET', `/webhooks/endpoints?tenantId=${tenantId}&limit=1`)
  assert.equal(endpointList.items.length, 1)
  assert.equal(endpointList.next, null)
  assert.ok(endpointList.applications.length > 0)
  assert.doesNotMatch(JSON.stringify(endpointList), /whsec_/)
  await ctx.db`update webhook_delivery set last_answer = 'ECONNREFUSED' where destination_id = ${endpoint.endpointId}`
  const { lastDay } = (await developer.ask('GET', endpoint.path)).body
  assert.equal(lastDay.p50Ms, null, 'a refused connection has no latency')
  assert.equal(lastDay.p95Ms, null, 'a refused connection has no latency')
  await worker.stop()
  await developer.ask('DELETE', endpoint.path)
})

test('D1 §6: an endpoint has the failed try of an update that waits for longer than a day, also after a newer success, and until a change that was not tried', async () => {
  const { endpointId, path } = await createEndpoint('/for-days')
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  async function add(
    hours: number,
    row: { lastAttemptAt: Date; state: string; dueAt: Date | null; [key: string]: unknown },
  ) {
    const journeyId = uuidv4()
    const bucket = bucketOf(journeyId)
    const ids = {
      tenantId,
      applicationId,
      journeyId,
      bucket,
      deliveryId: uuidv7(hoursAgo(hours).getTime(), bucket),
    }
    const update = {
      sequence: 1,
      status: 'STARTED',
      eventId: uuidv4(),
      bodySealed: Buffer.from('x'),
      attempt: 1,
      tries: 1,
    }
    const times = { createdAt: hoursAgo(hours) }
    await ctx.db`insert into webhook_delivery ${ctx.db({ ...ids, ...update, ...times, destinationId: endpointId, ...row })}`
    return ids.deliveryId
  }
  const failed = { lastAttemptAt: hoursAgo(1), state: 'PENDING', dueAt: hoursAgo(-8), lastAnswer: '500' }
  const deliveryId = await add(30, failed)
  const causeNow = async () => {
    const { health, lastFailure } = (await developer.ask('GET', path)).body
    return { health, answer: lastFailure?.answer, deliveryId: lastFailure?.deliveryId }
  }
  const untriedSince = async () => (await developer.ask('GET', path)).body.untriedSince
  assert.equal(await untriedSince(), null)
  const changed = await developer.ask('PATCH', path, { url: receiver.url('/for-weeks') })
  assert.ok(changed.body.untriedSince, 'the old fault says nothing of the new URL')
  await developer.ask('PATCH', path, { statuses: null })
  assert.equal(await untriedSince(), changed.body.untriedSince)
  await ctx.db`update webhook_delivery set last_attempt_at = now() + interval '1 minute' where delivery_id = ${deliveryId}`
  assert.equal(await untriedSince(), null, 'tried at the new URL')
  await ctx.db`update webhook_delivery set last_attempt_at = ${hoursAgo(1)} where delivery_id = ${deliveryId}`
  assert.deepEqual(await causeNow(), { health: 'untried', answer: undefined, deliveryId: undefined })
  await ctx.db`update webhook_endpoint set restarted_at = null where endpoint_id = ${endpointId}`
  assert.deepEqual(await causeNow(), { health: 'failing', answer: '500', deliveryId })
  const delivered = { state: 'DELIVERED', dueAt: null, lastAnswer: '204' }
  await add(2, { ...delivered, lastAttemptAt: hoursAgo(2), deliveredAt: hoursAgo(2) })
  assert.deepEqual(await causeNow(), { health: 'failing', answer: '500', deliveryId })
  await add(0, { ...delivered, lastAttemptAt: new Date(), deliveredAt: new Date() })
  assert.deepEqual(await causeNow(), { health: 'delivering', answer: undefined, deliveryId: undefined })
  await ctx.db`delete from webhook_delivery where destination_id = ${endpointId}`
  const missedId = await add(40 * 24, {
    lastAttemptAt: hoursAgo(30 * 24),
    state: 'EXHAUSTED',
    dueAt: null,
    lastAnswer: '502',
  })
  await ctx.db`
    insert into webhook_outage (tenant_id, outage_id, endpoint_id, why, failures, last_answer, began_at)
    values (${tenantId}, ${uuidv4()}, ${endpointId}, 'FAILURES', 10, '502', ${hoursAgo(30 * 24)})`
  assert.deepEqual(
    await causeNow(),
    { health: 'failing', answer: '502', deliveryId: missedId },
    'the cause of a given-up update stays known',
  )
  await ctx.db`delete from webhook_delivery where destination_id = ${endpointId}`
  await developer.ask('DELETE', path)
})

test('developers test, change and remove an endpoint and rotate its secret, and each act is audited', async () => {
  const endpoint = await createEndpoint('/tested')
  const otherEndpoint = await createEndpoint('/other')
  receiver.received.length = 0
  receiver.answer = () => (response) => void response.writeHead(418, {}).end('{"panName":"Asha Rao","why":"no tea"}')
  const { status, body: result } = await developer.ask('POST', `${endpoint.path}/test`)
  assert.equal(status, 200)
  assert.equal(result.isSuccess, false)
  assert.equal(result.answer, '418')
  assert.equal(result.body, '{"panName":"[masked]","why":"no tea"}')
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/tested'],
  )
  const [message] = receiver.received
  assert.equal(JSON.parse(message!.body.toString()).test, true)
  assert.match(message!.id, /^test_/)
  const headers = Object.entries(message!.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
  const check = (text: string, path = endpoint.path) =>
    developer.ask('POST', `${path}/check-signature`, { headers, body: text }).then(({ body }) => body.finding)
  assert.equal(await check(message!.body.toString()), 'right')
  assert.equal(await check(`${message!.body.toString()}\n`), 'line-break-added')
  assert.equal(await check('{}'), 'unknown')
  assert.equal(await check(message!.body.toString(), otherEndpoint.path), 'other-endpoint')
  receiver.answer = () => 204

  const changed = await developer.ask('PATCH', endpoint.path, { url: receiver.url('/moved'), statuses: ['DISBURSED'] })
  assert.equal(changed.body.url, receiver.url('/moved'))
  assert.deepEqual(changed.body.statuses, ['DISBURSED'])
  const privateAddress = await developer.ask('PATCH', endpoint.path, { url: 'https://10.0.0.1/' })
  assert.equal(privateAddress.status, 400)
  assert.equal(privateAddress.body.error.details.field, 'url')
  assert.equal((await developer.ask('POST', `${endpoint.path}/pause`)).status, 200)
  assert.equal((await developer.ask('POST', `${endpoint.path}/resume`)).status, 200)
  const rotated = await developer.ask('POST', `${endpoint.path}/rotate-secret`)
  assert.notEqual(rotated.body.secret, endpoint.secret)
  assert.equal(await check(message!.body.toString()), 'right-by-old-secret')
  assert.equal((await developer.ask('DELETE', endpoint.path)).status, 204)
  assert.equal((await developer.ask('GET', endpoint.path)).status, 404)
  await developer.ask('DELETE', otherEndpoint.path)
  const actNames = await listActs()
  for (const act of [
    'ADDED',
    'TESTED',
    'SIGNATURE_CHECKED',
    'CHANGED',
    'SECRET_ROTATED',
    'REMOVED',
    'PAUSED',
    'RESUMED',
  ])
    assert.ok(actNames.includes(`WEBHOOK_${act}`), act)
})

test('a delivery shows its masked request and all attempts; the signature check names each mismatch', async () => {
  const endpoint = await createEndpoint('/delivery')
  receiver.received.length = 0
  receiver.answer = () => (response) => void response.writeHead(500).end('oops for AAAPA1234A')
  const worker = webhookDeliveryWorker(ctx, { ...immediateRetries, schedule: schedule(['PT0.02S'], 'give up') })
  const eventId = await queueUpdate(uuidv4())
  await waitForDeliveries(endpoint.endpointId)
  const { body: exhausted } = await developer.ask(
    'GET',
    `/webhooks/deliveries?endpointId=${endpoint.endpointId}&state=EXHAUSTED`,
  )
  const [listed] = exhausted.items
  assert.equal(listed.eventId, eventId)
  assert.equal(listed.totalAttempts, 2)
  assert.equal(listed.lastAnswer, '500')
  const deliveryPath = `/webhooks/deliveries/${listed.deliveryId}`
  receiver.answer = () => {
    clockAheadMs += 5000
    return 204
  }
  const replayed = await developer.ask('POST', `${deliveryPath}/replay`)
  assert.equal(replayed.status, 200)
  assert.equal(replayed.body.state, 'PENDING')
  await waitForDeliveries(endpoint.endpointId)
  const { body: detail } = await developer.ask('GET', deliveryPath)
  assert.deepEqual(
    detail.tries.map(({ number, state, answer, body }: Record<string, unknown>) => ({ number, state, answer, body })),
    [
      { number: 3, state: 'DELIVERED', answer: '204', body: null },
      { number: 2, state: 'EXHAUSTED', answer: '500', body: 'oops for [masked]' },
      { number: 1, state: 'PENDING', answer: '500', body: 'oops for [masked]' },
    ],
  )
  assert.equal(detail.tries.length, 3)
  assert.equal(detail.totalAttempts, 3)
  assert.equal(detail.attemptsSinceReplay, 1)
  assert.doesNotMatch(JSON.stringify(detail), /Asha|9874896524|AAAPA/)
  const lastRequest = receiver.received.at(-1)!
  const shownHeaders = Object.fromEntries(
    detail.request.headers.map(({ name, value }: Record<string, string>) => [name, value]),
  )
  assert.equal(shownHeaders['webhook-signature'], lastRequest.headers['webhook-signature'])

  const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => `${name}: ${lastRequest.headers[name]}`,
  )
  const check = (body: string, lines = headers) =>
    developer
      .ask('POST', `${endpoint.path}/check-signature`, { headers: lines.join('\n'), body })
      .then((reply) => reply.body)
  const body = lastRequest.body.toString()
  const checked = await check(body)
  assert.equal(checked.finding, 'right')
  assert.deepEqual(checked.deliveryId, listed.deliveryId)
  assert.equal((await check(JSON.stringify(JSON.parse(body), null, 2))).finding, 'body-reformatted')
  assert.equal((await check(body.replace('Asha', 'Usha'))).finding, 'body-changed')
  assert.equal((await check(body, headers.with(2, 'webhook-signature: v1,AAAA'))).finding, 'wrong-secret')
  assert.equal((await check(body, headers.with(1, 'webhook-timestamp: soon'))).finding, 'timestamp-unreadable')
  assert.equal((await check(body, headers.slice(0, 2))).header, 'webhook-signature')
  const logged = headers.map((line): [string, string] => {
    const [name = '', value = ''] = line.split(': ')
    return [name.replace('webhook', 'Webhook'), value]
  })
  for (const text of [JSON.stringify(Object.fromEntries(logged)), inspect(Object.fromEntries(logged)), inspect(logged)])
    assert.equal((await check(body, [text])).finding, 'right', text)
  const [id, timestamp, signature] = headers.map((line) => line.split(': ')[1]!)
  for (const text of [
    ['access-control-allow-headers: webhook-id, webhook-timestamp, webhook-signature', ...headers].join('\n'),
    ['x-webhook-id: other', ...headers].join('\n'),
    ['POST /hook?x=webhook-id=zz', ...headers].join('\n'),
    headers.map((line) => line.replace(':', '          :')).join('\n'),
    `{"webhook-id":"${id}","webhook-timestamp":${timestamp},"webhook-signature":"${signature}"}`,
    `{"webhook-id"=>"${id}", "webhook-timestamp"=>"${timestamp}", "webhook-signature"=>"${signature}"}`,
    `[(b'webhook-id', b'${id}'), (b'webhook-timestamp', b'${timestamp}'), (b'webhook-signature', b'${signature}')]`,
  ])
    assert.equal((await check(body, [text])).finding, 'right', text)
  await worker.stop()
  await developer.ask('DELETE', endpoint.path)
})

test('a replay sends as many updates as its dry run counted, and can be stopped and resumed', async () => {
  const endpoint = await createEndpoint('/replayed')
  receiver.answer = () => 500
  const worker = webhookDeliveryWorker(ctx, policy)
  for (let i = 0; i < 3; i++) await queueUpdate(uuidv4())
  await waitForDeliveries(endpoint.endpointId)
  receiver.answer = () => 204
  receiver.received.length = 0
  const filter = { endpointId: endpoint.endpointId }
  const postReplay = (body: object, user = developer) => user.ask('POST', '/webhooks/replays', body)
  const count = await postReplay({ filter, dryRun: true })
  assert.deepEqual(count.body, { journeys: 3, chosen: 3, updates: 3, missed: 3, waiting: 0, seconds: 1 })
  assert.deepEqual((await developer.ask('GET', '/webhooks/replays')).body.items, [], 'a dry run starts no replay')
  const started = await postReplay({ filter })
  assert.equal(started.status, 201)
  assert.equal(started.body.state, 'RUNNING')
  assert.equal(started.body.updates, 3)
  const replayPath = `/webhooks/replays/${started.body.replayId}`
  const stopped = await developer.ask('POST', `${replayPath}/stop`)
  assert.equal(stopped.body.state, 'STOPPED')
  assert.equal((await developer.ask('POST', `${replayPath}/stop`)).status, 409)
  await developer.ask('POST', `${replayPath}/resume`)
  const replayWorker = bulkReplayWorker(ctx, holdJourney, 10)
  await until('the end of the replay', async () => (await developer.ask('GET', replayPath)).body.state === 'DONE')
  await waitForDeliveries(endpoint.endpointId)
  assert.equal(receiver.received.length, count.body.updates)
  const secondReplay = await postReplay({ filter })
  assert.equal(secondReplay.status, 409)
  assert.equal(secondReplay.body.error.code, 'STATE_PRECONDITION_FAILED')
  for (const [invalidBody, field] of [
    [{ filter: { from: 'yesterday' } }, 'filter.from'],
    [{ filter: { states: ['LOST'] } }, 'filter.states.0'],
    [{ filter, perSecond: 0 }, 'perSecond'],
  ] as const)
    assert.equal((await postReplay(invalidBody)).body.error.details.field, field)
  await Promise.all([worker.stop(), replayWorker.stop()])
  const actNames = await listActs()
  for (const act of ['BEGUN', 'STOPPED', 'RESUMED']) assert.ok(actNames.includes(`WEBHOOK_REPLAY_${act}`), act)
  await developer.ask('DELETE', endpoint.path)
})

test('other tenants neither see nor change webhooks, and roles that only read change none', async () => {
  const endpoint = await createEndpoint('/foreign')
  const journeyId = uuidv4()
  for (let sequence = 1; sequence <= 5; sequence++) await queueUpdate(journeyId, sequence)
  const pagedIds: string[] = []
  for (let after = ''; ; ) {
    const { body } = await developer.ask('GET', `/webhooks/deliveries?journeyId=${journeyId}&limit=2${after}`)
    pagedIds.push(...body.items.map((each: { deliveryId: string }) => each.deliveryId))
    if (body.next === null) break
    after = `&after=${body.next}`
  }
  assert.equal(pagedIds.length, 5)
  assert.equal(new Set(pagedIds).size, 5)
  const { body: replayBody } = await developer.ask('POST', '/webhooks/replays', {
    filter: { journeyId, states: ['PENDING'] },
  })
  const deliveryPath = `/webhooks/deliveries/${pagedIds[0]}`
  const replayPath = `/webhooks/replays/${replayBody.replayId}`
  const reads = [endpoint.path, deliveryPath, replayPath].map((path) => ['GET', path] as const)
  const writes = [
    ...['pause', 'resume', 'rotate-secret', 'test'].map((part) => ['POST', `${endpoint.path}/${part}`] as const),
    ['POST', `${endpoint.path}/check-signature`, { headers: 'webhook-id: x', body: '' }] as const,
    ['PATCH', endpoint.path, { url: receiver.url('/taken-over') }] as const,
    ['DELETE', endpoint.path] as const,
    ['POST', `${deliveryPath}/replay`] as const,
    ...['stop', 'resume'].map((part) => ['POST', `${replayPath}/${part}`] as const),
  ]
  for (const [method, path, body] of [...reads, ...writes] as (readonly [string, string, object?])[]) {
    assert.equal((await outsider.ask(method, path, body)).status, 404, `${method} ${path}`)
    const withTenantId = await outsider.ask(method, `${path}?tenantId=${tenantId}`, body)
    assert.equal(withTenantId.status, 404, `${method} ${path} with tenantId`)
  }
  for (const list of ['endpoints', 'deliveries', 'replays']) {
    assert.deepEqual((await outsider.ask('GET', `/webhooks/${list}`)).body.items, [], list)
    assert.equal((await outsider.ask('GET', `/webhooks/${list}?tenantId=${tenantId}`)).status, 404)
  }
  assert.equal((await operator.ask('GET', '/webhooks/replays')).body.error.details.field, 'tenantId')
  const foreignCount = await outsider.ask('POST', '/webhooks/replays', {
    filter: { journeyId, states: ['PENDING'] },
    dryRun: true,
  })
  assert.equal(foreignCount.body.updates, 0)
  const added = await outsider.ask('POST', '/webhooks/endpoints', { applicationId, url: receiver.url('/x') })
  assert.equal(added.body.error.details.field, 'applicationId')
  const readers = [
    await consoleUser(platform, { role: 'viewer', tenantId }),
    await consoleUser(platform, { role: 'support', tenantId }),
    await consoleUser(platform, { role: 'grievance-officer' }),
  ]
  for (const reader of readers) {
    const tenantQuery = reader.person.tenantId === null ? `?tenantId=${tenantId}` : ''
    for (const [method, path] of reads) assert.equal((await reader.ask(method, path + tenantQuery)).status, 200, path)
    for (const [method, path, body] of writes as (readonly [string, string, object?])[])
      assert.equal(
        (await reader.ask(method, path + tenantQuery, body)).status,
        403,
        `${reader.person.role} ${method} ${path}`,
      )
  }
  assert.equal((await developer.ask('GET', endpoint.path)).body.url, receiver.url('/foreign'))
})

test('platform staff list endpoints and deliveries of all tenants or of one', async () => {
  const endpoint = await createEndpoint('/of-all')
  for (let i = 0; i < 3; i++) await queueUpdate(uuidv4())
  const { status, body } = await operator.ask('GET', '/webhooks/endpoints?limit=200')
  assert.equal(status, 200)
  const tenantEndpoints = await developer.ask('GET', '/webhooks/endpoints?limit=200')
  const idsOf = (items: { endpointId: string; tenantId: string }[], tenantId: string) =>
    items
      .filter((each) => each.tenantId === tenantId)
      .map(({ endpointId }) => endpointId)
      .sort()
  assert.deepEqual(idsOf(body.items, tenant.tenantId), idsOf(tenantEndpoints.body.items, tenant.tenantId))
  assert.ok(idsOf(body.items, tenant.tenantId).includes(endpoint.endpointId))
  const firstPage = await operator.ask('GET', '/webhooks/deliveries?limit=2')
  assert.equal(firstPage.status, 200)
  assert.equal(firstPage.body.items.length, 2)
  const secondPage = await operator.ask('GET', `/webhooks/deliveries?limit=2&after=${firstPage.body.next}`)
  assert.ok(
    secondPage.body.items.every((each: { deliveryId: string }) => each.deliveryId < firstPage.body.items[1].deliveryId),
  )
  const tenantDeliveries = await operator.ask('GET', `/webhooks/deliveries?tenantId=${tenant.tenantId}&limit=200`)
  assert.ok(tenantDeliveries.body.items.every((each: { tenantId: string }) => each.tenantId === tenant.tenantId))
  await developer.ask('DELETE', endpoint.path)
})

// Webhooks in the console over real HTTP: health, acts, deliveries, replays and permissions.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bucketOf, uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import { schedule } from '#kit/runtime/schedule.ts'
import { listNewest } from '#platform/staff/audit/store.ts'
import { replaying } from '#platform/webhook/bulk-replay/work.ts'
import { deliver } from '#platform/webhook/deliver.ts'
import { deliveryOf } from '#platform/webhook/delivery.ts'
import { insertDeliveries } from '#platform/webhook/store.ts'
import { consoleUser } from '#test/setup/console.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { startReceiver } from '#test/setup/receiver.ts'
import { immediateRetries } from '#test/setup/webhooks.ts'

let aheadMs = 0
const platform = await testPlatform({}, () => new Date(Date.now() + aheadMs))
const { ctx, tenant, secondTenant } = platform
const { tenantId, applicationId } = tenant
const receiver = await startReceiver()
after(() => receiver.stop())
const developer = await consoleUser(platform, { role: 'developer', tenantId })
const operator = await consoleUser(platform, { role: 'operator' })
const outsider = await consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId })

/** An update with the borrower's personal data. */
async function update(journeyId: string, sequence = 1): Promise<string> {
  const eventId = uuidv7(Date.now(), bucketOf(journeyId))
  const event = { tenantId, applicationId, journeyId, sequence, status: 'STARTED' as const, eventId }
  const body = Buffer.from(JSON.stringify({ journeyId, sequence, panName: 'Asha Rao', contactNumber: '+919874896524' }))
  await ctx.db.tx((tx) => insertDeliveries(tx, deliveryOf(ctx, event, body, null), new Date()))
  return eventId
}
const policy = { ...immediateRetries, schedule: schedule([], 'give up') }

async function endpoint(path: string) {
  const made = await developer.ask('POST', '/webhooks/endpoints', { applicationId, url: receiver.url(path) })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { endpoint: shown, secret } = made.body
  return { ...shown, secret, at: `/webhooks/endpoints/${shown.endpointId}` }
}
const settled = (endpointId: string) =>
  until('none waiting', async () => {
    const { body } = await developer.ask('GET', `/webhooks/deliveries?endpointId=${endpointId}&state=PENDING`)
    return body.items.length === 0
  })
const acts = async () => (await listNewest(ctx.db, tenantId, null, 50)).map(({ act }) => act)

test('an endpoint shows its health, latency, answers, pending and missed updates', async () => {
  const one = await endpoint('/health')
  assert.match(one.secret, /^whsec_/)
  assert.deepEqual([one.health, one.waiting, one.missed, one.applicationName], ['idle', 0, 0, 'Sandbox Pay'])
  const worker = deliver(ctx, policy)
  await update(uuidv4())
  await settled(one.endpointId)
  const delivering = await developer.ask('GET', one.at)
  assert.deepEqual([delivering.body.health, delivering.body.lastDay.delivered], ['delivering', 1])
  assert.equal(typeof delivering.body.lastDay.p95Ms, 'number')
  receiver.answer = () => 503
  await update(uuidv4())
  await settled(one.endpointId)
  const { body: failing } = await developer.ask('GET', one.at)
  assert.deepEqual([failing.health, failing.missed], ['failing', 1])
  assert.deepEqual(
    failing.lastAnswers.map(({ answer }: { answer: string }) => answer),
    ['503', '204'],
  )
  receiver.answer = () => 204

  const paused = await developer.ask('POST', `${one.at}/pause`)
  assert.deepEqual([paused.status, paused.body.health], [200, 'paused'])
  const twice = await operator.ask('POST', `${one.at}/pause?tenantId=${tenantId}`)
  assert.deepEqual([twice.status, twice.body.error.message], [409, 'the endpoint is already paused'])
  const before = receiver.received.length
  const eventId = await update(uuidv4())
  const waiting = await until('it waits', async () => {
    const { body } = await developer.ask('GET', `/webhooks/deliveries?eventId=${eventId}`)
    return body.items[0]
  })
  const { body: detail } = await developer.ask('GET', `/webhooks/deliveries/${waiting.deliveryId}`)
  assert.deepEqual([detail.waitsFor, detail.tries], ['paused', []])
  assert.equal((await developer.ask('GET', one.at)).body.waiting, 1)
  assert.equal(receiver.received.length, before)
  assert.equal((await operator.ask('POST', `${one.at}/resume?tenantId=${tenantId}`)).body.health, 'failing')
  await settled(one.endpointId)
  assert.equal((await developer.ask('GET', one.at)).body.health, 'delivering')
  const { body: listed } = await operator.ask('GET', `/webhooks/endpoints?tenantId=${tenantId}&limit=1`)
  assert.deepEqual([listed.items.length, listed.next, listed.applications.length > 0], [1, null, true])
  assert.doesNotMatch(JSON.stringify(listed), /whsec_/)
  await worker.stop()
  await developer.ask('DELETE', one.at)
})

test('changes, rotates, tests and removes an endpoint with audit entries, and a test reaches only this endpoint', async () => {
  const [one, other] = [await endpoint('/tested'), await endpoint('/other')]
  receiver.received.length = 0
  receiver.answer = () => (response) => void response.writeHead(418, {}).end('{"panName":"Asha Rao","why":"no tea"}')
  const { status, body: result } = await developer.ask('POST', `${one.at}/test`)
  assert.deepEqual(
    [status, result.isSuccess, result.answer, result.body],
    [200, false, '418', '{"panName":"[masked]","why":"no tea"}'],
  )
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/tested'],
  )
  const [got] = receiver.received
  assert.equal(JSON.parse(got!.body.toString()).test, true)
  assert.match(got!.id, /^test_/)
  const headers = Object.entries(got!.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
  const check = (text: string, at = one.at) =>
    developer.ask('POST', `${at}/check-signature`, { headers, body: text }).then(({ body }) => body.finding)
  assert.equal(await check(got!.body.toString()), 'right')
  assert.equal(await check(`${got!.body.toString()}\n`), 'line-break-added')
  assert.equal(await check('{}'), 'unknown')
  assert.equal(await check(got!.body.toString(), other.at), 'other-endpoint')
  receiver.answer = () => 204

  const moved = await developer.ask('PATCH', one.at, { url: receiver.url('/moved'), statuses: ['DISBURSED'] })
  assert.deepEqual([moved.body.url, moved.body.statuses], [receiver.url('/moved'), ['DISBURSED']])
  const wrong = await developer.ask('PATCH', one.at, { url: 'https://10.0.0.1/' })
  assert.deepEqual([wrong.status, wrong.body.error.details.field], [400, 'url'])
  const rotated = await developer.ask('POST', `${one.at}/rotate-secret`)
  assert.notEqual(rotated.body.secret, one.secret)
  assert.equal(await check(got!.body.toString()), 'right-by-old-secret')
  assert.equal((await developer.ask('DELETE', one.at)).status, 204)
  assert.equal((await developer.ask('GET', one.at)).status, 404)
  await developer.ask('DELETE', other.at)
  const noted = await acts()
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
    assert.ok(noted.includes(`WEBHOOK_${act}`), act)
})

test('a delivery shows its masked request, every attempt with the answer, and checks signatures', async () => {
  const one = await endpoint('/delivery')
  receiver.received.length = 0
  receiver.answer = () => (response) => void response.writeHead(500).end('oops for AAAPA1234A')
  const worker = deliver(ctx, { ...immediateRetries, schedule: schedule(['PT0.02S'], 'give up') })
  const eventId = await update(uuidv4())
  await settled(one.endpointId)
  const { body: found } = await developer.ask(
    'GET',
    `/webhooks/deliveries?endpointId=${one.endpointId}&state=EXHAUSTED`,
  )
  const [listed] = found.items
  assert.deepEqual([listed.eventId, listed.tryCount, listed.lastAnswer], [eventId, 2, '500'])
  const at = `/webhooks/deliveries/${listed.deliveryId}`
  receiver.answer = () => {
    aheadMs += 5000
    return 204
  }
  const again = await developer.ask('POST', `${at}/replay`)
  assert.deepEqual([again.status, again.body.state], [200, 'PENDING'])
  await settled(one.endpointId)
  const { body: detail } = await developer.ask('GET', at)
  assert.deepEqual(
    detail.tries.map((each: Record<string, unknown>) => [each.number, each.state, each.answer, each.body]),
    [
      [3, 'DELIVERED', '204', null],
      [2, 'EXHAUSTED', '500', 'oops for [masked]'],
      [1, 'PENDING', '500', 'oops for [masked]'],
    ],
  )
  assert.deepEqual(
    [detail.tries.length, detail.tryCount, detail.attempts],
    [3, 3, 1],
    'all tries, and those since the replay',
  )
  assert.doesNotMatch(JSON.stringify(detail), /Asha|9874896524|AAAPA/)
  const sent = receiver.received.at(-1)!
  const shown = Object.fromEntries(
    detail.request.headers.map(({ name, value }: Record<string, string>) => [name, value]),
  )
  assert.equal(shown['webhook-signature'], sent.headers['webhook-signature'])

  const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => `${name}: ${sent.headers[name]}`,
  )
  const check = (body: string, lines = headers) =>
    developer.ask('POST', `${one.at}/check-signature`, { headers: lines.join('\n'), body }).then((reply) => reply.body)
  const body = sent.body.toString()
  assert.deepEqual([(await check(body)).finding, (await check(body)).deliveryId], ['right', listed.deliveryId])
  assert.equal((await check(JSON.stringify(JSON.parse(body), null, 2))).finding, 'body-reformatted')
  assert.equal((await check(body.replace('Asha', 'Usha'))).finding, 'body-changed')
  assert.equal((await check(body, headers.with(2, 'webhook-signature: v1,AAAA'))).finding, 'wrong-secret')
  assert.equal((await check(body, headers.with(1, 'webhook-timestamp: soon'))).finding, 'timestamp-unreadable')
  assert.equal((await check(body, headers.slice(0, 2))).header, 'webhook-signature')
  await worker.stop()
  await developer.ask('DELETE', one.at)
})

test('a replay is counted first, sends exactly that, shows its progress and can be stopped', async () => {
  const one = await endpoint('/replayed')
  receiver.answer = () => 500
  const worker = deliver(ctx, policy)
  for (let i = 0; i < 3; i++) await update(uuidv4())
  await settled(one.endpointId)
  receiver.answer = () => 204
  receiver.received.length = 0
  const filter = { endpointId: one.endpointId }
  const ask = (body: object, user = developer) => user.ask('POST', '/webhooks/replays', body)
  const counted = await ask({ filter, dryRun: true })
  assert.deepEqual(counted.body, { journeys: 3, chosen: 3, updates: 3, seconds: 1 })
  assert.deepEqual((await developer.ask('GET', '/webhooks/replays')).body.items, [], 'counting begins nothing')
  const begun = await ask({ filter })
  assert.deepEqual([begun.status, begun.body.state, begun.body.updates], [201, 'RUNNING', 3])
  const at = `/webhooks/replays/${begun.body.replayId}`
  const stopped = await developer.ask('POST', `${at}/stop`)
  assert.deepEqual([stopped.body.state, (await developer.ask('POST', `${at}/stop`)).status], ['STOPPED', 409])
  await developer.ask('POST', `${at}/resume`)
  const replayer = replaying(ctx, 10)
  await until('done', async () => (await developer.ask('GET', at)).body.state === 'DONE')
  await settled(one.endpointId)
  assert.equal(receiver.received.length, counted.body.updates)
  const nothing = await ask({ filter })
  assert.deepEqual([nothing.status, nothing.body.error.code], [409, 'STATE_PRECONDITION_FAILED'])
  for (const [wrong, field] of [
    [{ filter: { from: 'yesterday' } }, 'filter.from'],
    [{ filter: { states: ['LOST'] } }, 'filter.states.0'],
    [{ filter, perSecond: 0 }, 'perSecond'],
  ] as const)
    assert.equal((await ask(wrong)).body.error.details.field, field)
  await Promise.all([worker.stop(), replayer.stop()])
  const noted = await acts()
  for (const act of ['BEGUN', 'STOPPED', 'RESUMED']) assert.ok(noted.includes(`WEBHOOK_REPLAY_${act}`), act)
  await developer.ask('DELETE', one.at)
})

test('lists pages, isolates tenants, and rejects changes by read-only roles', async () => {
  const one = await endpoint('/foreign')
  const journeyId = uuidv4()
  for (let sequence = 1; sequence <= 5; sequence++) await update(journeyId, sequence)
  const seen: string[] = []
  for (let after = ''; ; ) {
    const { body } = await developer.ask('GET', `/webhooks/deliveries?journeyId=${journeyId}&limit=2${after}`)
    seen.push(...body.items.map((each: { deliveryId: string }) => each.deliveryId))
    if (body.next === null) break
    after = `&after=${body.next}`
  }
  assert.deepEqual([seen.length, new Set(seen).size], [5, 5])
  const { body: begun } = await developer.ask('POST', '/webhooks/replays', {
    filter: { journeyId, states: ['PENDING'] },
  })
  const [delivery, replay] = [`/webhooks/deliveries/${seen[0]}`, `/webhooks/replays/${begun.replayId}`]
  const reads = [one.at, delivery, replay].map((path) => ['GET', path] as const)
  const writes = [
    ...['pause', 'resume', 'rotate-secret', 'test'].map((part) => ['POST', `${one.at}/${part}`] as const),
    ['POST', `${one.at}/check-signature`, { headers: 'webhook-id: x', body: '' }] as const,
    ['PATCH', one.at, { url: receiver.url('/theirs') }] as const,
    ['DELETE', one.at] as const,
    ['POST', `${delivery}/replay`] as const,
    ...['stop', 'resume'].map((part) => ['POST', `${replay}/${part}`] as const),
  ]
  for (const [method, path, body] of [...reads, ...writes] as (readonly [string, string, object?])[]) {
    assert.equal((await outsider.ask(method, path, body)).status, 404, `${method} ${path}`)
    const named = await outsider.ask(method, `${path}?tenantId=${tenantId}`, body)
    assert.equal(named.status, 404, `${method} ${path} with the tenant named`)
  }
  for (const list of ['endpoints', 'deliveries', 'replays']) {
    assert.deepEqual((await outsider.ask('GET', `/webhooks/${list}`)).body.items, [], list)
    assert.equal((await outsider.ask('GET', `/webhooks/${list}?tenantId=${tenantId}`)).status, 404)
  }
  assert.equal((await operator.ask('GET', '/webhooks/replays')).body.error.details.field, 'tenantId')
  const counted = await outsider.ask('POST', '/webhooks/replays', {
    filter: { journeyId, states: ['PENDING'] },
    dryRun: true,
  })
  assert.equal(counted.body.updates, 0)
  const added = await outsider.ask('POST', '/webhooks/endpoints', { applicationId, url: receiver.url('/x') })
  assert.equal(added.body.error.details.field, 'applicationId')
  const lookers = [
    await consoleUser(platform, { role: 'viewer', tenantId }),
    await consoleUser(platform, { role: 'support', tenantId }),
    await consoleUser(platform, { role: 'grievance-officer' }),
  ]
  for (const looker of lookers) {
    const whose = looker.person.tenantId === null ? `?tenantId=${tenantId}` : ''
    for (const [method, path] of reads) assert.equal((await looker.ask(method, path + whose)).status, 200, path)
    for (const [method, path, body] of writes as (readonly [string, string, object?])[])
      assert.equal(
        (await looker.ask(method, path + whose, body)).status,
        403,
        `${looker.person.role} ${method} ${path}`,
      )
  }
  assert.equal((await developer.ask('GET', one.at)).body.url, receiver.url('/foreign'))
})

test('platform staff list endpoints and deliveries of all tenants, failing ones first', async () => {
  const { status, body } = await operator.ask('GET', '/webhooks/endpoints?limit=200')
  assert.equal(status, 200)
  const own = await developer.ask('GET', '/webhooks/endpoints?limit=200')
  const idsOf = (items: { endpointId: string; tenantId: string }[], tenantId: string) =>
    items
      .filter((each) => each.tenantId === tenantId)
      .map(({ endpointId }) => endpointId)
      .sort()
  assert.deepEqual(idsOf(body.items, tenant.tenantId), idsOf(own.body.items, tenant.tenantId))
  const found = await operator.ask('GET', '/webhooks/deliveries?limit=2')
  assert.deepEqual([found.status, found.body.items.length], [200, 2])
  const behind = await operator.ask('GET', `/webhooks/deliveries?limit=2&after=${found.body.next}`)
  assert.ok(behind.body.items.every((each: { deliveryId: string }) => each.deliveryId < found.body.items[1].deliveryId))
  const named = await operator.ask('GET', `/webhooks/deliveries?tenantId=${tenant.tenantId}&limit=200`)
  assert.ok(named.body.items.every((each: { tenantId: string }) => each.tenantId === tenant.tenantId))
})

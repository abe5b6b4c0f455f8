// What /readyz says of a registry that does not exist, is down, or does not list our key.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { promises as nameServer } from 'node:dns'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { quietLog } from '@lendloom/foundation/log'
import { healthRoutes } from '@lendloom/http/health-routes'
import { answer, serve } from '@lendloom/http/server'
import { buyer, fakeNetwork } from '@lendloom/tests/setup/network'
import { until } from '@lendloom/tests/setup/programs'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import type { Context } from '#platform/context.ts'
import { networkFault, networkMissing, watchNetworkEntry } from './entry-watch.ts'
import { signingPublicKey } from './subscribe.ts'

const page = 'docs/how-to/monitor.md'
const network = await fakeNetwork()
const { ctx } = await testSubscriber(network.url, { workers: false })
const pauseMs = { faulty: 10, valid: 10 }

async function readyzOf(context: Context): Promise<() => Promise<unknown>> {
  const api = {
    prefix: '/',
    routes: healthRoutes<Context>(networkMissing, networkFault),
    refuse: () => answer(500, {}),
  }
  const options = { clock: context.clock, log: quietLog, host: '127.0.0.1', port: 0 }
  const server = await serve({ apis: [api], ctx: context, ...options })
  after(() => server.stop())
  return async () => {
    const response = await fetch(`${server.url}/readyz`)
    return { code: response.status, ...((await response.json()) as object) }
  }
}

test(`${page}: an outage of the registry and a missing key degrade the process and keep it ready`, async () => {
  const readyz = await readyzOf(ctx)
  network.on('/registry/v2.0/lookup', () => ({ status: 200, body: [] }))
  const watch = watchNetworkEntry(ctx, pauseMs)
  after(() => watch.stop())
  assert.match(networkMissing(ctx) ?? '', /is being looked up/)
  const stateWith = (pattern: RegExp) =>
    until(String(pattern), async () => pattern.test(JSON.stringify(await readyz())) && readyz())
  const missing = { code: 200, status: 'degraded', fault: `${buyer.id} is not in the registry` }
  assert.deepEqual(await stateWith(/degraded/), missing)
  network.on('/registry/v2.0/lookup', undefined)
  network.registerKey(buyer.id, buyer.keyId, signingPublicKey(ctx.config), 'BAP')
  assert.deepEqual(await stateWith(/"ok"/), { code: 200, status: 'ok' })
  const garbled = { subscriber_id: buyer.id, ukId: buyer.keyId, type: 'BAP', status: 'SUBSCRIBED' }
  const times = { valid_from: '2020-01-01T00:00:00Z', valid_until: 'soon' }
  network.on('/registry/v2.0/lookup', () => ({
    status: 200,
    body: [{ ...garbled, ...times, signing_public_key: signingPublicKey(ctx.config) }],
  }))
  assert.match(JSON.stringify(await stateWith(/until soon/)), /"code":200,"status":"degraded"/)
  const restarted = { ...ctx, config: { ...ctx.config } }
  const second = watchNetworkEntry(restarted, pauseMs)
  const readyzAfterStart = await readyzOf(restarted)
  await until('ready despite the garbled entry', async () =>
    /"code":200/.test(JSON.stringify(await readyzAfterStart())),
  )
  await second.stop()
  network.on('/registry/v2.0/lookup', () => ({ status: 503, body: 'unavailable' }))
  assert.match(JSON.stringify(await stateWith(/does not answer/)), /"code":200.*degraded/)
  network.on('/registry/v2.0/lookup', undefined)
  assert.deepEqual(await stateWith(/"ok"/), { code: 200, status: 'ok' })
  const calls = network.calls.length
  await watch.stop()
  for (let i = 0; i < 5; i++) await readyz()
  assert.ok(network.calls.length <= calls + 1, 'a probe does not call the registry')
})

test(`${page}: a host name that does not exist makes the process unready until it was found once`, async () => {
  let exists = false
  const server = createSocket('udp4').on('message', (query, { port, address }) =>
    server.send(reply(query), port, address),
  )
  /** NXDOMAIN, or an answer without addresses. */
  const reply = (query: Buffer) => {
    const response = Buffer.from(query)
    response.writeUInt16BE(exists ? 0x8180 : 0x8183, 2)
    return response
  }
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  const known = nameServer.getServers()
  nameServer.setServers([`127.0.0.1:${server.address().port}`])
  const config = { ...ctx.config, NETWORK_REGISTRY_URL: 'https://registry.lend.example/registry' }
  const readyz = await readyzOf({ ...ctx, config })
  const watch = watchNetworkEntry({ ...ctx, config }, pauseMs)
  try {
    const body = { code: 503, status: 'the host registry.lend.example of NETWORK_REGISTRY_URL does not exist' }
    await until('the first look-up', async () => /does not exist/.test(JSON.stringify(await readyz())))
    assert.deepEqual(await readyz(), body)
    exists = true
    await until('the host', async () => /"code":200,"status":"degraded"/.test(JSON.stringify(await readyz())))
    exists = false
    await until('the outage', async () => /"code":200.*does not exist/.test(JSON.stringify(await readyz())))
  } finally {
    await watch.stop()
    nameServer.setServers(known)
    server.close()
  }
})

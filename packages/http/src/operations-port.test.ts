// The operations port serves health and metrics, even while half-open connections fill the public port.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect as tcp } from 'node:net'
import { after, test } from 'node:test'
import { quietLog } from '@lendloom/foundation/log'
import { freePort } from '@lendloom/tests/setup/platform'
import { healthRoutes } from './health-routes.ts'
import { serveProgram } from './operations-port.ts'
import { type Api, answer, type Route } from './server.ts'

type Context = { db: { isWritable(): Promise<boolean> } }
const things: Route<Context> = {
  method: 'GET',
  path: '/things',
  section: 'test',
  summary: 'test',
  auth: { scheme: null, check: () => null },
  handle: () => ({ things: [] }),
}
const api: Api<Context> = {
  prefix: '/',
  routes: [things, ...healthRoutes<Context>()],
  refuse: () => answer(404, {}),
}
const port = await freePort()
const operationsPort = await freePort()
const common = { apis: [api], clock: () => new Date(), log: quietLog, host: '127.0.0.1', connections: 10 }
const ctx = { db: { isWritable: async () => true } }
const server = await serveProgram({ ...common, ctx, port, operationsPort, isSandbox: true })
after(() => server.stop())
/** Uses a new connection for each request, because an idle connection would count towards the limit of the port. */
const statusOf = async (toPort: number, path: string) => {
  const request = get({ host: '127.0.0.1', port: toPort, path, agent: false })
  const [response] = await once(request, 'response')
  response.resume()
  await once(request, 'close')
  return response.statusCode
}

test('docs/how-to/monitor.md: metrics are only on the operations port', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics']) assert.equal(await statusOf(operationsPort, path), 200)
  assert.equal(await statusOf(operationsPort, '/things'), 404)
  for (const path of ['/healthz', '/readyz', '/things']) assert.equal(await statusOf(port, path), 200)
  assert.equal(await statusOf(port, '/metrics'), 404)
})

test('docs/how-to/monitor.md: without an operations port the public port serves metrics only in the sandbox', async () => {
  for (const isSandbox of [true, false]) {
    const onlyPort = await freePort()
    const single = await serveProgram({ ...common, ctx, port: onlyPort, operationsPort: null, isSandbox })
    for (const path of ['/things', '/healthz', '/readyz']) assert.equal(await statusOf(onlyPort, path), 200)
    assert.equal(await statusOf(onlyPort, '/metrics'), isSandbox ? 200 : 404)
    await single.stop()
  }
})

test('half-open connections block only the public port, and are closed within 40 s', async () => {
  const open = await Promise.all(
    Array.from({ length: 10 }, async (_, i) => {
      const socket = tcp(port, '127.0.0.1').on('error', () => {})
      await once(socket, 'connect')
      if (i % 2 === 0) socket.write('GET /things HTTP/1.1\r\nhost: x\r\n')
      return socket.resume()
    }),
  )
  await assert.rejects(statusOf(port, '/things'))
  assert.equal(await statusOf(operationsPort, '/readyz'), 200)
  const signal = AbortSignal.timeout(40_000)
  await Promise.all(open.map((socket) => once(socket, 'close', { signal })))
  assert.equal(await statusOf(port, '/things'), 200)
})

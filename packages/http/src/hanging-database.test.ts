// When the database hangs, requests get 503 with Retry-After in time, and readiness fails.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { quietLog } from '@lendloom/foundation/log'
import { connect, type Db } from '@lendloom/postgres/sql'
import { testDatabase } from '@lendloom/tests/setup/database'
import { databaseProxy } from '@lendloom/tests/setup/database-line'
import { healthRoutes } from './health-routes.ts'
import { answer, type Route, serve } from './server.ts'

const proxy = await databaseProxy(await testDatabase('platform'))
const db = connect(proxy.url, { connections: 2 })
await db`create table cell (value integer not null)`

type Context = { db: Db }
const common = { section: 'test', summary: 'test', auth: { scheme: null, check: () => null } } as const
const routes: Route<Context>[] = [
  {
    ...common,
    method: 'POST',
    path: '/cells',
    handle: async (_, ctx) => {
      await ctx.db`select 1`
      await ctx.db.tx((tx) => tx`insert into cell (value) values (1)`)
      return answer(201, {})
    },
  },
  ...['statement_timeout', 'lock_timeout'].map(
    (setting): Route<Context> => ({
      ...common,
      method: 'POST',
      path: `/cells/${setting}`,
      handle: async (_, ctx) => {
        await ctx.db.tx(async (tx) => {
          await tx`select set_config(${setting}, '50', true)`
          await tx`lock table cell`
        })
        return answer(201, {})
      },
    }),
  ),
  ...healthRoutes<Context>(),
]
const refuse = (refusal: unknown) => answer(503, { message: refusal instanceof Error ? refusal.message : refusal })
const server = await serve({
  apis: [{ prefix: '/', routes, refuse }],
  ctx: { db },
  clock: () => new Date(),
  log: quietLog,
  host: '127.0.0.1',
  port: 0,
})
after(async () => {
  proxy.resume()
  await server.stop()
  await db.close()
  proxy.close()
})
/** More than the 5 s that a request may wait for the database, and less than the 10 s of the connection pool. */
const deadline = () => AbortSignal.timeout(9500)
const post = () => fetch(`${server.url}/cells`, { method: 'POST', signal: deadline() })
const readyStatus = async () => (await fetch(`${server.url}/readyz`, { signal: deadline() })).status

test('docs/decisions/0023-a-program-says-how-it-is.md: a program is ready while all its database connections are busy', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const busy = [1, 2].map(() =>
    db.tx(async (tx) => {
      await tx`select 1`
      await released
    }),
  )
  assert.equal(await readyStatus(), 200)
  release()
  await Promise.all(busy)
})

test('ARCHITECTURE rule 7: a statement that the server cancels at its statement or lock timeout gets 503 and Retry-After', async () => {
  await db.tx(async (tx) => {
    await tx`lock table cell`
    for (const setting of ['statement_timeout', 'lock_timeout']) {
      const { status, headers } = await fetch(`${server.url}/cells/${setting}`, { method: 'POST', signal: deadline() })
      assert.equal(status, 503, setting)
      assert.match(headers.get('retry-after') ?? '', /^\d+$/)
    }
  })
})

test('requests that wait for a hanging database or for a connection get 503 and Retry-After', async () => {
  assert.equal((await post()).status, 201)
  proxy.pause()
  const [ready, ...answers] = await Promise.all([readyStatus(), ...Array.from({ length: 12 }, post)])
  assert.equal(ready, 503)
  for (const { status, headers } of answers) {
    assert.equal(status, 503)
    assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  }
  proxy.resume()
  assert.equal(await readyStatus(), 200)
  assert.equal((await post()).status, 201)
  assert.equal((await db`select from cell`).length, 2)
})

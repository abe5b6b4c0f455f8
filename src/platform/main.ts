// Program 1: the platform between apps that offer credit and lenders; answers, and works in the background.

import { join } from 'node:path'
import { sealFrom } from '#kit/crypto/seal.ts'
import { checkDigestKey } from '#kit/db/digest-key.ts'
import { migrate } from '#kit/db/migrate.ts'
import { connect } from '#kit/db/sql.ts'
import { serve } from '#kit/http/server.ts'
import type { Worker } from '#kit/messaging/queue.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import { type Config, ConfigError, configFrom } from '#kit/runtime/config.ts'
import { logTo } from '#kit/runtime/log.ts'
import { movableClock } from '#kit/runtime/movable-clock.ts'
import { type Running, runProgram } from '#kit/runtime/program.ts'
import { sandboxTenants } from '#platform/access/sandbox-tenants.ts'
import { platformApis } from '#platform/apis.ts'
import type { Context } from '#platform/context.ts'
import { endWatching } from '#platform/demo/live-log.ts'
import { halfPartnered } from '#platform/exchange/call.ts'
import { lenderChannels } from '#platform/lender-channels.ts'
import { memoryOf } from '#platform/memory.ts'
import { unsafeOutside } from '#platform/outside-sandbox.ts'
import { unconfigured } from '#platform/provider/choice.ts'
import { platformColumns } from '#platform/sealed-columns.ts'
import { settings } from '#platform/settings.ts'
import { sandboxPeople } from '#platform/staff/sandbox-people.ts'
import { platformWork } from '#platform/work.ts'

/** Migrates, makes the sandbox tenants, starts the workers, then listens. `stop` finishes what is in flight. */
export async function startPlatform(config: Config<typeof settings>, ownClock?: Clock): Promise<Running> {
  const half = halfPartnered({ config })
  if (half) throw new ConfigError(half)
  const log = logTo('platform', config.LOG_LEVEL)
  const db = connect(config.DATABASE_URL, {
    connections: config.DATABASE_CONNECTIONS,
    pooler: config.DATABASE_POOLER,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })
  const moved = movableClock(config.SANDBOX ? config.CLOCK_FILE : null)
  moved.onMoved(() => db.wakeAll())
  const clock = ownClock ?? moved.clock
  await migrate(db, join(import.meta.dirname, 'migrations'))
  const seal = sealFrom(config, platformColumns)
  await checkDigestKey(db, seal)
  const ctx: Context = {
    db,
    seal,
    clock,
    config,
    log,
    channels: lenderChannels,
    ...memoryOf({ db, seal, log, config }),
  }
  const sandbox = config.SANDBOX ? await db.tx((tx) => sandboxTenants({ ...ctx, tx, at: clock() })) : undefined
  const people = sandbox && (await sandboxPeople(ctx, sandbox.tenant.tenantId, clock()))
  const apis = platformApis(ctx)
  const workers: Worker[] = config.MODE === 'api' ? [] : platformWork(ctx)
  const server = await serve({
    apis,
    ctx,
    clock,
    log,
    host: config.HOST,
    port: config.PORT,
    connections: config.HTTP_CONNECTIONS,
    trustedProxies: config.TRUSTED_PROXIES,
    onAnswered: ctx.requestLog.note,
    plugins: async (app) => {
      app.addHook('preClose', async () => {
        endWatching()
        ctx.live.end()
      })
    },
  })
  return {
    url: config.PUBLIC_URL,
    ...(sandbox && {
      announce: { sandbox: { ...sandbox, console: { url: `${config.PUBLIC_URL}/console`, people } } },
    }),
    drain: () => server.drain(config.DRAIN_SECONDS * 1000),
    async stop() {
      await server.stop()
      await ctx.requestLog.end()
      await Promise.all(workers.map((worker) => worker.stop()))
      moved.stop()
      await db.close()
    },
  }
}

if (import.meta.main) {
  await runProgram(logTo('platform', 'info'), async () =>
    startPlatform(configFrom(settings, process.env, (config) => [...unconfigured(config), ...unsafeOutside(config)])),
  )
}

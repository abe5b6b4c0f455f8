// The health routes of every program: liveness, readiness and metrics.

import { setTimeout as sleep } from 'node:timers/promises'
import { exposition, gauge } from '@lendloom/foundation/metrics'
import type { Db } from '@lendloom/postgres/sql'
import { anyone } from './route.ts'
import { answer, type Route } from './server.ts'

const ready = gauge('ready', 'Whether the program can work, as /readyz says: 1 or 0')
const writable = gauge('database_writable', 'Whether the database answers and can be written to: 1 or 0')
const common = { method: 'GET', section: 'operation', auth: anyone, hidden: true } as const

/**
 * Returns the routes `/healthz`, `/readyz` and `/metrics`. A program is not ready if the database has a fault, or if
 * `missingPrerequisite` describes a missing prerequisite. With a fault of `partialFault` it is ready but degraded: a part
 * of its work fails.
 */
export function healthRoutes<Context extends { db: Pick<Db, 'isWritable'> }>(
  missingPrerequisite: (ctx: Context) => string | null = () => null,
  partialFault: (ctx: Context) => string | null = () => null,
): Route<Context, null>[] {
  return [
    { ...common, path: '/healthz', summary: 'Whether the process is alive', handle: () => ({ status: 'ok' }) },
    {
      ...common,
      path: '/readyz',
      summary: 'Whether the program can work: its database can be written to, and no other prerequisite is missing',
      async handle(_, ctx) {
        const missing = (await Promise.race([databaseFault(ctx.db), databaseTimeout()])) ?? missingPrerequisite(ctx)
        if (missing !== null) return answer(503, { status: missing })
        const fault = partialFault(ctx)
        return fault === null ? { status: 'ok' } : { status: 'degraded', fault }
      },
    },
    {
      ...common,
      path: '/metrics',
      summary: 'Metrics for Prometheus',
      async handle(_, ctx) {
        const fault = await Promise.race([databaseFault(ctx.db), databaseTimeout()])
        writable.set(fault === null ? 1 : 0)
        ready.set(fault === null && missingPrerequisite(ctx) === null ? 1 : 0)
        const { contentType, text } = await exposition()
        return answer(200, text, { 'content-type': contentType })
      },
    },
  ]
}

/** Describes the fault of the database; null when the database accepts writes. */
async function databaseFault(db: Pick<Db, 'isWritable'>): Promise<string | null> {
  const isWritable = await db.isWritable().catch(() => null)
  if (isWritable === null) return 'the database does not answer'
  return isWritable ? null : 'the database cannot be written to'
}

/** Shorter than the timeout of Prometheus (ten seconds), and than the usual timeouts of load balancers. */
const timeoutMs = 2000
const databaseTimeout = (): Promise<string> => sleep(timeoutMs, 'the database does not answer in time', { ref: false })

// Every program's health: alive, ready, and its metrics.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#kit/db/sql.ts'
import { exposition, gauge } from '#kit/runtime/metrics.ts'
import { anyone } from './route.ts'
import { answer, type Route } from './server.ts'

const ready = gauge('ready', 'Whether the program can work, as /readyz says: 1 or 0')
const writable = gauge('database_writable', 'Whether its database answers and can be written to: 1 or 0')
const common = { method: 'GET', section: 'operation', auth: anyone, hidden: true } as const

/**
 * `/healthz`, `/readyz` and `/metrics`. Migrations and workers are up before a server listens: what can be missing is the
 * database, and what the program itself waits for, in the words of `lacks`.
 */
export function healthRoutes<Context extends { db: Pick<Db, 'isWritable'> }>(
  lacks: (ctx: Context) => string | null = () => null,
): Route<Context, null>[] {
  return [
    { ...common, path: '/healthz', summary: 'Whether the process is alive', handle: () => ({ status: 'ok' }) },
    {
      ...common,
      path: '/readyz',
      summary: 'Whether it can work: its database answers and can be written to, and it lacks nothing else',
      async handle(_, ctx) {
        const lacking = (await Promise.race([faultOf(ctx.db), late()])) ?? lacks(ctx)
        return lacking === null ? { status: 'ok' } : answer(503, { status: lacking })
      },
    },
    {
      ...common,
      path: '/metrics',
      summary: 'Figures for Prometheus',
      async handle(_, ctx) {
        const fault = await Promise.race([faultOf(ctx.db), late()])
        writable.set(fault === null ? 1 : 0)
        ready.set(fault === null && lacks(ctx) === null ? 1 : 0)
        const { contentType, text } = await exposition()
        return answer(200, text, { 'content-type': contentType })
      },
    },
  ]
}

/** The fault of the database; null without one. */
async function faultOf(db: Pick<Db, 'isWritable'>): Promise<string | null> {
  const isWritable = await db.isWritable().catch(() => null)
  if (isWritable === null) return 'the database does not answer'
  return isWritable ? null : 'the database cannot be written to'
}

/** A silent database is reported before callers time out: Prometheus after ten seconds, load balancers earlier. */
const patienceMs = 2000
const late = (): Promise<string> => sleep(patienceMs, 'the database does not answer in time', { ref: false })

// What every program answers about itself: whether it is alive, whether it can work, and its figures.

import type { Db } from '#kit/db/sql.ts'
import { exposition } from '#kit/runtime/metrics.ts'
import { type Auth, answer, type Route } from './server.ts'

const anybody: Auth<unknown, null> = { scheme: null, check: () => null }
const common = { method: 'GET', section: 'operation', auth: anybody, hidden: true } as const

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
        const isWritable = await ctx.db.isWritable().catch(() => null)
        if (isWritable === null) return answer(503, { status: 'the database does not answer' })
        if (!isWritable) return answer(503, { status: 'the database cannot be written to' })
        const lacking = lacks(ctx)
        return lacking === null ? { status: 'ok' } : answer(503, { status: lacking })
      },
    },
    {
      ...common,
      path: '/metrics',
      summary: 'Figures for Prometheus',
      async handle() {
        const { contentType, text } = await exposition()
        return answer(200, text, { 'content-type': contentType })
      },
    },
  ]
}

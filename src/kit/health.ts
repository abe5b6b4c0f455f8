// What every program answers about itself: whether it is alive, whether it can work, and its figures.
import { type Auth, answer, type Route } from '#kit/http-server.ts'
import { exposition } from '#kit/metrics.ts'
import type { Run } from '#kit/sql.ts'

const anybody: Auth<unknown, null> = { scheme: null, check: () => null }
const common = { method: 'GET', section: 'operation', auth: anybody, hidden: true } as const

/** `/healthz`, `/readyz` and `/metrics`. Migrations and workers are up before a server listens: what can be missing is the database. */
export function healthRoutes<World extends { db: Run }>(): Route<World, null>[] {
  return [
    { ...common, path: '/healthz', summary: 'Whether the process is alive', handle: () => ({ status: 'ok' }) },
    {
      ...common,
      path: '/readyz',
      summary: 'Whether it can work: its database answers',
      async handle(_, { db }) {
        try {
          await db`select 1`
          return { status: 'ok' }
        } catch {
          return answer(503, { status: 'the database does not answer' })
        }
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

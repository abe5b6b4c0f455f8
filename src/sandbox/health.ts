// Whether this program is alive and able to work, and its figures.
import { answer, type Door } from '#kit/http-server.ts'
import { exposition } from '#kit/metrics.ts'
import { refuseAs } from './refuse.ts'
import { route, type World } from './world.ts'

const alive = route({
  method: 'GET',
  path: '/healthz',
  section: 'operation',
  summary: 'Whether the process is alive',
  handle: () => ({ status: 'ok' }),
})

/** Migrations are done before the server listens and workers wait for the database, so only that can be missing. */
const ready = route({
  method: 'GET',
  path: '/readyz',
  section: 'operation',
  summary: 'Whether it can work: its database answers',
  async handle(_call, { db }) {
    try {
      await db`select 1`
      return { status: 'ok' }
    } catch {
      return answer(503, { status: 'the database does not answer' })
    }
  },
})

const figures = route({
  method: 'GET',
  path: '/metrics',
  section: 'operation',
  summary: 'Figures for Prometheus',
  async handle() {
    const { contentType, text } = await exposition()
    return answer(200, text, { 'content-type': contentType })
  },
})

export const healthDoor: Door<World> = { prefix: '/', routes: [alive, ready, figures], refuse: refuseAs('BG') }

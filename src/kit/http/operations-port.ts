// A separate port for health and metrics: public connections cannot exhaust it, and outsiders do not reach it.
import { type Api, type ServeOptions, type Server, serve } from './server.ts'

const operationsPaths = ['/healthz', '/readyz', '/metrics']

/** Served on this port only. */
const privatePaths = ['/metrics']

/** The APIs with only those of their routes whose path fits. */
const narrowed = <Context>(apis: Api<Context>[], fits: (path: string) => boolean): Api<Context>[] =>
  apis.map((api) => ({ ...api, routes: api.routes.filter(({ path }) => fits(path)) }))

interface ProgramOptions<Context> extends ServeOptions<Context> {
  operationsPort: number | null
}

/** Serves a program, and its `/healthz`, `/readyz` and `/metrics` on the operations port, where there is one. */
export async function serveProgram<Context>({
  operationsPort: port,
  ...options
}: ProgramOptions<Context>): Promise<Pick<Server, 'drain' | 'stop'>> {
  if (port === null) return serve(options)
  const { apis, ctx, clock, log, host } = options
  const ofOperations = narrowed(apis, (path) => operationsPaths.includes(path))
  const operations = await serve({ apis: ofOperations, ctx, clock, log, host, port })
  const server = await serve({ ...options, apis: narrowed(apis, (path) => !privatePaths.includes(path)) })
  return {
    drain: async (ms) => void (await Promise.all([server.drain(ms), operations.drain(ms)])),
    async stop() {
      await server.stop()
      await operations.stop()
    },
  }
}

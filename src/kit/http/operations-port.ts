// A separate port for health and metrics, which public connections cannot exhaust and outsiders cannot reach.
import { type Api, type ServeOptions, type Server, serve } from './server.ts'

const operationsPaths = ['/healthz', '/readyz', '/metrics']

/** Not served on the public port when there is an operations port. */
const privatePaths = ['/metrics']

/** Returns the APIs with only the routes whose path is selected. */
const selectRoutes = <Context>(apis: Api<Context>[], isSelected: (path: string) => boolean): Api<Context>[] =>
  apis.map((api) => ({ ...api, routes: api.routes.filter(({ path }) => isSelected(path)) }))

interface ProgramOptions<Context> extends ServeOptions<Context> {
  /** Null: the public port also serves health and metrics. */
  operationsPort: number | null
}

/** Serves a program on its public port, and health and metrics on the operations port, if it has one. */
export async function serveProgram<Context>({
  operationsPort: port,
  ...options
}: ProgramOptions<Context>): Promise<Pick<Server, 'drain' | 'stop'>> {
  if (port === null) return serve(options)
  const { apis, ctx, clock, log, host } = options
  const operationsApis = selectRoutes(apis, (path) => operationsPaths.includes(path))
  const operations = await serve({ apis: operationsApis, ctx, clock, log, host, port })
  const server = await serve({ ...options, apis: selectRoutes(apis, (path) => !privatePaths.includes(path)) })
  return {
    drain: async (ms) => void (await Promise.all([server.drain(ms), operations.drain(ms)])),
    async stop() {
      await server.stop()
      await operations.stop()
    },
  }
}

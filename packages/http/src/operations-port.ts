// Serves health and metrics on a separate port, which public connections cannot exhaust.
import { type Api, type ServeOptions, type Server, serve } from './server.ts'

const operationsPaths = ['/healthz', '/readyz', '/metrics']

/** The public port serves these paths only in the sandbox, and only without an operations port. */
const privatePaths = ['/metrics']

const selectRoutes = <Context>(apis: Api<Context>[], isSelected: (path: string) => boolean): Api<Context>[] =>
  apis.map((api) => ({ ...api, routes: api.routes.filter(({ path }) => isSelected(path)) }))

interface ProgramOptions<Context> extends ServeOptions<Context> {
  operationsPort: number | null
  isSandbox: boolean
}

/** Serves a program on the public port, and health and metrics on the operations port, if there is one. */
export async function serveProgram<Context>({
  operationsPort: port,
  isSandbox,
  ...options
}: ProgramOptions<Context>): Promise<Pick<Server, 'drain' | 'stop'>> {
  if (port === null && isSandbox) return serve(options)
  const { apis, ctx, clock, log, host } = options
  const operationsApis = selectRoutes(apis, (path) => operationsPaths.includes(path))
  const publicApis = selectRoutes(apis, (path) => !privatePaths.includes(path))
  if (port === null) return serve({ ...options, apis: publicApis })
  const operations = await serve({ apis: operationsApis, ctx, clock, log, host, port })
  const server = await serve({ ...options, apis: publicApis })
  return {
    drain: async (ms) => void (await Promise.all([server.drain(ms), operations.drain(ms)])),
    async stop() {
      await server.stop()
      await operations.stop()
    },
  }
}

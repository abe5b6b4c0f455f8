// A port of its own for health and metrics: connections that fill the public one do not reach it, nor does the public.
import { type Api, type ServeOptions, type Server, serve } from './server.ts'

const operationsPaths = ['/healthz', '/readyz', '/metrics']

/** What is on the port alone, and no longer on the public one. */
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

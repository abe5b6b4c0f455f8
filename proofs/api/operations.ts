// Every operation of every program, from the route tables that the servers run.

import type { Api, Route } from '@lendloom/http/route'
import { partnerApis } from '@lendloom/partner/src/apis.ts'
import { platformApis } from '@lendloom/platform/src/apis.ts'
import { apis as sandboxApis } from '@lendloom/sandbox/program'

export const programNames = ['platform', 'partner', 'sandbox'] as const
export type ProgramName = (typeof programNames)[number]

// biome-ignore lint/suspicious/noExplicitAny: routes of every schema live in one list
type AnyRoute = Route<any, any, any, any, any>
// biome-ignore lint/suspicious/noExplicitAny: an API of any program
type AnyApi = Api<any>

export interface ApiOperation {
  program: ProgramName
  /** The path prefix of its API. */
  prefix: string
  api: AnyApi
  route: AnyRoute
  /** `platform GET /api/lab/features`, unique. */
  name: string
}

const apisOf: Record<ProgramName, AnyApi[]> = {
  platform: platformApis({ config: { SANDBOX: true } }),
  partner: partnerApis,
  sandbox: sandboxApis,
}

export const operations: ApiOperation[] = programNames.flatMap((program) =>
  apisOf[program].flatMap((api) =>
    api.routes.map((route) => ({
      program,
      api,
      route,
      prefix: api.prefix,
      name: `${program} ${route.method} ${route.path}`,
    })),
  ),
)

/** Fills the parameters of a path, percent-encoded. */
export const pathWith = (path: string, parameter: (name: string) => string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameter(name)))

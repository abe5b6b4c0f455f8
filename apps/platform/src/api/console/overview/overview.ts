// Metrics of the console overview, as JSON and CSV.
import { Readable } from 'node:stream'
import { answer } from '@lendloom/http/server'
import { FigureParams, OverviewQuery, Overview as OverviewSchema } from '@lendloom/wire/console/overview'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { tenantOrPlatform } from '#platform/people/person.ts'
import { overviewOf } from '#platform/records/figures/read/overview.ts'
import type { Scope } from '#platform/records/figures/read/store.ts'
import { windowOf } from '#platform/records/figures/read/window.ts'
import { linesOf } from './figure-csv.ts'

const readRoute = { ...consoleCall, auth: inConsole(), method: 'GET', query: OverviewQuery } as const

/** The selected tenant; all tenants for platform staff who select none. */
const scopeOf = (who: ConsolePerson, { tenantId, applicationId, product }: OverviewQuery): Scope => ({
  tenantId: tenantOrPlatform(who, tenantId),
  applicationId: applicationId ?? null,
  product: product ?? null,
})

const overview = route({
  ...readRoute,
  path: `${consolePrefix}/overview`,
  summary: 'Metrics of a time window',
  reply: { 200: OverviewSchema },
  handle: ({ who, query }, { db, clock }: Context) => overviewOf(db, scopeOf(who, query), windowOf(query, clock())),
})

const file = route({
  ...readRoute,
  path: `${consolePrefix}/overview/{file}`,
  summary: 'A metric of the overview as CSV',
  params: FigureParams,
  async handle({ who, query, params }, { db, clock }: Context) {
    const window = windowOf(query, clock())
    const lines = linesOf(db, params.file, scopeOf(who, query), window)
    return answer(200, Readable.from(lines), {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${params.file}"`,
    })
  },
})

export const overviewRoutes = [overview, file]

// The console's API request log: requests, responses and errors.

import { Refusal } from '@lendloom/foundation/refusal'
import { instantOfId } from '@lendloom/seal/id'
import {
  RequestDetail,
  RequestParams,
  RequestQuery,
  Requests,
  type RequestView,
} from '@lendloom/wire/console/request-log'
import { OfTenant } from '@lendloom/wire/console/staff'
import { consolePrefix, instantIn, pageById, pageOfRows } from '#platform/api/console/console-route.ts'
import { byDevelopers } from '#platform/api/console/rights.ts'
import { route } from '#platform/context.ts'
import { type Bodies, bodiesContext } from '#platform/integrators/request-log/request-log.ts'
import { findRequest, type ListedRequest, listRequests } from '#platform/integrators/request-log/store.ts'
import { tenantOf } from '#platform/people/person.ts'

const path = `${consolePrefix}/developers/requests`

const requestView = ({ tookMs, ...row }: ListedRequest): RequestView => ({
  ...row,
  at: instantOfId(row.requestId).toISOString(),
  ms: tookMs,
})

const list = route({
  ...byDevelopers,
  method: 'GET',
  path,
  summary: "A tenant's API requests, newest first",
  query: RequestQuery,
  reply: { 200: Requests },
  async handle({ who, query }, { db }): Promise<Requests> {
    const tenantId = tenantOf(who, query.tenantId)
    const page = pageById(query)
    const filter = {
      applicationId: query.applicationId ?? null,
      keyId: query.keyId ?? null,
      journeyId: query.journeyId ?? null,
      correlationId: query.correlationId ?? null,
      method: query.method ?? null,
      route: query.route ?? null,
      isFailed: query.failed !== undefined,
      omitsReads: query.reads === 'omit',
      from: instantIn(query.from),
      until: instantIn(query.until),
    }
    const rows = await listRequests(db, tenantId, filter, { ...page, limit: page.limit + 1 })
    return pageOfRows(rows, page, { item: requestView, cursor: ({ requestId }) => requestId })
  },
})

const get = route({
  ...byDevelopers,
  method: 'GET',
  path: `${path}/{requestId}`,
  summary: 'An API request with its masked request and response bodies',
  params: RequestParams,
  query: OfTenant,
  reply: { 200: RequestDetail },
  async handle({ who, query, params: { requestId } }, { db, seal }): Promise<RequestDetail> {
    const tenantId = tenantOf(who, query.tenantId)
    const request = await findRequest(db, { tenantId, requestId })
    if (!request) throw new Refusal('absent', 'there is no such request')
    const { bodiesSealed, ...row } = request
    const bodies = bodiesSealed && seal.openJson<Bodies>(bodiesSealed, bodiesContext({ tenantId, requestId }))
    return { ...requestView(row), request: bodies?.request ?? null, reply: bodies?.reply ?? null }
  },
})

export const requestRoutes = [list, get]

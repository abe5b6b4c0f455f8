// GET /api/lab/journeys/{id}/loan: the state of a journey's loan, for the integrator's server.

import { Refusal } from '@lendloom/foundation/refusal'
import { Closed } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { LoanState } from '@lendloom/wire/hosted/loan-state'
import { ById } from '@lendloom/wire/hosted/webhook-endpoint'
import { readLoanState } from '#platform/api/loan/loan-state.ts'
import { route } from '#platform/context.ts'
import { apiKey } from '#platform/integrators/access/api-key.ts'
import { findJourney } from '#platform/lending/journey/store.ts'

export const loanRoute = route({
  method: 'GET',
  path: '/api/lab/journeys/{id}/loan',
  section: 'D1 §4',
  operationId: 'getLoanOfJourney',
  summary: 'Get the state of a loan, as its lender tells it',
  auth: apiKey('sessions'),
  params: ById,
  reply: { 200: Closed({ data: LoanState }) },
  async handle({ who, params: { id }, at }, ctx) {
    const journey = isUuid(id) ? await findJourney(ctx.db, who.tenantId, id) : undefined
    if (journey?.applicationId !== who.applicationId) throw new Refusal('absent', 'there is no such journey')
    return { data: await readLoanState(ctx, journey, at) }
  },
})

// POST /api/sandbox/journeys/{journeyID}/advance: the autopilot acts for the borrower until the journey has a status.

import { leadsTo } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Type, Uuid } from '@lendloom/foundation/schema'
import { type Api, answer } from '@lendloom/http/server'
import type { Write } from '@lendloom/postgres/write'
import { refused } from '@lendloom/wire/headless/envelope'
import { LifecycleStatus, type LifecycleStatus as Status } from '@lendloom/wire/hosted/lifecycle'
import { type Context, route } from '#platform/context.ts'
import { apiKey } from '#platform/integrators/access/api-key.ts'
import { isExpired } from '#platform/lending/journey/journey.ts'
import { lifecycle } from '#platform/lending/journey/lifecycle.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { startAutopilot } from './autopilot.ts'

const Accepted = Closed({ journeyID: Type.String(), status: LifecycleStatus, to: LifecycleStatus })

const advanceJourney = route({
  method: 'POST',
  path: '/api/sandbox/journeys/{journeyID}/advance',
  section: 'D1 §3',
  operationId: 'advanceJourney',
  summary: 'Drive a sandbox journey to a lifecycle status, through the acts of a borrower',
  auth: apiKey('sandbox'),
  params: Closed({ journeyID: Uuid }),
  body: Closed({ to: LifecycleStatus }),
  reply: { 202: Accepted },
  async handle({ who, params, body, at }, ctx) {
    const { tenantId, applicationId } = who
    const order = { tenantId, applicationId, journeyId: params.journeyID, to: body.to }
    const status = await ctx.db.tx((tx) => advance({ tx, at }, order))
    return answer(202, { journeyID: params.journeyID, status, to: body.to })
  },
})

interface AutopilotOrder {
  tenantId: string
  /** Null allows any application of the tenant. */
  applicationId: string | null
  journeyId: string
  to: Status
}

/**
 * Starts the autopilot of a journey and returns the journey's current status. Throws `absent` for an unknown journey,
 * `wrong-state` if the journey has expired or can no longer reach the target.
 */
export async function advance(
  { tx, at }: Write,
  { tenantId, applicationId, journeyId, to }: AutopilotOrder,
): Promise<Status> {
  const journey = await lockJourney(tx, tenantId, journeyId)
  if (!journey || (applicationId !== null && journey.applicationId !== applicationId))
    throw new Refusal('absent', 'the journey does not exist')
  const { status } = journey
  if (isExpired(journey)) throw new Refusal('wrong-state', 'the journey has expired', { status })
  if (status !== to && !leadsTo(lifecycle, status, to))
    throw new Refusal('wrong-state', `the journey is ${status} and can no longer become ${to}`, { status })
  await startAutopilot(tx, journey, to, at)
  return status
}

export const autopilotApi: Api<Context> = { prefix: '/api/sandbox', routes: [advanceJourney], refuse: refused }

// POST /api/sandbox/journeys/{journeyID}/advance: drives a journey in the background, by acts and never by writing a status.
import { refused } from '#contract/headless/envelope.ts'
import { LifecycleStatus, type LifecycleStatus as Status } from '#contract/hosted/lifecycle.ts'
import { uuidPattern } from '#kit/crypto/id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import { type Api, answer } from '#kit/http/server.ts'
import { leadsTo } from '#kit/runtime/machine.ts'
import { apiKey } from '#platform/access/api-key.ts'
import { type Context, route } from '#platform/context.ts'
import { isExpired } from '#platform/journey/journey.ts'
import { lifecycle } from '#platform/journey/lifecycle.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { startDrive } from './drive.ts'

const Accepted = Closed({ journeyID: Type.String(), status: LifecycleStatus, to: LifecycleStatus })

const advanceJourney = route({
  method: 'POST',
  path: '/api/sandbox/journeys/{journeyID}/advance',
  section: 'D1 §3',
  summary: 'Drive a sandbox journey to a lifecycle status, through the acts of a borrower',
  auth: apiKey('sandbox'),
  params: Closed({ journeyID: Type.String({ pattern: uuidPattern, 'x-says': 'must be a UUID' }) }),
  body: Closed({ to: LifecycleStatus }),
  reply: { 202: Accepted },
  async handle({ who, params, body, at }, ctx) {
    const status = await ctx.db.tx(async (tx) => {
      const journey = await lockJourney(tx, who.tenantId, params.journeyID)
      if (!journey || journey.applicationId !== who.applicationId)
        throw new Refusal('absent', 'there is no such journey')
      if (isExpired(journey))
        throw new Refusal('wrong-state', 'the journey has expired: nothing moves it any more', {
          status: journey.status,
        })
      if (journey.status !== body.to && !leadsTo(lifecycle, journey.status, body.to))
        throw new Refusal('wrong-state', `the journey is ${journey.status}: it cannot become ${body.to} any more`, {
          status: journey.status,
        })
      await startDrive(tx, journey, body.to, at)
      return journey.status
    })
    return answer(202, { journeyID: params.journeyID, status: status satisfies Status, to: body.to })
  },
})

export const autopilotApi: Api<Context> = { prefix: '/api/sandbox', routes: [advanceJourney], refuse: refused }

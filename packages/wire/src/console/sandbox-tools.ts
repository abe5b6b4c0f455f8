// Schemas of the console API for the sandbox: trial journeys, and the clock of the simulation.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Id, Instant, TextOrNull } from '#wire/basic-schemas.ts'
import { SessionJourneyType } from '#wire/hosted/create-session.ts'
import { statuses } from '#wire/hosted/lifecycle-status.ts'

/** A sandbox journey: four digits of the PAN select a fault, `1234` none. */
export const SandboxJourneyRequest = Closed({
  applicationId: Id,
  product: SessionJourneyType,
  digits: Type.Optional(Type.String({ pattern: '^\\d{4}$', 'x-says': 'must be four digits' })),
})

export type SandboxJourneyRequest = Static<typeof SandboxJourneyRequest>

export const AdvanceRequest = Closed({ to: OneOf(statuses) })

export const AdvanceReply = Closed({ journeyId: Id, status: OneOf(statuses), to: OneOf(statuses) })

export type AdvanceReply = Static<typeof AdvanceReply>

export const SandboxJourneyReply = Closed({ journeyId: Id, embedUrl: Type.String(), pan: Type.String() })

export type SandboxJourneyReply = Static<typeof SandboxJourneyReply>

export const ClockRequest = Closed({ hours: Type.Integer({ minimum: 1, maximum: 24 * 370 }) })

/** The simulation's time. `moving` is the progress of the last clock change; null before the first. */
export const ClockReply = Closed({
  now: Instant,
  aheadMs: Type.Integer(),
  moving: orNull(
    Closed({
      beganAt: Instant,
      endsAt: Instant,
      isAt: Instant,
      isDone: Type.Boolean(),
      problem: TextOrNull,
    }),
  ),
})

export type ClockReply = Static<typeof ClockReply>

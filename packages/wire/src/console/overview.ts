// Schemas of the console API: the overview of a period.

import { Closed, OneOf, orNull, type Static, type TSchema, Type } from '@lendloom/foundation/schema'
import { productIds } from '@lendloom/lending/product/products'
import { Count, Day, Id, Instant, InstantOrNull, Text } from '#wire/basic-schemas.ts'
import { statuses } from '#wire/hosted/lifecycle-status.ts'
import {
  deliveryOutcomes,
  eventOutcomes,
  figureFiles,
  type OfferOutcome,
  offerOutcomes,
  type RequestOutcome,
  ranges,
  requestOutcomes,
  stepNames,
} from './lists.ts'

export const OverviewQuery = Closed({
  tenantId: Type.Optional(Id),
  /** The last 24 hours, the last days including today, or `custom`: the days `from` to `to` (default: 7d). */
  range: Type.Optional(OneOf(ranges)),
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  step: Type.Optional(OneOf(stepNames)),
  applicationId: Type.Optional(Id),
  product: Type.Optional(OneOf(productIds)),
})
export type OverviewQuery = Static<typeof OverviewQuery>
export const FigureParams = Closed({ file: OneOf(figureFiles.map((name) => `${name}.csv` as const)) })

/** A count in the period, in the previous period, and per step. */
const OutcomeCounts = <T extends TSchema>(outcome: T) =>
  Closed({ outcome, count: Count, before: Count, series: Type.Array(Count) })
const OfferCounts = Closed({ REQUESTED: Count, ANSWERED: Count, OFFERED: Count, CHOSEN: Count } satisfies Record<
  OfferOutcome,
  TSchema
>)
const RequestCounts = Closed({
  ANSWERED: Count,
  LATE: Count,
  SILENT: Count,
  REFUSED: Count,
  UNREACHED: Count,
  WAITING: Count,
} satisfies Record<RequestOutcome, TSchema>)

/** Percentiles of a duration, with an error of at most a fifth; null without values. */
const Times = Closed({
  count: Count,
  p50: orNull(Type.Number()),
  p90: orNull(Type.Number()),
  beforeP50: orNull(Type.Number()),
  p50Series: Type.Array(orNull(Type.Number())),
  p90Series: Type.Array(orNull(Type.Number())),
})
export type Times = Static<typeof Times>

export const Overview = Closed({
  from: Instant,
  until: Instant,
  step: OneOf(stepNames),
  /** Events are counted up to this instant; null before the first count. */
  countedUntil: InstantOrNull,
  /** Whether any journey exists, in any period. */
  hasJourneys: Type.Boolean(),
  applications: Type.Array(Closed({ applicationId: Id, tenantId: Id, name: Text })),
  /** When each step of a series begins. */
  steps: Type.Array(Instant),
  /** Journeys that entered each status. */
  journeys: Type.Array(OutcomeCounts(OneOf(statuses))),
  /** From session to disbursal, of journeys disbursed in the period, in seconds. */
  timeToMoney: Times,
  /** Offer requests by progress: one that led to a chosen offer counts four times. */
  offers: Type.Array(OutcomeCounts(OneOf(offerOutcomes))),
  offersByLender: Type.Array(Closed({ lender: Text, counts: OfferCounts })),
  deliveries: Type.Array(OutcomeCounts(OneOf(deliveryOutcomes))),
  /** From an update to its delivery, in milliseconds. */
  deliveryTime: Times,
  /** Pending deliveries of any age. */
  deliveriesWaiting: Count,
  requests: Type.Array(OutcomeCounts(OneOf(requestOutcomes))),
  requestsByLender: Type.Array(Closed({ lender: Text, action: Text, counts: RequestCounts })),
  /** Events from the lending partner, and the time from receipt to application, in milliseconds. */
  partnerEvents: Type.Array(OutcomeCounts(OneOf(eventOutcomes))),
  partnerEventTime: Times,
  /** Events that arrived before their predecessor. */
  partnerGaps: OutcomeCounts(Type.Literal('GAP')),
  /** Events to the lending partner, and the time from creation to acceptance, in milliseconds. */
  platformEvents: Type.Array(OutcomeCounts(OneOf(eventOutcomes))),
  platformEventTime: Times,
  /** Pending events in both directions, of any age. */
  eventsWaiting: Count,
})
export type Overview = Static<typeof Overview>

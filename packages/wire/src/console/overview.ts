// Schemas of the console API: the overview of a period, and saved views.

import { Closed, OneOf, orNull, type Static, type TSchema, Type } from '@lendloom/foundation/schema'
import { productIds } from '@lendloom/lending/product/products'
import { Count, Day, Id, Instant, MaybeInstant, MaybeText, Text } from '#wire/atoms.ts'
import { statuses } from '#wire/hosted/lifecycle-status.ts'
import {
  deliveryOutcomes,
  eventOutcomes,
  figureFiles,
  maxViewNameLength,
  type OfferOutcome,
  offerOutcomes,
  type RequestOutcome,
  ranges,
  requestOutcomes,
  stepNames,
  viewListNames,
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
  countedUntil: MaybeInstant,
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

const Name = Type.String({
  minLength: 1,
  maxLength: maxViewNameLength,
  pattern: '\\S',
  'x-says': `must have 1 to ${maxViewNameLength} characters`,
})
const Filters = Type.Unsafe<Record<string, string>>({
  type: 'object',
  minProperties: 1,
  maxProperties: 10,
  additionalProperties: { type: 'string', maxLength: 200 },
  'x-says': 'must hold one filter to ten, each with a text',
})

export const ViewsQuery = Closed({ tenantId: Type.Optional(Id), list: Type.Optional(OneOf(viewListNames)) })
export const ViewParams = Closed({ viewId: Id })
export const DeleteViewQuery = Closed({
  tenantId: Type.Optional(Id),
  /** The version that the caller read; if omitted, the view is deleted whatever its version. */
  version: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,8}$', 'x-says': 'must be a version' })),
})

export const SavedView = Closed({
  viewId: Id,
  list: OneOf(viewListNames),
  name: Type.String(),
  filters: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  /** Whether colleagues (of the tenant, or of the platform) see the view. */
  isShared: Type.Boolean(),
  isOwn: Type.Boolean(),
  /** Whether the caller may change and remove it. */
  mayChange: Type.Boolean(),
  /** The person who saved the view; null for the command line and for removed users. */
  by: MaybeText,
  version: Type.Integer(),
})
export type SavedView = Static<typeof SavedView>
export const SavedViews = Closed({ items: Type.Array(SavedView), next: MaybeText })
export type SavedViews = Static<typeof SavedViews>

export const NewViewRequest = Closed({
  list: OneOf(viewListNames),
  name: Name,
  filters: Filters,
  isShared: Type.Optional(Type.Boolean()),
})
export type NewViewRequest = Static<typeof NewViewRequest>
export const ViewRequest = Closed({
  /** The version that the caller read. */
  version: Type.Integer({ minimum: 1, 'x-says': 'must be a version' }),
  name: Type.Optional(Name),
  filters: Type.Optional(Filters),
  isShared: Type.Optional(Type.Boolean()),
})
export type ViewRequest = Static<typeof ViewRequest>

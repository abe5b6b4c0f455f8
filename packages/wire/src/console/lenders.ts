// Schemas of the console API: lenders, how they respond, and switching them off.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Count, Id, Instant, InstantOrNull, Text, TextOrNull } from '#wire/basic-schemas.ts'
import { minReasonLength } from './lists.ts'
import { ListOfTenant } from './staff.ts'

const WholeNumber = Type.Integer({ minimum: 0, maximum: 100_000_000 })

/** The cursor contains a lender's name, hence the long limit. */
export const LenderListQuery = Closed({
  ...ListOfTenant.properties,
  after: Type.Optional(Type.String({ maxLength: 500 })),
})
export const LenderParams = Closed({ lenderId: Id })

/** Requests counted by result. */
export const Answers = Closed({
  /** In time. */
  answered: Count,
  /** After the request's ttl. */
  late: Count,
  /** Rejected in the immediate response. */
  refused: Count,
  /** Acknowledged, and never answered. */
  silent: Count,
  /** Not acknowledged. */
  unreached: Count,
  waiting: Count,
})
export type Answers = Static<typeof Answers>

const RecentAnswers = Closed({ ...Answers.properties, medianMs: orNull(Count) })
export type RecentAnswers = Static<typeof RecentAnswers>

/** A switch-off of a lender, for all tenants or for one. */
export const SwitchedOff = Closed({
  forAll: Type.Boolean(),
  tenantId: orNull(Id),
  reason: Text,
  offAt: Instant,
  /** Null if switched off from the command line, or if the actor is platform staff and the viewer a tenant user. */
  personName: TextOrNull,
})
export type SwitchedOff = Static<typeof SwitchedOff>

export const Lender = Closed({
  /** One of the lender's ids; it has a different id in each tenant. */
  lenderId: Id,
  /** Whether it is the lending partner, which communicates by events. */
  isPartner: Type.Boolean(),
  name: Text,
  /** Its subscriber id on the network, or the partner's name in events. */
  bppId: Text,
  providerId: Text,
  /** Products requested from it in the last seven days. */
  products: Type.Array(Text),
  off: Type.Array(SwitchedOff),
  /** For the last sixty minutes, at most its newest 2,000 requests. */
  hour: RecentAnswers,
  /** For the last seven days, from the stored figures. */
  week: Answers,
  /** Offers in the last seven days: requested, answered, made and chosen. */
  offers: Closed({ requested: Count, answered: Count, offered: Count, chosen: Count }),
  /** The newest message in either direction, searched in its newest conversations and in the last hour. */
  lastMessageAt: InstantOrNull,
  /** When it was last seen in a catalogue. */
  seenAt: Instant,
})
export type Lender = Static<typeof Lender>
export const Lenders = Closed({ items: Type.Array(Lender), next: TextOrNull })
export type Lenders = Static<typeof Lenders>

export const ActionAnswers = Closed({ action: Text, hour: RecentAnswers, week: Answers })
export type ActionAnswers = Static<typeof ActionAnswers>
export const LenderConversation = Closed({
  tenantId: Id,
  journeyId: Id,
  conversationId: Id,
  product: Text,
  stage: Text,
  /** Our request that the lender has not answered yet. */
  awaitedAction: TextOrNull,
  awaitedUntil: InstantOrNull,
  endedBecause: TextOrNull,
  /** The offer of the conversation and why it is none or lost; null without one. */
  offer: orNull(
    Closed({ status: OneOf(['OFFER_AWAITED', 'OFFER_RECEIVED', 'NO_OFFER_AVAILABLE']), reason: TextOrNull }),
  ),
  lastMessageAt: InstantOrNull,
  createdAt: Instant,
})
export type LenderConversation = Static<typeof LenderConversation>
export const LenderDetail = Closed({
  ...Lender.properties,
  partnerId: orNull(Id),
  grievanceOfficer: TextOrNull,
  supportEmail: TextOrNull,
  actions: Type.Array(ActionAnswers),
  /** The newest first. */
  conversations: Type.Array(LenderConversation),
})
export type LenderDetail = Static<typeof LenderDetail>

/** How many journeys a switch-off would affect. */
export const LenderEffect = Closed({
  /** The lender's answer is pending; it is ignored while the lender is off. */
  searching: Count,
  /** The lender has made an offer; the borrower cannot choose it while the lender is off. */
  offered: Count,
  /** Chosen, but not disbursed yet: these continue. */
  chosen: Count,
  /** Running loans: these continue. */
  loans: Count,
})
export type LenderEffect = Static<typeof LenderEffect>

export const SwitchOffRequest = Closed({
  reason: Type.String({
    minLength: minReasonLength,
    maxLength: 500,
    'x-says': `must say why in ${minReasonLength} to 500 characters`,
  }),
  /** The effect that was shown at the confirmation. */
  searching: WholeNumber,
  offered: WholeNumber,
})
export type SwitchOffRequest = Static<typeof SwitchOffRequest>

// Journeys (D2 §2.3, §4): the journey, its detail, its state for polling, and requests after disbursal.

import { AnyObject, Closed, OneOf, orNull, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { uuidPattern } from '@lendloom/foundation/uuid'
import { Instant, Text, TextOrNull } from '#wire/basic-schemas.ts'
import { FreeText } from '#wire/hosted/profile.ts'
import { AnsweredAmount, RequestedAmount } from './amounts.ts'
import { JourneyStatus, JourneyType, nextActions, pendingOperations } from './enums.ts'
import { Page, pageQuery } from './paging.ts'

/** A borrower's requests after disbursal (D2 §4), and their view in the journey. */
const servicingKinds = ['FORECLOSURE', 'PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT', 'STATUS_REFRESH'] as const
export type ServicingKind = (typeof servicingKinds)[number]

/** A payment ends PAID, FAILED or EXPIRED; a refresh of the status ends DONE or FAILED. */
export const servicingStatuses = ['REQUESTED', 'LINK_READY', 'PAID', 'DONE', 'FAILED', 'EXPIRED'] as const
export type ServicingStatus = (typeof servicingStatuses)[number]

/** An item of the journey's `servicing[]`. */
export const ServicingView = Closed({
  operationID: Uuid,
  kind: OneOf([...servicingKinds]),
  status: OneOf([...servicingStatuses]),
  amount: orNull(AnsweredAmount),
  /** The lender's payment page, while it can be paid. */
  redirectURL: TextOrNull,
  /** Why it failed, as a text for the borrower. */
  reason: TextOrNull,
  updatedAt: Instant,
})
export type ServicingView = Static<typeof ServicingView>

export const PrePartPaymentRequest = Closed({ amount: RequestedAmount })
export type PrePartPaymentRequest = Static<typeof PrePartPaymentRequest>

/** The oldest missed instalment by default. */
export const MissedEmiPaymentRequest = Closed({
  installmentID: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
})
export type MissedEmiPaymentRequest = Static<typeof MissedEmiPaymentRequest>

const NextAction = orNull(OneOf([...nextActions]))

/** The app's own position in the journey, stored unchanged. */
export const Resume = Closed({ lastCompletedStep: Type.Optional(Text), lastViewedOfferID: Type.Optional(Text) })
export type Resume = Static<typeof Resume>

export const Capabilities = Closed({ aaEnabled: Type.Boolean(), postDisbursalEnabled: Type.Boolean() })

const journeyFields = {
  journeyID: Uuid,
  type: JourneyType,
  status: JourneyStatus,
  updatedAt: Instant,
  /** The borrower's current step. */
  timelineState: JourneyStatus,
  nextAction: NextAction,
  capabilities: Capabilities,
  resume: Resume,
}

export const JourneyView = Closed(journeyFields)
export type JourneyView = Static<typeof JourneyView>

const PendingOperations = Type.Array(OneOf([...pendingOperations]))

export const JourneyDetail = Closed({
  ...journeyFields,
  createdAt: Instant,
  pendingOperations: PendingOperations,
  /** The metadata of the journey's creation. */
  metadata: AnyObject,
  /** The offer that the borrower proceeded with. */
  selectedOfferID: orNull(Uuid),
  /** Why the journey ended without a loan, as a text for the borrower. */
  endReason: TextOrNull,
  servicing: Type.Array(ServicingView),
})
export type JourneyDetail = Static<typeof JourneyDetail>

export const JourneyState = Closed({
  journeyID: Uuid,
  status: JourneyStatus,
  nextAction: NextAction,
  pendingOperations: PendingOperations,
  updatedAt: Instant,
})
export type JourneyState = Static<typeof JourneyState>

export const JourneyQuery = Closed({ type: Type.Optional(JourneyType), ...pageQuery })
export const JourneyList = Closed({ items: Type.Array(JourneyView), page: Page })

/** A client's own data on its journey or profile: at most 65,536 characters as JSON. */
export const Metadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  maxProperties: 50,
})

export const JourneyRequest = Closed({ type: JourneyType, metadata: Type.Optional(Metadata) })
export type JourneyRequest = Static<typeof JourneyRequest>

/** Null deletes a marker; an omitted marker stays. */
export const ResumeChange = Closed({
  lastCompletedStep: Type.Optional(
    Type.Union([FreeText(100), Type.Null()], { 'x-says': 'must be text of 1 to 100 characters' }),
  ),
  lastViewedOfferID: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: uuidPattern, 'x-says': 'must be a UUID' }),
  ),
})
export const ResumeRequest = Closed({ resume: ResumeChange })
export type ResumeRequest = Static<typeof ResumeRequest>
export const ResumeResult = Closed({ journeyID: Uuid, resume: Resume, updatedAt: Instant })

// Inbound messages are lenders' messages and internal events, such as timeouts. Each is applied once and in order.

import type { FieldError } from '@lendloom/foundation/refusal'
import type { Dialect, NetworkDomain, NetworkError } from '@lendloom/wire/network/context'
import type { AwaitedRequest, Callback } from '@lendloom/wire/network/sequence'
import type { Offer } from '@lendloom/wire/network/v230/search'
import type { FormPurpose } from '#platform/lenders/network/conversation.ts'
import type { LenderOrder, SearchResult } from '#platform/lenders/network/dialect.ts'
import type { InboundMove } from '#platform/lenders/network/stage.ts'

/** The sender of a callback, its timestamp, version and domain, from its signed context. */
export interface Sender {
  bppId: string
  bppUri: string
  sentAt: Date
  version: Dialect
  domain: NetworkDomain
}

interface InboundBase {
  inboundMessageId: string
  number: number
  /** Time of arrival, or of the internal event. */
  at: Date
  /** Whether it arrived after its deadline; of late messages, only first offers and catalogues are applied. */
  late: boolean
}

interface Catalogue {
  type: 'on_search'
  sender: Sender
  /** Null when the lender sent an error. */
  found: SearchResult | null
  /** The transition of the conversation; null for a broadcast, a rejection and an error. */
  move: InboundMove | null
  /** The lender's offer for a loan against mutual funds (FIS12 §10.2 row 3). */
  offer: Offer | null
  error: NetworkError | null
}

/** A lender's message about the loan: an order, or an error instead. */
export type LenderMessage<T extends LenderCallback = LenderCallback> = T extends T
  ? { type: T } & CallbackContent
  : never
type LenderCallback = Exclude<Callback, 'on_search'>

interface CallbackContent {
  sender: Sender
  order: LenderOrder | null
  error: NetworkError | null
  /** The transition that the conversation has already made; null for an error. */
  move: InboundMove | null
  /** Whether the message answers a request of ours. */
  solicited: boolean
}

interface FormAcceptance {
  type: 'form_accepted'
  purpose: FormPurpose
  submissionId: string
}

/**
 * The lender rejected a form; `fields` has the form's field names and is empty without details. `unfilled`: why we could
 * not fill the form in, so that the lender has decided nothing; absent in rows of earlier versions.
 */
interface FormRefusal {
  type: 'form_refused'
  purpose: FormPurpose
  fields: FieldError[]
  unfilled?: string
}

/** The receiver answered our message with a NACK, so no callback will follow. */
interface NackEvent {
  type: 'nacked'
  action: AwaitedRequest
  error: NetworkError
}

/** The request was not delivered, or not answered in time, despite retries. */
interface TimeoutEvent {
  type: 'unanswered'
  action: AwaitedRequest | 'form'
  purpose: FormPurpose | null
}

interface SearchEnd {
  type: 'search_closed'
}

/** The borrower resubmitted the profile for lenders that answered the search but whose form could not be submitted. */
interface ProfileResent {
  type: 'profile_resent'
}

/** The form for the chosen amount must be submitted: it is a second form about the borrower, or was not delivered. */
interface FormRequest {
  type: 'form_due'
  answers: { requestAmount: string; requestTerm: string }
}

/** The borrower opened the agreement page or returned from it. Some lenders never report the signature. */
interface AgreementVisit {
  type: 'agreement_visited'
  isBack: boolean
}

/** The borrower has left the lender's page, as the browser or our own page told (FIS12 §24, §26.2). */
interface PageLeft {
  type: 'page_left'
}

export type InboundContent = Catalogue | LenderMessage | InternalEvent
export type InboundType = InboundContent['type']
export type InboundMessage<T extends InboundType = InboundType> = InboundBase &
  (T extends LenderMessage['type'] ? LenderMessage & { type: T } : Extract<InboundContent, { type: T }>)

export type InternalEvent =
  | FormAcceptance
  | FormRefusal
  | NackEvent
  | TimeoutEvent
  | SearchEnd
  | ProfileResent
  | FormRequest
  | AgreementVisit
  | PageLeft

/**
 * Whether the lender says that the money is paid out, which counts even if the journey has expired. A lender with stops
 * says so before the loan has an order (FIS12 §26.2).
 */
export function reportsPayout(inbound: InboundMessage): boolean {
  if (!('move' in inbound)) return false
  if (inbound.move === 'disbursed' || inbound.move === 'paidOut') return true
  const order = 'order' in inbound ? inbound.order : null
  return (
    inbound.move === 'refreshed' && order?.state === 'DISBURSED' && (order.orderId === null || order.stops.length > 0)
  )
}

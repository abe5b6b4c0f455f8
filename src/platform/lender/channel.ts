// The interface of a lender channel: everything that journeys need from lenders.
import type { ServicingKind } from '#contract/headless/journey.ts'
import type { BankAccount } from '#contract/hosted/embed.ts'
import type { Language } from '#contract/language.ts'
import type { Pledge } from '#contract/network/v230/pledge.ts'
import type { Paise } from '#kit/money/money.ts'
import type { BorrowerDetails, ConsentOrigin } from '#platform/borrower/borrower.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey, StoredTerms } from '#platform/journey/journey.ts'

/** NETWORK: all lenders of the open network. PARTNER: the lending partners outside it. */
export type ChannelName = 'NETWORK' | 'PARTNER'

/** The part of an offer that its channel needs. */
export interface LenderOffer {
  tenantId: string
  journeyId: string
  offerId: string
  /** The channel's id of the lender's answer: a network conversation, or the partner's case. */
  conversationId: string
  terms: StoredTerms | null
  pledges: Pledge[]
}

/** The borrower's choice of an offer, with the channel, IP address and language in which the offer was displayed. */
export interface ChosenTerms {
  offer: LenderOffer
  answers: { requestAmount: string; requestTerm: string }
  branchId: string | null
  pledges: Pledge[]
  origin: ConsentOrigin
  language: Language
}

/** A borrower's request to the lender of a disbursed loan. */
export interface ServicingRequest {
  operationId: string
  kind: ServicingKind
  /** The amount of a part payment. */
  requestedPaise: Paise | null
}

/**
 * The result of a request. `requested`: a request was sent, this one or an earlier one that waited. `transfer`: the
 * lender has no payment page; `duePaise` is the amount due if known. `waiting`: the request waits, for earlier requests
 * or for the partner's next status.
 */
type ServicingOutcome =
  | { kind: 'requested'; operationId: string }
  | { kind: 'transfer'; duePaise: Paise | null }
  | { kind: 'waiting' }

/** Every method records its messages in the caller's transaction, under the journey's lock; they are sent after the commit. */
export interface LenderChannel {
  /** Requests offers from all lenders of the channel. `isRepeated`: an earlier search brought no decision. */
  requestOffers(
    ctx: TxContext,
    journey: Journey,
    request: { person: BorrowerDetails; isRepeated: boolean },
  ): Promise<void>
  /**
   * The borrower chose an offer: requests final terms from its lender, if on this channel; other lenders receive
   * nothing more.
   */
  select(ctx: TxContext, journey: Journey, chosen: ChosenTerms): Promise<void>
  /** The final terms of this offer were accepted. */
  accept(ctx: TxContext, journey: Journey, offer: LenderOffer): Promise<void>
  /**
   * The borrower declined this offer, with a reason if given. Throws `wrong-state` once its lender was notified
   * of the acceptance.
   */
  decline(ctx: TxContext, journey: Journey, offer: LenderOffer, because: string | null): Promise<void>
  /** The borrower withdrew the consent: no lender of the channel gets further messages. */
  withdraw(ctx: TxContext, journey: Journey): Promise<void>
  /** All offers have expired. */
  lapse(ctx: TxContext, journey: Journey): Promise<void>
  /** Submits the loan's account. Returns `verifying` when the lender will verify it, otherwise `accepted`. */
  submitAccount(
    ctx: TxContext,
    journey: Journey,
    offer: LenderOffer,
    account: BankAccount,
  ): Promise<'verifying' | 'accepted'>
  /** The borrower opened the lender's agreement page, or returned from it (`isBack`). `number` counts the visits. */
  agreementVisited(
    ctx: TxContext,
    journey: Journey,
    offer: LenderOffer,
    visit: { isBack: boolean; number: number },
  ): Promise<void>
  /** Sends a request to the lender. `unsent` lists all unsent requests, oldest first, including this one. */
  requestServicing(
    ctx: TxContext,
    offer: LenderOffer,
    request: ServicingRequest,
    unsent: readonly ServicingRequest[],
  ): Promise<ServicingOutcome>
  /** Requests the loan's status from the lender. Requests with the same `cause` count once. */
  refresh(ctx: TxContext, offer: LenderOffer, cause: string): Promise<void>
}

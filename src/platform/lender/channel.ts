// A channel to lenders: what journeys need of a lender, however it is reached.
import type { ServicingKind } from '#contract/headless/journey.ts'
import type { BankAccount } from '#contract/hosted/embed.ts'
import type { Language } from '#contract/language.ts'
import type { Pledge } from '#contract/network/v230/pledge.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import type { BorrowerDetails, ConsentPlace } from '#platform/borrower/borrower.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey, StoredTerms } from '#platform/journey/journey.ts'

/** NETWORK are all lenders of the open network, PARTNER is the one outside it. */
export type ChannelName = 'NETWORK' | 'PARTNER'

/** An offer as its channel knows it. */
export interface LenderOffer {
  tenantId: string
  journeyId: string
  offerId: string
  /** The channel's id of the lender's answer: a network conversation, or the partner's case. */
  conversationId: string
  terms: StoredTerms | null
  pledges: Pledge[]
}

/** The choice of an offer, with the place and language of its display. */
export interface ChosenTerms {
  offer: LenderOffer
  answers: { requestAmount: string; requestTerm: string }
  branchId: string | null
  pledges: Pledge[]
  place: ConsentPlace
  language: Language
}

/** A borrower's request to the lender of a disbursed loan. */
export interface ServicingRequest {
  operationId: string
  kind: ServicingKind
  /** The amount of a part that is repaid early. */
  requestedPaise: Paise | null
}

/**
 * The result of a request: `requested` names the request at the lender, which may be an earlier one that waited ·
 * `transfer` the lender has no payment page; `duePaise` is the known amount due · `waiting` for earlier requests, or
 * for an unrequested answer.
 */
type ServicingOutcome =
  | { kind: 'requested'; operationId: string }
  | { kind: 'transfer'; duePaise: Paise | null }
  | { kind: 'waiting' }

/**
 * Every act records its messages in the caller's transaction, under the journey's lock; they are sent after the commit.
 */
export interface LenderChannel {
  /** Asks all lenders of the channel for offers. `isRepeated` after a search without any decision. */
  requestOffers(
    ctx: TxContext,
    journey: Journey,
    request: { person: BorrowerDetails; isRepeated: boolean },
  ): Promise<void>
  /** Whether the channel will ask a lender that is not listed yet: until then the journey cannot end without offers. */
  hasUnlisted(tx: Tx, ctx: Context, journey: Journey): Promise<boolean>
  /**
   * The borrower chose an offer: its lender, if on this channel, is asked for final terms; other lenders receive
   * nothing more.
   */
  select(ctx: TxContext, journey: Journey, chosen: ChosenTerms): Promise<void>
  /** The final terms of this offer were accepted. */
  accept(ctx: TxContext, journey: Journey, offer: LenderOffer): Promise<void>
  /**
   * The borrower declined this offer, with their reason if given. Refused as `wrong-state` once its lender was notified
   * of the acceptance.
   */
  decline(ctx: TxContext, journey: Journey, offer: LenderOffer, because: string | null): Promise<void>
  /** The borrower withdrew the consent: no lender of the channel gets further messages. */
  withdraw(ctx: TxContext, journey: Journey): Promise<void>
  /** No offer is valid any more. */
  lapse(ctx: TxContext, journey: Journey): Promise<void>
  /** Submits the loan's account: `verifying` when its lender will verify it, `taken` otherwise. */
  submitAccount(
    ctx: TxContext,
    journey: Journey,
    offer: LenderOffer,
    account: BankAccount,
  ): Promise<'verifying' | 'taken'>
  /** The borrower opened the lender's page of the agreement, or `isBack` from it. `visit` counts the openings. */
  agreementVisited(
    ctx: TxContext,
    journey: Journey,
    offer: LenderOffer,
    visit: { isBack: boolean; number: number },
  ): Promise<void>
  /** Puts a request to the lender. `unasked` are all that it was not asked yet, the oldest first, this one among them. */
  requestServicing(
    ctx: TxContext,
    offer: LenderOffer,
    request: ServicingRequest,
    unsent: readonly ServicingRequest[],
  ): Promise<ServicingOutcome>
  /** Asks the lender for the loan's state; `cause` names the occasion. */
  refresh(ctx: TxContext, offer: LenderOffer, cause: string): Promise<void>
}

// The interface of a lender channel: everything that journeys need from lenders.

import type { Language } from '@lendloom/lending/language'
import type { Paise } from '@lendloom/lending/money'
import type { Pledge } from '@lendloom/lending/pledge'
import type { Fragment, Run } from '@lendloom/postgres/sql'
import type { ServicingKind } from '@lendloom/wire/headless/journey'
import type { BankAccount } from '@lendloom/wire/hosted/embed-requests'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import type { ConsentOrigin } from '#platform/lending/borrower/consent.ts'
import type { Installment } from '#platform/lending/journey/installment.ts'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'
import type { StoredTerms } from '#platform/lending/journey/stored-terms.ts'
import type { LenderKey } from './switch/store.ts'

/** NETWORK: all lenders of the open network. PARTNER: the lending partners outside it. */
export type ChannelName = 'NETWORK' | 'PARTNER'

/** The part of an offer that its channel needs. */
export interface LenderOffer {
  tenantId: string
  journeyId: string
  offerId: string
  /** Id of the network conversation, or of the partner's case, that led to the offer. */
  conversationId: string
  terms: StoredTerms | null
  installments: Installment[]
  pledges: Pledge[]
}

/** The borrower's choice of an offer, with the channel, IP address and language in which the offer was displayed. */
export interface ChosenTerms {
  offer: LenderOffer
  branchId: string | null
  pledges: Pledge[]
  origin: ConsentOrigin
  language: Language
}

/** A borrower's request to the lender of a disbursed loan. */
export interface ServicingRequest {
  operationId: string
  kind: ServicingKind
  requestedPaise: Paise | null
  serialNumber: number | null
}

/**
 * The result of a request. `requested`: the oldest unsent request was sent. `transfer`: the borrower pays by bank
 * transfer, because the lender has no payment page, and reports the payment at `claimUrl`; `duePaise` is null if the
 * amount is unknown. `waiting`: the request waits until earlier requests are answered, or until the partner reports its
 * next status.
 */
type ServicingResult =
  | { kind: 'requested'; operationId: string }
  | { kind: 'transfer'; claimUrl: string; duePaise: Paise | null }
  | { kind: 'waiting' }

/** The borrower's acts about drawdowns from a credit line, at a channel whose lenders may take them. */
export interface Drawdowns<Ctx> {
  /** Whether the lender of this credit line takes drawdowns here, and not only at its own place. */
  arePossible(ctx: Ctx, offer: LenderOffer): Promise<boolean>
  /** Asks the lender for the terms of a drawdown. */
  request(ctx: Ctx, offer: LenderOffer, drawdown: DrawdownRequest): Promise<void>
  /** Tells the lender that the borrower agrees to its terms. */
  agree(ctx: Ctx, offer: LenderOffer, drawdown: DrawdownRequest): Promise<void>
  /** Handles that the borrower does not want a drawdown any more, to which no agreement was sent. */
  leave(ctx: Ctx, offer: LenderOffer, drawdown: DrawdownRequest): Promise<void>
}

/** A drawdown, as its lender needs it. */
export interface DrawdownRequest {
  drawdownId: string
  requestedPaise: Paise
}

/**
 * The caller holds the journey's lock. Methods only record messages, which are sent after the caller's commit. `Ctx` is
 * the context of an act. It contains the channels, so that this file cannot import it.
 */
export interface LenderChannel<Ctx> {
  /** Requests offers from all lenders of the channel. `isRepeated`: no lender decided after an earlier search. */
  requestOffers(ctx: Ctx, journey: Journey, request: { person: BorrowerDetails; isRepeated: boolean }): Promise<void>
  /** Requests the final terms of the chosen offer if its lender is on this channel, and ends all other applications. */
  select(ctx: Ctx, journey: Journey, chosen: ChosenTerms): Promise<void>
  /** Handles the borrower's acceptance of the final terms. */
  accept(ctx: Ctx, journey: Journey, offer: LenderOffer): Promise<void>
  /** Handles the borrower's refusal of the offer. Throws `wrong-state` once the lender was sent an acceptance. */
  decline(ctx: Ctx, journey: Journey, offer: LenderOffer, reason: string | null): Promise<void>
  /** Ends all applications on the channel, because the borrower withdrew the consent. */
  withdraw(ctx: Ctx, journey: Journey): Promise<void>
  /** Ends all applications on the channel, because their offers have expired. */
  lapse(ctx: Ctx, journey: Journey): Promise<void>
  /** Submits the bank account. Returns `verifying` if the lender must still check data, otherwise `accepted`. */
  submitAccount(ctx: Ctx, journey: Journey, offer: LenderOffer, account: BankAccount): Promise<'verifying' | 'accepted'>
  /**
   * Handles the borrower's return from the page of the lender that is due, if `isBack`, or else the opening of the
   * agreement. `number` counts the visits of the page.
   */
  pageVisited(ctx: Ctx, journey: Journey, offer: LenderOffer, visit: { isBack: boolean; number: number }): Promise<void>
  /** Whether the lender of the loan takes payments outside the schedule here, and not only at its own place. */
  takesPayments(ctx: Ctx, journey: Journey, offer: LenderOffer): Promise<boolean>
  /** Returns the instalment that the borrower pays as a missed one: the oldest, because lenders allocate to it. */
  missedInstalment(ctx: Ctx, offer: LenderOffer): Promise<Installment | undefined>
  /** Sends a request to the lender. `unsent` lists all unsent requests, oldest first, including this one. */
  requestServicing(
    ctx: Ctx,
    offer: LenderOffer,
    request: ServicingRequest,
    unsent: readonly ServicingRequest[],
  ): Promise<ServicingResult>
  /** Null for a channel without credit lines that are drawn here. */
  drawdowns: Drawdowns<Ctx> | null
  /** Requests the loan's status from the lender. A partner receives only one request per `cause`. */
  refresh(ctx: Ctx, offer: LenderOffer, cause: string): Promise<void>
  /** SQL that selects the `lender_id` of the lenders that have received the borrower's data. */
  informedLenders(journey: JourneyKey): Fragment
  /** SQL condition: a lender of `journey` has reported its payout, and not recorded the loan yet. */
  hasPaidOut: Fragment
  /** SQL condition: the lender of the awaited offer `o` has more time than the offer window. */
  hasMoreTime: Fragment
  /** Whether a lender that was asked has no offer yet, not even an awaited one. */
  hasUnlistedLender(db: Run, journey: JourneyKey): Promise<boolean>
  /** Whether the channel has this lender, even if no journey has met it. */
  hasLender(db: Run, lender: LenderKey): Promise<boolean>
}

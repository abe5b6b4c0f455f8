// A borrower's conversation with a lender: statuses, moves and facts (FIS12 §8.1, §9.1).

import { next, type Table } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Paise } from '@lendloom/lending/money'
import type { Assessment } from '@lendloom/lending/terms'
import type { ContractTerms } from '@lendloom/wire/network/contract-terms'
import type { FinderFee } from '@lendloom/wire/network/v203/settlement'
import type { CatalogProduct } from '@lendloom/wire/network/v203/variant'
import type { FaultScenario } from '@lendloom/wire/sandbox/fault-rules'
import type { LenderVersion } from '#sandbox/core/lender-version.ts'

/** The products of the sandbox's lenders. A product determines the pledge and the dialect. */
export type LoanProduct = CatalogProduct | 'LAMF'

export type LoanStatus =
  | 'SEARCHED' // on_search sent, the profile form is open
  | 'PROFILED'
  | 'CONSENTING' // the borrower must share bank data first
  | 'OFFERED' // first on_select sent, the amount form is open
  | 'CHOSEN'
  | 'QUOTED' // revised quote sent; the KYC page is open (gold loan: the branch page)
  | 'BOOKED' // the borrower must bring the gold to the branch
  | 'VISITED' // the branch appraised the gold, and the borrower signed
  | 'IDENTIFIED'
  | 'INITIATED' // the bank form is open (loan against mutual funds: the KYC page or the combined page)
  | 'PLEDGING' // the registrar's page is open
  | 'PLEDGED'
  | 'ACCOUNTED'
  | 'MANDATING' // the mandate page is open
  | 'MANDATED'
  | 'AGREEING' // the agreement page is open
  | 'SIGNED' // with stops, the lender pays out before the confirmation
  | 'READY' // every step is done, and the buyer app may confirm
  | 'SANCTIONED'
  | 'DISBURSED' // with stops, the order exists only after the confirmation
  | 'REFUSED' // the lender declined
  | 'REJECTED' // a step failed for good
  | 'EXPIRED'

export type LoanMove =
  | 'profile'
  | 'ask'
  | 'offer'
  | 'amount'
  | 'quote'
  | 'identify'
  | 'book'
  | 'visit'
  | 'initiate'
  | 'account'
  | 'verify'
  | 'disprove'
  | 'mandate'
  | 'draft'
  | 'sign'
  | 'pledge'
  | 'mark'
  | 'completeAll' // the combined page with all steps is completed
  | 'makeReady' // the lender answers the request after the last page
  | 'sanction'
  | 'disburse'
  | 'refuse'
  | 'reject'
  | 'lapse'

type ConversationState = Pick<Conversation, 'status'>
type Moves = { moves: Table<LoanStatus, LoanMove> }

/** The status after a move; undefined when the move is not possible now. */
export const nextStatus = ({ moves }: Moves, { status }: ConversationState, move: LoanMove): LoanStatus | undefined =>
  next(moves, status, move)

/** A table without moves, which products extend. */
export const noMoves: Table<LoanStatus, LoanMove> = {
  SEARCHED: {},
  PROFILED: {},
  CONSENTING: {},
  OFFERED: {},
  CHOSEN: {},
  QUOTED: {},
  BOOKED: {},
  VISITED: {},
  IDENTIFIED: {},
  INITIATED: {},
  PLEDGING: {},
  PLEDGED: {},
  ACCOUNTED: {},
  MANDATING: {},
  MANDATED: {},
  AGREEING: {},
  SIGNED: {},
  READY: {},
  SANCTIONED: {},
  DISBURSED: {},
  REFUSED: {},
  REJECTED: {},
  EXPIRED: {},
}

/** The stored conversation. Facts are null until the step that sets them. */
export interface Conversation {
  conversationId: string
  lender: string
  transactionId: string
  product: LoanProduct
  /** The version of the network in which the lender answers; null for the product's own. */
  version: LenderVersion | null
  /** How the lender assesses, if not in its usual way. */
  assessment: Assessment | null
  bapId: string
  bapUri: string
  /** The buyer app's address in the directory, when its own message has no reachable port. */
  bapAddress: string | null
  status: LoanStatus
  scenario: FaultScenario | null
  offeredPrincipal: Paise | null
  offeredMonths: number | null
  annualBps: bigint | null
  principal: Paise | null
  months: number | null
  /** Gold loans only: the pledge, the chosen branch, and the time of the visit. */
  goldMilligrams: bigint | null
  goldPurity: Purity | null
  branchId: string | null
  visitAt: Date | null
  /** The offer's validity as an ISO 8601 duration, and its end. */
  offerTtl: string | null
  lapsesAt: Date | null
  /** The day in India from which instalments are counted. */
  agreedOn: string | null
  /** Consents at the account aggregator: before the offer, and after the sanction. */
  consentHandle: string | null
  monitoringHandle: string | null
  orderId: string | null
  sanctionedAt: Date | null
  disbursedAt: Date | null
  /** The drawn part of a credit line, and when it last changed; null before the first drawdown. */
  drawn: Paise | null
  drawnAt: Date | null
  /** Only of a drawdown: the conversation of its credit line. */
  lineId: string | null
  /** The buyer app's fee, from its newest message. */
  finderFee: FinderFee | null
  /** The buyer app's terms, which only the confirmation of a loan with stops states. */
  buyerTerms: ContractTerms | null
  paymentId: string | null
  createdAt: Date
  updatedAt: Date
}

export interface Pledge {
  /** The net weight, without stones. */
  milligrams: bigint
  purity: Purity
}

/** The network's spelling, including the lower-case letter (FIS12 §7.7). */
export const purities = ['24K', '22K', '21K', '18k', '14K', '9K'] as const
export type Purity = (typeof purities)[number]

/** The gold that secures the loan; null for other loans. */
export const pledgeOf = ({
  goldMilligrams,
  goldPurity,
}: Pick<Conversation, 'goldMilligrams' | 'goldPurity'>): Pledge | null =>
  goldMilligrams === null || goldPurity === null ? null : { milligrams: goldMilligrams, purity: goldPurity }

/** Returns the gold that secures the loan. */
export const requirePledge = (conversation: Conversation): Pledge => required(pledgeOf(conversation), 'pledged gold')

/** The borrower's account, which is credited and debited. */
export interface BorrowerAccount {
  holder: string
  type: 'current' | 'saving'
  number: string
  ifsc: string
}

/** The status after a move. Throws `wrong-state` when the move is not possible now. */
export function requireNextStatus(product: Moves, conversation: ConversationState, move: LoanMove): LoanStatus {
  const to = nextStatus(product, conversation, move)
  if (to === undefined) throw new Refusal('wrong-state', `${move} is not possible while ${conversation.status}`)
  return to
}

/** Whether the offer lapsed before its acceptance, which identification or the branch visit completes. */
export const hasLapsed = (
  product: Moves,
  conversation: ConversationState & Pick<Conversation, 'lapsesAt'>,
  at: Date,
): boolean =>
  conversation.lapsesAt !== null &&
  at >= conversation.lapsesAt &&
  nextStatus(product, conversation, 'lapse') !== undefined

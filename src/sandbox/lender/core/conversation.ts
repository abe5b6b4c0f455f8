// One borrower's conversation with one lender: its statuses, and the moves between them (FIS12 §8.1, §9.1).

import type { Assessment, CatalogProduct } from '#contract/network/v203/search.ts'
import type { FinderFee } from '#contract/network/v203/settlement.ts'
import type { FaultScenario } from '#contract/sandbox/fault-rules.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Paise } from '#kit/money/money.ts'
import { next, type Table } from '#kit/runtime/machine.ts'
import { required } from '#kit/runtime/record.ts'

/** Everything that is lent here; what is pledged for it follows from it, and so does the dialect. */
export type LoanProduct = CatalogProduct | 'LAMF'

export type LoanStatus =
  | 'SEARCHED' // on_search sent, the profile form is open
  | 'PROFILED'
  | 'CONSENTING' // the borrower is to share bank data first
  | 'OFFERED' // first on_select sent, the amount form is open
  | 'CHOSEN'
  | 'QUOTED' // revised quote sent, the KYC page is open; of a gold loan, the page of the branch
  | 'BOOKED' // the borrower must bring the gold to the branch
  | 'VISITED' // it was appraised there, and the borrower has signed
  | 'IDENTIFIED'
  | 'INITIATED' // the bank form is open; of a loan against mutual funds, the KYC page, or the one page for everything
  | 'PLEDGING' // the registrar's page is open
  | 'PLEDGED'
  | 'ACCOUNTED'
  | 'MANDATING' // the mandate page is open
  | 'MANDATED'
  | 'AGREEING' // the agreement page is open
  | 'SIGNED'
  | 'READY' // every step is done, and the buyer app may confirm
  | 'SANCTIONED'
  | 'DISBURSED'
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
  | 'finish'
  | 'conclude'
  | 'sanction'
  | 'disburse'
  | 'refuse'
  | 'reject'
  | 'lapse'

type ConversationState = Pick<Conversation, 'status'>
/** Which moves are possible in a conversation; each product has its own table. */
type Moves = { moves: Table<LoanStatus, LoanMove> }

/** The status a move leads to; undefined when it is not possible now. */
export const whereTo = ({ moves }: Moves, { status }: ConversationState, move: LoanMove): LoanStatus | undefined =>
  next(moves, status, move)

/** A table to begin from: from nowhere to anywhere. */
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

/** The conversation as it is kept; amounts are set when the step that fixes them is done. */
export interface Conversation {
  conversationId: string
  lender: string
  transactionId: string
  product: LoanProduct
  /** How it judges here, where that is not its usual way. */
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
  /** A gold loan only: what is pledged, the branch that was chosen for it, and when it is brought there. */
  goldMilligrams: bigint | null
  goldPurity: Purity | null
  branchId: string | null
  visitAt: Date | null
  /** The offer's validity as an ISO 8601 duration, and its end. */
  offerTtl: string | null
  lapsesAt: Date | null
  /** The day in India from which instalments are counted. */
  agreedOn: string | null
  /** At the account aggregator: before the offer, and after the sanction. */
  consentHandle: string | null
  monitoringHandle: string | null
  orderId: string | null
  sanctionedAt: Date | null
  disbursedAt: Date | null
  /** What of a credit line is drawn, in paise, and when that changed last; null before it is drawn on. */
  drawn: Paise | null
  drawnAt: Date | null
  /** The buyer app's fee, from its newest message. */
  finderFee: FinderFee | null
  /** The settlement payment, once initiated. */
  paymentId: string | null
  createdAt: Date
  updatedAt: Date
}

/** What a borrower of a gold loan brings. */
export interface Pledge {
  /** The net weight, without stones. */
  milligrams: bigint
  purity: Purity
}

/** As the network spells them, the one lower-case letter included (FIS12 §7.7). */
export const purities = ['24K', '22K', '21K', '18k', '14K', '9K'] as const
export type Purity = (typeof purities)[number]

/** The gold that secures the loan; null where nothing does. */
export const pledgeOf = ({
  goldMilligrams,
  goldPurity,
}: Pick<Conversation, 'goldMilligrams' | 'goldPurity'>): Pledge | null =>
  goldMilligrams === null || goldPurity === null ? null : { milligrams: goldMilligrams, purity: goldPurity }

/** The same of a gold loan, whose application named it. */
export const requirePledge = (conversation: Conversation): Pledge =>
  required(pledgeOf(conversation), 'gold that is pledged')

/** The borrower's own account: paid into, and debited. */
export interface BorrowerAccount {
  holder: string
  type: 'current' | 'saving'
  number: string
  ifsc: string
}

/** The status a move leads to. Refuses a move that is not possible now. */
export function moved(product: Moves, conversation: ConversationState, move: LoanMove): LoanStatus {
  const to = whereTo(product, conversation, move)
  if (to === undefined) throw new Refusal('wrong-state', `${move} is not possible while ${conversation.status}`)
  return to
}

/** Whether the offer lapsed before it was accepted; identification, or the visit to the branch, is the last moment of acceptance. */
export const hasLapsed = (
  product: Moves,
  conversation: ConversationState & Pick<Conversation, 'lapsesAt'>,
  at: Date,
): boolean =>
  conversation.lapsesAt !== null && at >= conversation.lapsesAt && whereTo(product, conversation, 'lapse') !== undefined

// One borrower's conversation with one lender: its statuses, and the order of the messages as a table (FIS12 §8.1, §9.1).
import type { Dialect } from '#contract/network/context.ts'
import type { Assessment, Product } from '#contract/network/v203/product.ts'
import type { FinderFee } from '#contract/network/v203/settlement.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Paise } from '#kit/money/money.ts'
import { next, type Table } from '#kit/runtime/machine.ts'
import type { Pledge, Purity } from '#sandbox/lender/gold-loan/valuation.ts'
import type { FaultScenario } from './fault-scenarios.ts'

/** Everything that is lent here; what is pledged for it follows from it, and so does the dialect. */
export type LoanProduct = Product | 'LAMF'

export const dialectOf = ({ product }: { product: LoanProduct }): Dialect => (product === 'LAMF' ? '2.3.0' : '2.0.3')

export type Status =
  | 'SEARCHED' // on_search sent, the profile form is open
  | 'PROFILED'
  | 'CONSENTING' // the borrower is to share bank data first
  | 'OFFERED' // first on_select sent, the amount form is open
  | 'CHOSEN'
  | 'QUOTED' // revised quote sent, the KYC page is open; of a gold loan, the page of the branch
  | 'BOOKED' // the gold is to be brought to the branch
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

export type Move =
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

const unpledged: Table<Status, Move> = {
  SEARCHED: { profile: 'PROFILED' },
  PROFILED: { profile: 'PROFILED', ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  CONSENTING: { ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  OFFERED: { amount: 'CHOSEN', lapse: 'EXPIRED' },
  CHOSEN: { amount: 'CHOSEN', quote: 'QUOTED', refuse: 'REFUSED', lapse: 'EXPIRED' },
  QUOTED: { amount: 'CHOSEN', identify: 'IDENTIFIED', book: 'BOOKED', reject: 'REJECTED', lapse: 'EXPIRED' },
  BOOKED: { visit: 'VISITED', reject: 'REJECTED', lapse: 'EXPIRED' },
  VISITED: { sanction: 'SANCTIONED' },
  // Two more ways, where the lender sees to account and mandate itself: only the agreement is left, or nothing is (FIS12 §19.3).
  IDENTIFIED: { initiate: 'INITIATED', draft: 'AGREEING', conclude: 'READY', lapse: 'EXPIRED' },
  INITIATED: { account: 'ACCOUNTED' },
  ACCOUNTED: { account: 'ACCOUNTED', verify: 'MANDATING', disprove: 'INITIATED' },
  MANDATING: { mandate: 'MANDATED', reject: 'REJECTED' },
  MANDATED: { draft: 'AGREEING' },
  AGREEING: { sign: 'SIGNED', reject: 'REJECTED' },
  SIGNED: { sanction: 'SANCTIONED' },
  SANCTIONED: { disburse: 'DISBURSED' },
  PLEDGING: {},
  PLEDGED: {},
  READY: { sanction: 'SANCTIONED' },
  DISBURSED: {},
  REFUSED: {},
  REJECTED: {},
  EXPIRED: {},
}

/** A loan against mutual funds has its form in the search, its account in the first `init`, and ends its pages with a last one. */
const pledged: Table<Status, Move> = {
  ...(Object.fromEntries(Object.keys(unpledged).map((status) => [status, {}])) as Table<Status, Move>),
  SEARCHED: { ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  CONSENTING: { ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  OFFERED: { ask: 'CONSENTING', offer: 'OFFERED', quote: 'QUOTED', refuse: 'REFUSED', lapse: 'EXPIRED' },
  QUOTED: { quote: 'QUOTED', initiate: 'INITIATED', refuse: 'REFUSED', lapse: 'EXPIRED' },
  INITIATED: { identify: 'IDENTIFIED', finish: 'SIGNED', reject: 'REJECTED', lapse: 'EXPIRED' },
  IDENTIFIED: { pledge: 'PLEDGING', lapse: 'EXPIRED' },
  PLEDGING: { mark: 'PLEDGED', reject: 'REJECTED' },
  PLEDGED: { verify: 'MANDATING' },
  MANDATING: { mandate: 'MANDATED', reject: 'REJECTED' },
  MANDATED: { draft: 'AGREEING' },
  AGREEING: { sign: 'SIGNED', reject: 'REJECTED' },
  SIGNED: { conclude: 'READY' },
  READY: { sanction: 'SANCTIONED' },
  SANCTIONED: { disburse: 'DISBURSED' },
}

type ConversationStatus = Pick<Conversation, 'status' | 'product'>

/** Which moves are possible in a conversation about this. */
export const tableOf = ({ product }: Pick<Conversation, 'product'>): Table<Status, Move> =>
  product === 'LAMF' ? pledged : unpledged

/** The status a move leads to; undefined when it is not possible now. */
export const whereTo = (report: ConversationStatus, move: Move): Status | undefined =>
  next(tableOf(report), report.status, move)

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
  /** Where the directory says that the buyer app is, where its own word has no port to be reached at. */
  bapAddress: string | null
  status: Status
  scenario: FaultScenario | null
  offeredPrincipal: Paise | null
  offeredMonths: number | null
  annualBps: bigint | null
  principal: Paise | null
  months: number | null
  /** Of a gold loan: what is pledged, the branch that was chosen for it, and when it is brought there. */
  goldMilligrams: bigint | null
  goldPurity: Purity | null
  branchId: string | null
  visitAt: Date | null
  /** How long the offer stands, as an ISO 8601 duration, and until when. */
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
  /** What the buyer app is owed, as it said; kept from its newest word. */
  finderFee: FinderFee | null
  /** The settlement payment, once initiated. */
  paymentId: string | null
  createdAt: Date
  updatedAt: Date
}

/** The gold that secures the loan; null where nothing does. */
export const pledgeOf = ({
  goldMilligrams,
  goldPurity,
}: Pick<Conversation, 'goldMilligrams' | 'goldPurity'>): Pledge | null =>
  goldMilligrams === null || goldPurity === null ? null : { milligrams: goldMilligrams, purity: goldPurity }

/** The borrower's own account: paid into, and debited. */
export interface Account {
  holder: string
  type: 'current' | 'saving'
  number: string
  ifsc: string
}

/** The status a move leads to. Refuses a move that is not possible now. */
export function moved(report: ConversationStatus, move: Move): Status {
  const to = whereTo(report, move)
  if (to === undefined) throw new Refusal('wrong-state', `${move} is not possible while ${report.status}`)
  return to
}

/** Whether the offer lapsed before it was accepted; identification, or the visit to the branch, is the last moment of acceptance. */
export const hasLapsed = (report: ConversationStatus & Pick<Conversation, 'lapsesAt'>, at: Date): boolean =>
  report.lapsesAt !== null && at >= report.lapsesAt && whereTo(report, 'lapse') !== undefined

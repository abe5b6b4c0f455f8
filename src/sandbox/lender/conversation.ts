// One borrower's conversation with one lender: its statuses, and the order of the messages as a table (FIS12 §8.1, §9.1).
import type { Product } from '#contract/network/v203/product.ts'
import type { FinderFee } from '#contract/network/v203/settlement.ts'
import { next, type Table } from '#kit/machine.ts'
import type { Paise } from '#kit/money.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Pledge, Purity } from './gold/valuation.ts'
import type { Twist } from './rules.ts'

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
  | 'INITIATED' // the bank form is open
  | 'ACCOUNTED'
  | 'MANDATING' // the mandate page is open
  | 'MANDATED'
  | 'AGREEING' // the agreement page is open
  | 'SIGNED'
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
  | 'sanction'
  | 'disburse'
  | 'refuse'
  | 'reject'
  | 'lapse'

export const conversation: Table<Status, Move> = {
  SEARCHED: { profile: 'PROFILED' },
  PROFILED: { profile: 'PROFILED', ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  CONSENTING: { ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  OFFERED: { amount: 'CHOSEN', lapse: 'EXPIRED' },
  CHOSEN: { amount: 'CHOSEN', quote: 'QUOTED', refuse: 'REFUSED', lapse: 'EXPIRED' },
  QUOTED: { amount: 'CHOSEN', identify: 'IDENTIFIED', book: 'BOOKED', reject: 'REJECTED', lapse: 'EXPIRED' },
  BOOKED: { visit: 'VISITED', reject: 'REJECTED', lapse: 'EXPIRED' },
  VISITED: { sanction: 'SANCTIONED' },
  IDENTIFIED: { initiate: 'INITIATED', lapse: 'EXPIRED' },
  INITIATED: { account: 'ACCOUNTED' },
  ACCOUNTED: { account: 'ACCOUNTED', verify: 'MANDATING', disprove: 'INITIATED' },
  MANDATING: { mandate: 'MANDATED', reject: 'REJECTED' },
  MANDATED: { draft: 'AGREEING' },
  AGREEING: { sign: 'SIGNED', reject: 'REJECTED' },
  SIGNED: { sanction: 'SANCTIONED' },
  SANCTIONED: { disburse: 'DISBURSED' },
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
  product: Product
  bapId: string
  bapUri: string
  status: Status
  twist: Twist | null
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
export function moved({ status }: Pick<Conversation, 'status'>, move: Move): Status {
  const to = next(conversation, status, move)
  if (to === undefined) throw new Refusal('wrong-state', `${move} is not possible while ${status}`)
  return to
}

/** Whether the offer lapsed before it was accepted; identification, or the visit to the branch, is the last moment of acceptance. */
export const hasLapsed = ({ status, lapsesAt }: Pick<Conversation, 'status' | 'lapsesAt'>, at: Date): boolean =>
  lapsesAt !== null && at >= lapsesAt && next(conversation, status, 'lapse') !== undefined

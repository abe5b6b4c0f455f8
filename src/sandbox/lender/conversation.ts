// One borrower's conversation with one lender: its statuses, and the order of the messages as a table (FIS12 §8.1).
import type { Callback, Request } from '#contract/network/sequence.ts'
import type { Heading, PageKind } from '#contract/network/v203/page.ts'
import type { FinderFee } from '#contract/network/v203/settlement.ts'
import { next, type Table } from '#kit/machine.ts'
import type { Paise } from '#kit/money.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Twist } from './rules.ts'

export type Status =
  | 'SEARCHED' // on_search sent, the profile form is open
  | 'PROFILED'
  | 'CONSENTING' // the borrower is to share bank data first
  | 'OFFERED' // first on_select sent, the amount form is open
  | 'CHOSEN'
  | 'QUOTED' // revised quote sent, the KYC page is open
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
  QUOTED: { amount: 'CHOSEN', identify: 'IDENTIFIED', reject: 'REJECTED', lapse: 'EXPIRED' },
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

/**
 * A step: a form or page that the borrower completes, the request in which the buyer app then names it, and what that
 * request does. The next step's form travels in the callback. A step that comes in between is a row added here.
 */
export interface Step {
  heading: Heading
  formId: string
  mimeType: PageKind
  /** The headings of the stage it belongs to, as its form names them. */
  headings: readonly Heading[]
  /** The move that completing the form makes, and how the network spells that success. */
  filled: Move
  success: 'SUCCESS' | 'APPROVED' | 'COMPLETED'
  request: Request
  callback: Callback
  /** The move that the request makes, and where it leads: a request repeated from there is answered again. */
  move: Move
  after: Status
}

const select = { request: 'select', callback: 'on_select' } as const
const init = { request: 'init', callback: 'on_init' } as const
const choosing = ['SET_LOAN_AMOUNT', 'KYC'] as const
const closing = ['ACCOUNT_INFORMATION', 'EMANDATE', 'LOAN_AGREEMENT'] as const

export const steps: readonly Step[] = [
  {
    heading: 'PERSONAL_INFORMATION',
    formId: 'FORM-PROFILE',
    mimeType: 'text/html',
    headings: ['PERSONAL_INFORMATION'],
    filled: 'profile',
    success: 'SUCCESS',
    ...select,
    move: 'offer',
    after: 'OFFERED',
  },
  {
    heading: 'SET_LOAN_AMOUNT',
    formId: 'FORM-AMOUNT',
    mimeType: 'text/html',
    headings: choosing,
    filled: 'amount',
    success: 'SUCCESS',
    ...select,
    move: 'quote',
    after: 'QUOTED',
  },
  {
    heading: 'KYC',
    formId: 'FORM-KYC',
    mimeType: 'application/html',
    headings: choosing,
    filled: 'identify',
    success: 'APPROVED',
    ...init,
    move: 'initiate',
    after: 'INITIATED',
  },
  {
    heading: 'ACCOUNT_INFORMATION',
    formId: 'FORM-BANK',
    mimeType: 'text/html',
    headings: closing,
    filled: 'account',
    success: 'SUCCESS',
    ...init,
    move: 'verify',
    after: 'MANDATING',
  },
  {
    heading: 'EMANDATE',
    formId: 'FORM-MANDATE',
    mimeType: 'application/html',
    headings: closing,
    filled: 'mandate',
    success: 'COMPLETED',
    ...init,
    move: 'draft',
    after: 'AGREEING',
  },
  {
    heading: 'LOAN_AGREEMENT',
    formId: 'FORM-ESIGN',
    mimeType: 'application/html',
    headings: closing,
    filled: 'sign',
    success: 'APPROVED',
    request: 'confirm',
    callback: 'on_confirm',
    move: 'sanction',
    after: 'SANCTIONED',
  },
]

export const stepOf = (heading: Heading): Step => steps.find((step) => step.heading === heading)!
export const stepOfForm = (formId: string): Step | undefined => steps.find((step) => step.formId === formId)

/** The conversation as it is kept; amounts are set when the step that fixes them is done. */
export interface Conversation {
  conversationId: string
  lender: string
  transactionId: string
  bapId: string
  bapUri: string
  status: Status
  twist: Twist | null
  offeredPrincipal: Paise | null
  offeredMonths: number | null
  annualBps: bigint | null
  principal: Paise | null
  months: number | null
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

/** Whether the offer lapsed before it was accepted; identification is the last moment of acceptance. */
export const hasLapsed = ({ status, lapsesAt }: Pick<Conversation, 'status' | 'lapsesAt'>, at: Date): boolean =>
  lapsesAt !== null && at >= lapsesAt && next(conversation, status, 'lapse') !== undefined

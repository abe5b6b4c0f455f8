// What a partner event reports in words: its subject, amount, status and reason.

import { isKeyOf } from '@lendloom/foundation/record'
import type { EventFacts } from '@lendloom/wire/console/partner-events'
import { returnCodes } from '@lendloom/wire/exchange/return-code-text'
import { inlineLabelOf, labelOf, rupees } from '../ui/code-labels.ts'

const subjects: Record<string, string> = {
  LEAD_REGISTERED: 'Application registered:',
  MANUAL_REVIEW_DECIDED: 'Loan application',
  OFFER_DECISION_RECORDED: 'Offer',
  OFFER_DECISION_CONFIRMED: 'Confirmed: offer',
  KYC_UPDATED: 'KYC',
  KYC_REVIEW_DECIDED: 'Lender’s KYC review:',
  MANDATE_UPDATED: 'Mandate',
  ESIGN_UPDATED: 'E-sign',
  DISBURSEMENT_UPDATED: 'Payout',
  PAYMENT_CLAIM_SUBMITTED: 'Claimed payment',
  PAYMENT_UPDATED: 'Payment',
  LOAN_STATUS_UPDATED: 'Loan',
  EVENT_PROCESSING_FAILED: 'Event not applied:',
}

const statusWords: Record<string, string> = {
  ACCEPT: 'accepted',
  REJECT: 'rejected',
  EXPIRE: 'expired',
  'DISBURSEMENT_UPDATED.DISBURSED': 'made',
  'DISBURSEMENT_UPDATED.PENDING': 'started',
  PENDING_VERIFICATION: 'waits for verification',
  'PAYMENT_UPDATED.SUBMITTED': 'sent to the bank',
  'PAYMENT_UPDATED.PROCESSING': 'at the bank',
  REVIEW_READY: 'ready for review',
}

const reasonWords: Record<string, string> = {
  COOLING_OFF_EXIT: 'cancelled',
  CANCELLED_BY_BORROWER: 'by the borrower',
  RECEIPT_POSTED: 'payment posted',
  'CLOSED.RECEIPT_POSTED': 'repaid',
  'OVERDUE.RECEIPT_POSTED': 'part of the dues paid',
  RECEIPT_REVERSED: 'payment reversed',
  DAY_ENDED: 'day ended',
  SETTLED: 'settled for less',
  WAIVED: 'dues waived',
  'CLOSED.WAIVED': 'the rest waived',
  'OVERDUE.WAIVED': 'part of the dues waived',
  ROUNDED_OFF: 'the rest rounded off',
  INSTALLMENT_OVERDUE: 'instalment unpaid',
}

const returnWords = (code: string): string | null =>
  isKeyOf(returnCodes, code) ? `${returnCodes[code].charAt(0).toLowerCase()}${returnCodes[code].slice(1)}` : null

/** Whether the event reports a failure. */
export const isFailure = ({ status }: Pick<EventFacts, 'status'>): boolean =>
  status === 'FAILED' || status === 'REJECTED'

const confirmedStatuses = new Set(['APPROVED', 'ACTIVE', 'COMPLETED'])

/** Tells apart the two events of a finished check: as the borrower came back, and as the provider confirmed it. */
const verifiedText = (status: string, isVerified: boolean | null): string =>
  isVerified === null || !confirmedStatuses.has(status)
    ? ''
    : isVerified
      ? ', confirmed by the provider'
      : ', not yet confirmed by the provider'

export function eventText(type: string, { status, amount, reasonCode, isVerified }: EventFacts): string {
  const subject = subjects[type]
  if (subject === undefined || (status === null && amount === null)) return labelOf(type)
  const sum = amount === null ? '' : ` of ${rupees(amount)}`
  const state =
    status === null ? '' : ` ${statusWords[`${type}.${status}`] ?? statusWords[status] ?? inlineLabelOf(status)}`
  const reason =
    reasonCode === null || reasonCode === status
      ? ''
      : `: ${reasonWords[`${status}.${reasonCode}`] ?? reasonWords[reasonCode] ?? returnWords(reasonCode) ?? inlineLabelOf(reasonCode)}`
  return `${subject}${sum}${state}${reason}${status === null ? '' : verifiedText(status, isVerified)}`
}

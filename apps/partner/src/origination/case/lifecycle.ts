// The case of one application: its fields, its statuses, and the moves between them (D3 §3).

import type { Table } from '@lendloom/foundation/machine'
import { type CaseStatus, caseStatuses } from '@lendloom/wire/exchange/snapshot'

export { type CaseStatus, caseStatuses }

/**
 * Why a case changes its status. The checks and files of the case determine `awaitKyc`, `awaitMandate`, `awaitEsign`
 * and `ready`. These moves also lead back to an earlier status, because a completed check can lapse.
 */
export type CaseMove =
  | 'awaitDocuments'
  | 'documentsStored'
  | 'offered'
  | 'accepted'
  | 'rejected'
  | 'expired'
  | 'awaitKyc'
  | 'awaitMandate'
  | 'awaitEsign'
  | 'ready'
  | 'disbursing'
  | 'disbursementFailed'
  | 'disbursed'
  | 'payoutReturned' // the bank gave the payout back after it had confirmed it
  | 'stopped' // the lender or the borrower ended the case, after an offer and before disbursement
  | 'lapsed' // the borrower's steps or the disbursement missed the deadline

/** The moves that the checks decide: they lead to the first check that is missing. */
const awaiting = {
  awaitKyc: 'KYC_PENDING',
  awaitMandate: 'MANDATE_PENDING',
  awaitEsign: 'ESIGN_PENDING',
  ready: 'READY_TO_DISBURSE',
} as const

/** After acceptance the application can still be stopped or lapse, but the decision on the offer no longer changes. */
const unfinished = { ...awaiting, stopped: 'REJECTED', lapsed: 'EXPIRED' } as const

/** The status to which a move leads from each status. Other moves are refused. */
export const caseLifecycle: Table<CaseStatus, CaseMove> = {
  RECEIVED: { awaitDocuments: 'DOCUMENTS_PENDING', documentsStored: 'UNDER_REVIEW' },
  DOCUMENTS_PENDING: { documentsStored: 'UNDER_REVIEW' },
  UNDER_REVIEW: { offered: 'OFFERED', rejected: 'REJECTED' },
  // A changed offer needs a new decision, so offering again keeps the status.
  OFFERED: {
    offered: 'OFFERED',
    accepted: 'OFFER_ACCEPTED',
    rejected: 'REJECTED',
    expired: 'EXPIRED',
    stopped: 'REJECTED',
  },
  OFFER_ACCEPTED: unfinished,
  KYC_PENDING: unfinished,
  MANDATE_PENDING: unfinished,
  ESIGN_PENDING: unfinished,
  READY_TO_DISBURSE: { ...unfinished, disbursing: 'DISBURSEMENT_PENDING' },
  DISBURSEMENT_PENDING: { disbursementFailed: 'READY_TO_DISBURSE', disbursed: 'DISBURSED' },
  // The agreement ends with the payout: the borrower applies again.
  DISBURSED: { payoutReturned: 'EXPIRED' },
  REJECTED: {},
  EXPIRED: {},
}

/** Whether the checks and files determine the status: from acceptance until the transfer is ordered. */
export const isBeingChecked = (status: CaseStatus): boolean => 'awaitKyc' in caseLifecycle[status]

/** Whether the application has ended and no loan came of it. */
export const hasEndedWithoutLoan = (status: CaseStatus): boolean => status === 'REJECTED' || status === 'EXPIRED'

/** The partner's case of one application, which belongs to one journey of one platform (D3 §1, §2.2). */
export interface Case {
  caseRef: string
  /** The platform that owns the case. Other platforms cannot see the case. */
  sender: string
  leadId: string
  loanId: string
  status: CaseStatus
  product: string
  mandateRequired: boolean
  snapshotVersion: number
  /** The LEAD_SUBMITTED event that created the case. */
  sourceEventId: string
  createdAt: Date
  updatedAt: Date
}

/** The context under which the lead of a case is sealed. */
export const leadContext = (caseRef: string): string => `case_lead ${caseRef}`
/** The context under which the facts of a check are sealed. */
export const checkContext = (caseRef: string, name: string): string => `case_check ${caseRef} ${name}`

/** Returns an id of eighteen random digits, so that outsiders can neither count nor guess cases (D3 §1.1). */
export function reservedId(random: Buffer): string {
  return (10n ** 17n + (random.readBigUInt64BE() % (9n * 10n ** 17n))).toString()
}

// A case: its states, allowed moves (D3 §3) and stored columns.
import { type CaseStatus, caseStatuses } from '#contract/exchange/snapshot.ts'
import type { Table } from '#kit/runtime/machine.ts'

export { type CaseStatus, caseStatuses }

/**
 * Why a case moves. `awaitKyc`, `awaitMandate`, `awaitEsign` and `ready` follow from its checks and files; they also lead
 * back, because a completed check can lapse.
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
  | 'stopped' // by the lender or the borrower, after an offer and before disbursement
  | 'lapsed' // the borrower's steps or the disbursement missed a deadline

const awaiting = {
  awaitKyc: 'KYC_PENDING',
  awaitMandate: 'MANDATE_PENDING',
  awaitEsign: 'ESIGN_PENDING',
  ready: 'READY_TO_DISBURSE',
} as const

/** Until the transfer the application can end, but the accepted offer stays accepted. */
const unfinished = { ...awaiting, stopped: 'REJECTED', lapsed: 'EXPIRED' } as const

export const lifecycle: Table<CaseStatus, CaseMove> = {
  RECEIVED: { awaitDocuments: 'DOCUMENTS_PENDING', documentsStored: 'UNDER_REVIEW' },
  DOCUMENTS_PENDING: { documentsStored: 'UNDER_REVIEW' },
  UNDER_REVIEW: { offered: 'OFFERED', rejected: 'REJECTED' },
  // A changed offer needs a new decision, so offering again keeps the status.
  OFFERED: {
    ...{ offered: 'OFFERED', accepted: 'OFFER_ACCEPTED', rejected: 'REJECTED', expired: 'EXPIRED' },
    stopped: 'REJECTED',
  },
  OFFER_ACCEPTED: unfinished,
  KYC_PENDING: unfinished,
  MANDATE_PENDING: unfinished,
  ESIGN_PENDING: unfinished,
  READY_TO_DISBURSE: { ...unfinished, disbursing: 'DISBURSEMENT_PENDING' },
  DISBURSEMENT_PENDING: { disbursementFailed: 'READY_TO_DISBURSE', disbursed: 'DISBURSED' },
  DISBURSED: {},
  REJECTED: {},
  EXPIRED: {},
}

/** From acceptance until the transfer is ordered, the checks and files determine the status. */
export const isBeingChecked = (status: CaseStatus): boolean => 'awaitKyc' in lifecycle[status]

/** Whether the case ended without a loan. */
export const hasEndedWithoutLoan = (status: CaseStatus): boolean => status === 'REJECTED' || status === 'EXPIRED'

/** A case: the partner's record of one application, connected to one journey of one platform (D3 §1, §2.2). */
export interface Case {
  caseRef: string
  /** The platform that owns the case; other platforms cannot see it. */
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

export const leadContext = (caseRef: string): string => `case_lead ${caseRef}`
export const checkContext = (caseRef: string, name: string): string => `case_check ${caseRef} ${name}`

/** Returns an id of eighteen random digits, so that cases cannot be counted or guessed (D3 §1.1). */
export function reservedId(random: Buffer): string {
  return (10n ** 17n + (random.readBigUInt64BE() % (9n * 10n ** 17n))).toString()
}

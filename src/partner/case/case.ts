// A case: one partner application record, connected to one journey of one platform (D3 §1, §2.2).
import type { CaseStatus } from './lifecycle.ts'

export interface Case {
  caseRef: string
  /** The client it belongs to; to anybody else it does not exist. */
  sender: string
  leadId: string
  loanId: string
  status: CaseStatus
  product: string
  mandateRequired: boolean
  snapshotVersion: number
  /** The LEAD_SUBMITTED that made it. */
  sourceEventId: string
  createdAt: Date
  updatedAt: Date
}

export const leadContext = (caseRef: string): string => `case_lead ${caseRef}`
export const checkContext = (caseRef: string, name: string): string => `case_check ${caseRef} ${name}`

/** A reserved id: eighteen random digits, so that nobody can count our cases or guess another's (D3 §1.1). */
export function reservedId(random: Buffer): string {
  return (10n ** 17n + (random.readBigUInt64BE() % (9n * 10n ** 17n))).toString()
}

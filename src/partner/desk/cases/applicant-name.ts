// Opens a sealed lead, and reads the applicant's name from it.
import type { DataOf } from '#contract/exchange/envelope.ts'
import { fullName } from '#contract/exchange/lead.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { leadContext } from '#partner/case/lifecycle.ts'

export type LeadName = DataOf<'LEAD_SUBMITTED'>

export const openLead = (seal: Seal, caseRef: string, sealed: Buffer): LeadName =>
  seal.openJson<LeadName>(sealed, leadContext(caseRef))

export const nameOfBorrower = ({ borrower }: LeadName): string => fullName(borrower)

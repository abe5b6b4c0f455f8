// Opens the sealed data of a lead, and reads the applicant's name.
import type { DataOf } from '#contract/exchange/envelope.ts'
import { fullName } from '#contract/exchange/lead.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { leadContext } from '#partner/case/lifecycle.ts'

export type LeadData = DataOf<'LEAD_SUBMITTED'>

export const openLead = (seal: Seal, caseRef: string, sealed: Buffer): LeadData =>
  seal.openJson<LeadData>(sealed, leadContext(caseRef))

export const nameOfBorrower = ({ borrower }: LeadData): string => fullName(borrower)

// The name of an applicant, out of the sealed lead.
import type { DataOf } from '#contract/exchange/envelope.ts'
import { fullName } from '#contract/exchange/lead.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { leadContext } from '#partner/case/lifecycle.ts'

export type Lead = DataOf<'LEAD_SUBMITTED'>

export const openLead = (seal: Seal, caseRef: string, sealed: Buffer): Lead =>
  seal.openJson<Lead>(sealed, leadContext(caseRef))

export const nameOfBorrower = ({ borrower }: Lead): string => fullName(borrower)

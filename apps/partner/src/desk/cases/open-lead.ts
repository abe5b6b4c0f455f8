// Opens the sealed data of a lead, and reads the applicant's name.

import type { Seal } from '@lendloom/seal/seal'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { fullName } from '@lendloom/wire/exchange/lead'
import { leadContext } from '#partner/origination/case/lifecycle.ts'

export type LeadData = DataOf<'LEAD_SUBMITTED'>

export const openLead = (seal: Seal, caseRef: string, sealed: Buffer): LeadData =>
  seal.openJson<LeadData>(sealed, leadContext(caseRef))

export const nameOfBorrower = ({ borrower }: LeadData): string => fullName(borrower)

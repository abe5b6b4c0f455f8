// English texts for the partner's reviewers; the exchange has no other language (D3 §2.3).
import type { Constitution, Industry } from '@lendloom/wire/hosted/business-details'

export const noStatement = 'The borrower was not asked for a bank statement.'
export const notShared = 'The borrower did not share a bank statement.'
/** Label for a business detail that the borrower did not enter. */
export const notStated = 'Not stated'

/** Labels that the partner's reviewers see unchanged. */
export const constitutionTexts: Record<Constitution, string> = {
  proprietorship: 'Sole proprietorship',
  partnership: 'Partnership firm',
  limitedLiabilityPartnership: 'Limited liability partnership',
  privateLimited: 'Private limited company',
  hinduUndividedFamily: 'Hindu undivided family',
  profession: 'Self-employed professional',
  other: 'Other',
}
export const industryTexts: Record<Industry, string> = {
  retail: 'Retail trade',
  wholesale: 'Wholesale trade',
  manufacturing: 'Manufacturing',
  food: 'Food and hospitality',
  transport: 'Transport and logistics',
  construction: 'Construction',
  agriculture: 'Agriculture and allied',
  health: 'Health care',
  education: 'Education',
  professionalServices: 'Professional services',
  otherServices: 'Other services',
}

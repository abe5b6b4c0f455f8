// Which kind of lender its own short description names, so that the page can say it in every language; pure.
import type { LenderKind } from '#contract/hosted/embed-lender.ts'

/** By the letters of the description alone: lenders write it in many ways. */
const known = new Map<string, LenderKind>([
  ['bank', 'bank'],
  ['smallfinancebank', 'smallFinanceBank'],
  ['sfb', 'smallFinanceBank'],
  ['cooperativebank', 'cooperativeBank'],
  ['nbfc', 'nbfc'],
  ['nonbankingfinancialcompany', 'nbfc'],
  ['nonbankingfinancecompany', 'nbfc'],
  ['hfc', 'housingFinance'],
  ['housingfinancecompany', 'housingFinance'],
])

/** Null where the description says anything else, or nothing. */
export const lenderKindOf = (description: string): LenderKind | null =>
  known.get(description.toLowerCase().replace(/[^a-z]/g, '')) ?? null

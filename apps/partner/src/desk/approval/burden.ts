// How far an offer goes beyond the recommendation, and what its instalment takes of the borrower's income.

import { divideHalfUp, minPaise, type Paise } from '@lendloom/lending/money'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import type { FactLine } from '#partner/desk/parts/facts.ts'
import { inlineLabelOf, inr } from '#partner/desk/parts/format.ts'
import { type BankFigures, obligationsPercent } from '#partner/origination/review/bank/bank-figures.ts'
import type { BankRules } from '#partner/origination/review/bank/settings.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'

type Lead = Pick<CaseView['lead'], 'borrower' | 'bureau' | 'proposed_offer'>

const wholeHundreds = (paise: Paise): Paise => divideHalfUp(paise, 10_000n) * 10_000n

/** Weekly instalments in an average month. */
const monthlyOf = ({ installmentPaise }: Pick<LoanTerms, 'installmentPaise'>): Paise => (installmentPaise * 52n) / 12n

const statedIncome = ({ borrower }: Pick<Lead, 'borrower'>): Paise | null =>
  borrower.monthly_income === null ? null : paiseOf(borrower.monthly_income)

/** The instalment as a sum a month, and the income that the borrower stated. */
export function monthFacts(terms: Pick<LoanTerms, 'installmentPaise'>, lead: Pick<Lead, 'borrower'>): FactLine[] {
  const income = statedIncome(lead)
  return [
    ['A month, about', inr(wholeHundreds(monthlyOf(terms)))],
    ['Stated monthly income', income === null ? null : inr(income)],
  ]
}

interface IncomeData {
  lead: Pick<Lead, 'borrower'>
  figures: Pick<BankFigures, 'inflowPaise' | 'obligationsPaise'>
  rules: BankRules
}

/**
 * Warns if the borrower's EMIs with the new one break the lender's rule for EMIs as a share of income. Of the stated
 * income and the inflow, the lower one counts, as in the rule. Null if they do not, or without such a rule or an income.
 */
export function burdenWarning(
  terms: Pick<LoanTerms, 'installmentPaise'>,
  { lead, figures: { inflowPaise, obligationsPaise }, rules }: IncomeData,
): string | null {
  const incomes = [statedIncome(lead), inflowPaise].filter((each) => each !== null && each > 0n)
  const limits = rules.flatMap(({ measure, most }) =>
    measure === 'obligationsPercent' && most !== undefined ? [most] : [],
  )
  const [income, ...others] = incomes.filter((each) => each !== null)
  if (income === undefined || limits.length === 0) return null
  const percent = obligationsPercent(monthlyOf(terms) + (obligationsPaise ?? 0n), minPaise(income, ...others))
  const limit = Math.min(...limits)
  return percent !== null && percent > limit
    ? `With this loan, EMIs take ${percent}% of the income. The rules for bank data allow ${limit}%.`
    : null
}

/** How an offer compares with the recommendation, such as `₹60,000 · asked ₹3,00,000 (5 times)`. */
function recommendedText({ proposed_offer: proposed }: Lead, askedPaise: Paise): string {
  const recommended = paiseOf(proposed.loan_amount)
  if (recommended === askedPaise) return `${inr(recommended)}, as asked`
  const tenths = recommended === 0n ? 0n : (askedPaise * 10n) / recommended
  const times = tenths > 10n ? ` (${tenths / 10n}${tenths % 10n === 0n ? '' : `.${tenths % 10n}`}\u{a0}times)` : ''
  return `${inr(recommended)} · asked ${inr(askedPaise)}${times}`
}

/** What a second person weighs an offer by. */
export function offerGrounds(lead: Lead, askedPaise: Paise): FactLine[] {
  const { bureau } = lead
  const income = statedIncome(lead)
  return [
    ['Recommended', recommendedText(lead, askedPaise)],
    ['Stated monthly income', income === null ? 'not stated' : inr(income)],
    ['Bureau score', bureau.status === 'AVAILABLE' ? bureau.score : inlineLabelOf(bureau.status)],
  ]
}

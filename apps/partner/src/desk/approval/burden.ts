// How far an offer goes beyond the recommendation, and what its instalment takes of the borrower's income.

import { type Html, html } from '@lendloom/http/markup'
import { divideHalfUp, minPaise, type Paise } from '@lendloom/lending/money'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { type FactLine, figureList } from '#partner/desk/parts/facts.ts'
import { countText, inlineLabelOf, inr, shareText } from '#partner/desk/parts/format.ts'
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

export interface IncomeData {
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
    ? `With this loan, EMIs take ${shareText(percent)} of the income. The rules for bank data allow ${limit}%.`
    : null
}

/** How an amount compares with the recommendation, such as `twice what was recommended`. */
export function beyondRecommendation(amountPaise: Paise, recommendedPaise: Paise): string {
  if (amountPaise === recommendedPaise) return 'as recommended'
  if (amountPaise < recommendedPaise) return `${inr(recommendedPaise - amountPaise)} less than recommended`
  const tenths = recommendedPaise === 0n ? 0n : (amountPaise * 10n) / recommendedPaise
  // A small excess reads better as a sum than as 1.0 times.
  if (tenths < 11n) return `${inr(amountPaise - recommendedPaise)} more than recommended`
  const times = tenths % 10n === 0n ? String(tenths / 10n) : `${tenths / 10n}.${tenths % 10n}`
  return tenths === 20n ? 'twice what was recommended' : `${times}\u{a0}times what was recommended`
}

type OfferedTerms = Pick<LoanTerms, 'amountPaise' | 'installmentPaise' | 'numberOfInstallments'>

/** The sums that a second person weighs first, and the warning that the person who asks has seen. */
export function offerFigures(terms: OfferedTerms, data: IncomeData & { lead: Lead }): Html {
  const recommended = paiseOf(data.lead.proposed_offer.loan_amount)
  const isBeyond = terms.amountPaise > recommended
  const comparison = beyondRecommendation(terms.amountPaise, recommended)
  const warning = burdenWarning(terms, data)
  const month = inr(wholeHundreds(monthlyOf(terms)))
  return html`${figureList([
    [
      'Offer to approve',
      html`${inr(terms.amountPaise)} <small${isBeyond && html` class="beyond"`}>${comparison}</small>`,
    ],
    ['Recommended', inr(recommended)],
    [
      'Weekly instalment',
      html`${inr(terms.installmentPaise)} <small>${countText(terms.numberOfInstallments, 'instalment')}, about ${month} a month</small>`,
    ],
  ])}${warning !== null && html`<p class="burden">${warning}</p>`}`
}

/** What else a second person weighs an offer by. */
export function offerGrounds(lead: Lead): FactLine[] {
  const { bureau } = lead
  const income = statedIncome(lead)
  return [
    ['Stated monthly income', income === null ? 'not stated' : inr(income)],
    ['Bureau score', bureau.status === 'AVAILABLE' ? bureau.score : inlineLabelOf(bureau.status)],
  ]
}

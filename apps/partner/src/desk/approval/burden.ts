// How far an offer goes beyond the recommendation, and what its instalment takes of the borrower's income.

import { type Html, html } from '@lendloom/http/markup'
import { divideHalfUp, type Paise } from '@lendloom/lending/money'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { type FactLine, figureList } from '#partner/desk/parts/facts.ts'
import { countText, inlineLabelOf, inr, shareText } from '#partner/desk/parts/format.ts'
import type { BankFinding } from '#partner/origination/review/bank/review-bank-data.ts'
import {
  type IncomeData,
  isBeyondPolicy,
  type MonthWithOffer,
  monthlyOf,
  monthWithOffer,
  reviewOffer,
  ruleBrokenBy,
} from '#partner/origination/review/bank/review-offer.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'

type Lead = Pick<CaseView['lead'], 'borrower' | 'bureau' | 'proposed_offer'>

const wholeHundreds = (paise: Paise): Paise => divideHalfUp(paise, 10_000n) * 10_000n

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

type CaseIncome = Pick<CaseView, 'lead' | 'bank' | 'bankRules'>

/** What a case tells of the borrower's income. */
export const incomeDataOf = ({ lead, bank: { figures }, bankRules: rules }: CaseIncome): IncomeData => ({
  lead,
  figures,
  rules,
})

/** What the rules say of an offer on the case. */
export const offerReview = (terms: Pick<LoanTerms, 'installmentPaise'>, view: CaseIncome): BankFinding[] =>
  reviewOffer(terms, incomeDataOf(view))

/** Says which limit of the policy the offer breaks, by which sums, and what is within it; null if it breaks none. */
export function burdenWarning(
  terms: Pick<LoanTerms, 'amountPaise' | 'installmentPaise'>,
  data: IncomeData,
): string | null {
  const findings = reviewOffer(terms, data)
  const broken = ruleBrokenBy(findings)
  const month = monthWithOffer(terms, data)
  if (!broken || !month || broken.figure === null || broken.most === undefined) return null
  const effect = isBeyondPolicy(findings) ? 'declines' : 'asks for a review'
  const share = `With this offer EMIs are ${shareText(broken.figure)} of income; the policy ${effect} above ${broken.most}%.`
  return `${share} ${sumsText(month)} ${amountWithin(terms.amountPaise, month, broken.most)}`
}

function sumsText({ newPaise, otherPaise, incomePaise, isStated }: MonthWithOffer): string {
  const others =
    otherPaise === null || otherPaise === 0n ? '' : ` and ${inr(wholeHundreds(otherPaise))} for other loans`
  const income = `${inr(wholeHundreds(incomePaise))} ${isStated ? 'of stated income' : 'that come in'}`
  return `That is about ${inr(wholeHundreds(newPaise))} a month for this one${others}, out of ${income}.`
}

/** The amount whose EMI is within the limit: about, because fees and rounding do not shrink in proportion. */
function amountWithin(amountPaise: Paise, { newPaise, otherPaise, incomePaise }: MonthWithOffer, most: number): string {
  const freePaise = (incomePaise * BigInt(Math.round(most * 100))) / 10_000n - (otherPaise ?? 0n)
  const within = newPaise === 0n ? 0n : ((amountPaise * freePaise) / newPaise / 100_000n) * 100_000n
  return within > 0n ? `Up to about ${inr(within)} is within ${most}%.` : `No amount is within ${most}%.`
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

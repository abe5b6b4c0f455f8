// What an offer makes of the borrower's EMIs, by the same rules as the bank data; pure.

import { minPaise, type Paise } from '@lendloom/lending/money'
import type { LeadSubmitted } from '@lendloom/wire/exchange/event/lead'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'
import { type BankFigures, obligationsPercent } from './bank-figures.ts'
import { type BankFinding, type BankRule, findingOf } from './review-bank-data.ts'

/** Weekly instalments in an average month. */
export const monthlyOf = ({ installmentPaise }: Pick<LoanTerms, 'installmentPaise'>): Paise =>
  (installmentPaise * 52n) / 12n

export interface IncomeData {
  lead: { borrower: Pick<LeadSubmitted['borrower'], 'monthly_income'> }
  figures: Pick<BankFigures, 'inflowPaise' | 'obligationsPaise'>
  rules: readonly BankRule[]
}

export interface MonthWithOffer {
  newPaise: Paise
  /** EMIs of other loans in the statement; null without this figure. */
  otherPaise: Paise | null
  /** The lower of the stated income and the inflow. */
  incomePaise: Paise
  isStated: boolean
}

/** What the EMIs and the income of a month are with the offer; null without an income. */
export function monthWithOffer(
  terms: Pick<LoanTerms, 'installmentPaise'>,
  { lead, figures }: IncomeData,
): MonthWithOffer | null {
  const { monthly_income } = lead.borrower
  const stated = monthly_income === null ? null : paiseOf(monthly_income)
  const [income, ...others] = [stated, figures.inflowPaise].filter((each) => each !== null).filter((each) => each > 0n)
  if (income === undefined) return null
  const incomePaise = minPaise(income, ...others)
  return {
    newPaise: monthlyOf(terms),
    otherPaise: figures.obligationsPaise,
    incomePaise,
    isStated: incomePaise === stated,
  }
}

/** The EMIs with the new one, as a share of the income; null without an income. */
function percentWithOffer(terms: Pick<LoanTerms, 'installmentPaise'>, data: IncomeData): number | null {
  const month = monthWithOffer(terms, data)
  return month && obligationsPercent(month.newPaise + (month.otherPaise ?? 0n), month.incomePaise)
}

/**
 * Applies the rules for EMIs to an offer. Without a figure of the statement, the share is only a lower bound: it can
 * break a rule, but does not meet one.
 */
export function reviewOffer(terms: Pick<LoanTerms, 'installmentPaise'>, data: IncomeData): BankFinding[] {
  const { inflowPaise, obligationsPaise } = data.figures
  const isLowerBound = inflowPaise === null || obligationsPaise === null
  const figure = percentWithOffer(terms, data)
  return data.rules
    .filter(({ measure, most }) => measure === 'obligationsPercent' && most !== undefined)
    .map((rule) => findingOf(rule, figure))
    .map((finding) =>
      isLowerBound && finding.outcome === 'MET' ? { ...finding, outcome: 'MISSING', figure: null } : finding,
    )
}

/** The rule that an offer breaks, a mandatory one first; undefined if it breaks none. */
export const ruleBrokenBy = (findings: BankFinding[]): BankFinding | undefined => {
  const broken = findings.filter(({ outcome }) => outcome === 'NOT_MET')
  return broken.find(({ effect }) => effect === 'DECLINE') ?? broken[0]
}

/** Whether the policy declines the offer, so that one person alone cannot make it. */
export const isBeyondPolicy = (findings: BankFinding[]): boolean => ruleBrokenBy(findings)?.effect === 'DECLINE'

/** The findings of the statement, in which those of the offer replace the ones of the same rules. */
export function findingsWithOffer(findings: BankFinding[], ofOffer: BankFinding[]): BankFinding[] {
  const replacements = new Map(ofOffer.filter(({ figure }) => figure !== null).map((each) => [each.code, each]))
  return findings.map((each) => replacements.get(each.code) ?? each)
}

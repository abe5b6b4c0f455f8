// Computes the loan amount and the price that the platform recommends to a partner for a borrower; pure (D3 §2.3).

import { aprPercent, weeksInYear } from '@lendloom/lending/annual-rate'
import { type AnnuityPlan, regularInstalment, schedule, totalInterest, weeklyRate } from '@lendloom/lending/annuity'
import { checkedPaise, divideHalfUp, type Paise, toWholeRupees } from '@lendloom/lending/money'
import type { OfferReason } from '@lendloom/lending/reason/reason'
import type { PartnerRules } from '@lendloom/wire/console/lending-partners'
import type { StatementBlock } from './statement-evidence.ts'
import type { PartnerTerms } from './terms.ts'

/** D3 §1: the only tenure of the initial product. */
export const tenureWeeks = 22

export interface IncomeAndBureau {
  /** Monthly income in rupees; null when unknown. */
  income: number | null
  bureau: { status: 'AVAILABLE' | 'NO_HIT' | 'FAILED'; score: number | null }
}

export interface Recommendation {
  decision: 'ELIGIBLE' | 'INELIGIBLE' | 'REVIEW_REQUIRED'
  /** The recommended maximum loan amount; null unless the borrower is eligible. */
  maxPaise: Paise | null
  /** The reason that the borrower sees; null when the borrower is eligible. */
  reason: OfferReason | null
}

type Rules = Pick<
  PartnerRules,
  'leastRupees' | 'mostRupees' | 'incomeMultiple' | 'leastScore' | 'ratePercent' | 'feePercent' | 'taxPercent'
>

/** The version of the rules in this file, which every recommendation contains. Change it with the rules. */
export const rulesVersion = 'income-score-statement-2'

/** Recommends a multiple of the income up to the maximum; half the multiple if the bureau has no record. */
export function recommendLoan(rules: Rules, { income, bureau }: IncomeAndBureau): Recommendation {
  if (bureau.status === 'FAILED') return refuse('REVIEW_REQUIRED', 'CREDIT_REPORT_MISSING')
  if (bureau.status === 'AVAILABLE' && (bureau.score ?? 0) < rules.leastScore)
    return refuse('INELIGIBLE', 'CREDIT_SCORE_TOO_LOW')
  const incomeLimit = BigInt(income ?? 0) * BigInt(rules.incomeMultiple)
  const affordable = bureau.status === 'NO_HIT' ? incomeLimit / 2n : incomeLimit
  const limit = BigInt(rules.mostRupees)
  // Rounded down to whole thousands of rupees.
  const rupees = ((affordable < limit ? affordable : limit) / 1000n) * 1000n
  if (rupees < BigInt(rules.leastRupees)) return refuse('INELIGIBLE', 'INCOME_TOO_LOW')
  return { decision: 'ELIGIBLE', maxPaise: rupees * 100n, reason: null }
}

const refuse = (decision: 'INELIGIBLE' | 'REVIEW_REQUIRED', reason: OfferReason): Recommendation => ({
  decision,
  maxPaise: null,
  reason,
})

type StatementRules = Pick<PartnerRules, 'mostReturnedDebits' | 'mostObligationsPercent'>

/**
 * Adjusts the decision to the borrower's bank statement. A failed analysis, a missing figure or a broken rule turns
 * ELIGIBLE into REVIEW_REQUIRED. The decision stays unchanged if no statement was requested or the borrower declined.
 */
export function decideWithStatement(
  rules: StatementRules,
  decision: Recommendation['decision'],
  statement: StatementBlock,
): Recommendation['decision'] {
  if (decision !== 'ELIGIBLE' || statement === null || statement.status === 'DECLINED') return decision
  const { returnedDebits = null, obligationsPercent = null } = statement.evidence?.figures ?? {}
  const isSound =
    statement.status === 'COMPLETED' &&
    returnedDebits !== null &&
    returnedDebits <= rules.mostReturnedDebits &&
    obligationsPercent !== null &&
    obligationsPercent <= rules.mostObligationsPercent
  return isSound ? decision : 'REVIEW_REQUIRED'
}

/** The terms of an indicative offer at the partner's standard price, in whole rupees. The final terms may differ. */
export function indicativeTerms(rules: Rules, loanPaise: Paise): PartnerTerms {
  const plan: AnnuityPlan = {
    principal: loanPaise,
    rate: weeklyRate(checkedPaise(rules.ratePercent)),
    instalments: tenureWeeks,
    unit: 100n,
  }
  const rows = schedule(plan)
  const feePaise = toWholeRupees(percentOf(loanPaise, rules.feePercent))
  const taxPaise = toWholeRupees(percentOf(feePaise, rules.taxPercent))
  const netPaise = loanPaise - feePaise - taxPaise
  const amounts = rows.map(({ amount }) => amount)
  return {
    loanPaise,
    tenureWeeks,
    installments: tenureWeeks,
    installmentPaise: regularInstalment(plan),
    interestPercent: rules.ratePercent,
    interestType: 'FIXED',
    aprPercent: aprPercent(netPaise, amounts, weeksInYear),
    feePaise,
    taxPaise,
    otherPaise: 0n,
    netPaise,
    interestPaise: totalInterest(rows),
  }
}

const percentOf = (amount: Paise, percent: string): Paise => divideHalfUp(amount * checkedPaise(percent), 10_000n)

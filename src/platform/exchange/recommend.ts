// The platform's recommendation of a borrower to a partner: an amount and its price; pure (D3 §2.3).
import type { PartnerRules } from '#contract/console/lending-partners.ts'
import type { OfferReason } from '#contract/reason/reason.ts'
import { type AnnuityPlan, regularInstalment, schedule, totalInterest, weeklyRate } from '#kit/money/annuity.ts'
import { aprPercent, weeksInYear } from '#kit/money/irr.ts'
import { checkedPaise, divideHalfUp, type Paise, toWholeRupees } from '#kit/money/money.ts'
import type { StatementBlock } from './applicant.ts'
import type { PartnerTerms } from './terms.ts'

/** D3 §1: the only tenure of the initial product. */
export const tenureWeeks = 22

export interface ApplicantFacts {
  /** Monthly income in rupees; null when not given. */
  income: number | null
  bureau: { status: 'AVAILABLE' | 'NO_HIT' | 'FAILED'; score: number | null }
}

export interface Recommendation {
  decision: 'ELIGIBLE' | 'INELIGIBLE' | 'REVIEW_REQUIRED'
  /** The most that may be asked for; null unless eligible. */
  mostPaise: Paise | null
  /** Shown to the borrower; null when eligible. */
  reason: OfferReason | null
}

type Rules = Pick<
  PartnerRules,
  'leastRupees' | 'mostRupees' | 'incomeMultiple' | 'leastScore' | 'ratePercent' | 'feePercent' | 'taxPercent'
>

/** The version of these rules, part of every recommendation; any change gets a new name. */
export const rulesVersion = 'income-score-statement-2'

/** Without a report the borrower is not recommended; a borrower without a bureau record may get half. */
export function recommend(rules: Rules, { income, bureau }: ApplicantFacts): Recommendation {
  if (bureau.status === 'FAILED') return refuse('REVIEW_REQUIRED', 'CREDIT_REPORT_MISSING')
  if (bureau.status === 'AVAILABLE' && (bureau.score ?? 0) < rules.leastScore)
    return refuse('INELIGIBLE', 'CREDIT_SCORE_TOO_LOW')
  const multiple = BigInt(income ?? 0) * BigInt(rules.incomeMultiple)
  const affordable = bureau.status === 'NO_HIT' ? multiple / 2n : multiple
  const most = BigInt(rules.mostRupees)
  const rupees = ((affordable < most ? affordable : most) / 1000n) * 1000n
  if (rupees < BigInt(rules.leastRupees)) return refuse('INELIGIBLE', 'INCOME_TOO_LOW')
  return { decision: 'ELIGIBLE', mostPaise: rupees * 100n, reason: null }
}

const refuse = (decision: 'INELIGIBLE' | 'REVIEW_REQUIRED', reason: OfferReason): Recommendation => ({
  decision,
  mostPaise: null,
  reason,
})

type StatementRules = Pick<PartnerRules, 'mostReturnedDebits' | 'mostObligationsPercent'>

/**
 * The recommendation with or without the borrower's statement. An analysis can only worsen it: one that failed, lacks a
 * figure or breaks a rule is reviewed by people. Without a request, or after a refusal, it is unchanged.
 */
export function withStatement(
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

/** The price that an indicative offer shows: the partner's usual one, in whole rupees; its final terms may differ. */
export function indicativeTerms(rules: Rules, loanPaise: Paise): PartnerTerms {
  const plan: AnnuityPlan = {
    principal: loanPaise,
    rate: weeklyRate(checkedPaise(rules.ratePercent)),
    instalments: tenureWeeks,
    unit: 100n,
  }
  const rows = schedule(plan)
  const feePaise = toWholeRupees(share(loanPaise, rules.feePercent))
  const taxPaise = toWholeRupees(share(feePaise, rules.taxPercent))
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

const share = (amount: Paise, text: string): Paise => divideHalfUp(amount * checkedPaise(text), 10_000n)

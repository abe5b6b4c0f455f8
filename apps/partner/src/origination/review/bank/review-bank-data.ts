// Reviews a lead's bank data by the lender's configured rules; pure.

import type { Paise } from '@lendloom/lending/money'
import type { LeadSubmitted } from '@lendloom/wire/exchange/event/lead'
import { type BankFigures, figureOf, figuresOf, type Measure } from './bank-figures.ts'

/** Exactly one of `most` (maximum) and `least` (minimum) is set; `effect` applies when this limit is not met. */
export interface BankRule {
  code: string
  measure: Measure
  most?: number
  least?: number
  effect: 'REVIEW' | 'DECLINE'
}

/** The result of a rule. `figure` is null when the analysis does not contain it. */
export interface BankFinding extends BankRule {
  outcome: 'MET' | 'NOT_MET' | 'MISSING'
  figure: number | null
}

/** APPROVE: the recommended amount. LOWER: at most the amount without a statement. REVIEW: an officer decides. */
export type BankDecision = 'APPROVE' | 'LOWER' | 'REVIEW' | 'DECLINE'

export interface BankReview {
  decision: BankDecision
  /** The code of the unmet rule or the missing data; null when every rule was met. */
  reasonCode: string | null
  figures: BankFigures
  findings: BankFinding[]
}

/** Maximum age of an analysis, from the end of its period. */
const maxAgeDays = 100

/**
 * Applies the rules. If a figure is missing, the offer is limited as if there were no statement. An officer reviews a
 * failed analysis, and an analysis whose period is impossible or too old.
 */
export function reviewBankData(
  lead: Pick<LeadSubmitted, 'banking' | 'borrower'>,
  rules: BankRule[],
  at: Date,
): BankReview {
  const { banking } = lead
  const figures = figuresOf(lead)
  const findings =
    banking.status === 'COMPLETED' ? rules.map((rule) => findingOf(rule, figureOf(figures, rule.measure))) : []
  const result = (decision: BankDecision, reasonCode: string | null): BankReview => ({
    decision,
    reasonCode,
    figures,
    findings,
  })
  if (banking.status === 'NOT_PROVIDED') return result('LOWER', 'STATEMENT_NOT_PROVIDED')
  if (banking.status === 'FAILED') return result('REVIEW', 'STATEMENT_FAILED')
  const firstNotMet = (effect: BankRule['effect']) =>
    findings.find((each) => each.outcome === 'NOT_MET' && each.effect === effect)?.code
  const declineCode = firstNotMet('DECLINE')
  if (declineCode !== undefined) return result('DECLINE', declineCode)
  const reviewCode = periodFault(banking, at) ?? firstNotMet('REVIEW')
  if (reviewCode !== undefined) return result('REVIEW', reviewCode)
  const missing = findings.find(({ outcome }) => outcome === 'MISSING')
  return missing ? result('LOWER', `${missing.code}_MISSING`) : result('APPROVE', null)
}

/** Applies a rule to the figure of its measure; null if the analysis does not contain it. */
export function findingOf(rule: BankRule, figure: number | null): BankFinding {
  if (figure === null) return { ...rule, outcome: 'MISSING', figure }
  const isMet = figure <= (rule.most ?? Number.POSITIVE_INFINITY) && figure >= (rule.least ?? Number.NEGATIVE_INFINITY)
  return { ...rule, outcome: isMet ? 'MET' : 'NOT_MET', figure }
}

const dayMs = 86_400_000

function periodFault(
  { period_to, analyzed_at }: LeadSubmitted['banking'],
  at: Date,
): 'STATEMENT_PERIOD' | 'STATEMENT_TOO_OLD' | undefined {
  if (period_to === null || analyzed_at === null) return 'STATEMENT_PERIOD'
  const ended = Date.parse(period_to)
  if (ended > at.getTime() + dayMs || Date.parse(analyzed_at) > at.getTime() + dayMs) return 'STATEMENT_PERIOD'
  return at.getTime() - ended > maxAgeDays * dayMs ? 'STATEMENT_TOO_OLD' : undefined
}

/** Returns the maximum automatic offer: the recommendation, which LOWER limits to `withoutStatement`. */
export const maxOffer = (decision: BankDecision, recommended: Paise, withoutStatement: Paise): Paise =>
  decision === 'LOWER' && withoutStatement < recommended ? withoutStatement : recommended

// The review of a lead's bank data by the lender's rules, which are data: each with its bound, figure and reason; pure.
import type { LeadSubmitted } from '#contract/exchange/event/lead.ts'
import type { Paise } from '#kit/money/money.ts'
import { type BankFigures, figuresOf, type Measure, measured } from './figures.ts'

/** One of `most` and `least` is the bound; `effect` is what follows when it is not met. */
export interface BankRule {
  code: string
  measure: Measure
  most?: number
  least?: number
  effect: 'REVIEW' | 'DECLINE'
}

/** A rule held against a figure; `figure` is null where it is missing. */
export interface BankFinding extends BankRule {
  outcome: 'MET' | 'NOT_MET' | 'MISSING'
  figure: number | null
}

/** APPROVE as recommended · LOWER as much as is lent without a statement · REVIEW by people · DECLINE. */
export type BankDecision = 'APPROVE' | 'LOWER' | 'REVIEW' | 'DECLINE'

export interface BankReview {
  decision: BankDecision
  /** The rule or the lack that decided; null where every rule was met. */
  reasonCode: string | null
  figures: BankFigures
  findings: BankFinding[]
}

/** An analysis that ended earlier is out of date. */
const oldestDays = 100

/**
 * Missing data never improves a decision: without a figure the limit is the same as without a statement. A person
 * reviews an analysis that failed, or covers impossible days.
 */
export function judge(lead: Pick<LeadSubmitted, 'banking' | 'borrower'>, rules: BankRule[], at: Date): BankReview {
  const { banking } = lead
  const figures = figuresOf(lead)
  const findings = banking.status === 'COMPLETED' ? rules.map((rule) => findingOf(rule, figures)) : []
  const of = (decision: BankDecision, reasonCode: string | null): BankReview => ({
    ...{ decision, reasonCode, figures, findings },
  })
  if (banking.status === 'NOT_PROVIDED') return of('LOWER', 'STATEMENT_NOT_PROVIDED')
  if (banking.status === 'FAILED') return of('REVIEW', 'STATEMENT_FAILED')
  const broken = (effect: BankRule['effect']) =>
    findings.find((each) => each.outcome === 'NOT_MET' && each.effect === effect)?.code
  const declines = broken('DECLINE')
  if (declines !== undefined) return of('DECLINE', declines)
  const reviews = periodFault(banking, at) ?? broken('REVIEW')
  if (reviews !== undefined) return of('REVIEW', reviews)
  const missing = findings.find(({ outcome }) => outcome === 'MISSING')
  return missing ? of('LOWER', `${missing.code}_MISSING`) : of('APPROVE', null)
}

function findingOf(rule: BankRule, figures: BankFigures): BankFinding {
  const figure = measured(figures, rule.measure)
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
  return at.getTime() - ended > oldestDays * dayMs ? 'STATEMENT_TOO_OLD' : undefined
}

/** The most that may be offered by rule: all that was recommended, or as much as is lent without a statement. */
export const mostOffered = (decision: BankDecision | null, recommended: Paise, withoutStatement: Paise): Paise =>
  decision === 'LOWER' && withoutStatement < recommended ? withoutStatement : recommended

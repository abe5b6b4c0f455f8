// The bank section of a case page: the figures of the bank statement, and each rule with its limit (D3 §2.3 banking).
import { type Html, html } from '@lendloom/http/markup'
import type { Paise } from '@lendloom/lending/money'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { factList } from '#partner/desk/parts/facts.ts'
import {
  badge,
  capitalize,
  formatDay,
  formatTime,
  inr,
  labelOf,
  shareText,
  toneBadge,
} from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import type { Measure } from '#partner/origination/review/bank/bank-figures.ts'
import type { BankDecision, BankFinding } from '#partner/origination/review/bank/review-bank-data.ts'
import { isBeyondPolicy } from '#partner/origination/review/bank/review-offer.ts'
import { bankTexts as texts } from './bank-data-text-en.ts'

export const bankPart = ({ lead, bank, withOffer }: BankPart): Html =>
  html`<div class="columns"><section class="card"><h2>${texts.title}</h2>${figureList({ lead, bank, withOffer })}</section>
${bank.findings.length > 0 && html`<section class="card"><h2>${texts.rules}</h2>${ruleTable(withOffer, bank.findings)}</section>`}</div>`

interface BankPart extends Pick<CaseView, 'lead' | 'bank'> {
  /** The findings with the offer on the page, which replace those of the statement alone. */
  withOffer: BankFinding[]
}

function figureList({
  lead: { banking },
  bank: { decision, reasonCode, figures, findings },
  withOffer,
}: BankPart): Html {
  const { period_from, period_to, analyzed_at } = banking
  const isWithoutStatement = decision === 'LOWER' && banking.status === 'NOT_PROVIDED'
  return factList([
    [texts.outcome, isWithoutStatement ? texts.withoutStatement : outcomeBadge(decision)],
    [
      capitalize(texts.withOffer),
      decision !== 'DECLINE' && isBeyondPolicy(withOffer) ? toneBadge('bad', capitalize(texts.beyondPolicy)) : null,
    ],
    [texts.reason, !isWithoutStatement && reasonCode ? reasonText(reasonCode, findings) : null],
    [texts.status, labelOf(banking.status)],
    [texts.source, banking.status === 'NOT_PROVIDED' ? null : texts.sources[banking.source]],
    [texts.unavailable, banking.unavailable_reason],
    [texts.period, period_from && period_to && html`${formatDay(period_from)} – ${formatDay(period_to)}`],
    [texts.analysed, analyzed_at && formatTime(new Date(analyzed_at))],
    [texts.reference, banking.analysis_reference_id],
    [texts.inflow, optionalAmount(figures.inflowPaise)],
    [texts.outflow, optionalAmount(figures.outflowPaise)],
    [texts.average, optionalAmount(figures.averageBalancePaise)],
    [texts.lowest, optionalAmount(figures.lowestBalancePaise)],
    [texts.salary, optionalAmount(figures.salaryPaise)],
    [texts.obligations, optionalAmount(figures.obligationsPaise)],
  ])
}

/** What the rules say. An approval is named by its rules, because it is not the decision on the case. */
const outcomeBadge = (decision: BankDecision): Html =>
  decision === 'APPROVE'
    ? toneBadge('good', capitalize(texts.decisions.APPROVE))
    : html`${badge(decision)} <small>${texts.decisions[decision]}</small>`

/** Formats the reason of the outcome. If the reason is a missing figure, names the measure that has no figure. */
function reasonText(code: string, findings: BankFinding[]): string {
  const missing = findings.find((each) => code === `${each.code}_MISSING`)
  return missing ? texts.missing(texts.measures[missing.measure]) : labelOf(code)
}

const optionalAmount = (paise: Paise | null): string | null => (paise === null ? null : inr(paise))

/** The rules; a figure that the offer changes has the statement's own figure below it. */
const ruleTable = (findings: BankFinding[], ofStatement: BankFinding[]): Html => {
  const { rule, figure, ifNotMet, outcome } = texts.columns
  return tableOf(
    texts.rules,
    [rule, { number: figure }, ifNotMet, { name: outcome, phone: 'main' }],
    findings.map((each, i) => [
      html`${capitalize(texts.measures[each.measure])}, ${ruleText(each)}${each !== ofStatement[i] && html` <small class="below">${texts.withOffer}</small>`}`,
      html`<span>${figureOrNone(each)}${each !== ofStatement[i] && html` <small class="below">${texts.withoutOffer(figureOrNone(ofStatement[i]))}</small>`}</span>`,
      texts.effects[each.effect],
      badge(each.outcome),
    ]),
    { empty: texts.noFigure },
  )
}

const figureOrNone = (finding: BankFinding | undefined): string =>
  finding === undefined || finding.figure === null ? texts.noFigure : figureText(finding.measure, finding.figure)

const ruleText = ({ measure, most, least = 0 }: BankFinding): string =>
  most === undefined ? texts.least(limitText(measure, least)) : texts.most(limitText(measure, most))

const isShare = (measure: Measure): boolean => measure === 'obligationsPercent' || measure === 'inflowPercent'

/** Formats a limit, a whole number, in the unit of its measure. */
export function limitText(measure: Measure, limit: number): string {
  if (measure === 'averageBalanceRupees') return inr(BigInt(limit) * 100n)
  return isShare(measure) ? `${limit}%` : String(limit)
}

/** Formats a figure in the unit of its measure. */
const figureText = (measure: Measure, figure: number): string =>
  isShare(measure) ? shareText(figure) : limitText(measure, figure)

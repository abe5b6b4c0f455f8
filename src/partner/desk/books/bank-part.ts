// The result of a borrower's bank review, beside the decision: the figures, and each rule with its bound (D3 §2.3
// banking).
import { type Html, html } from '#kit/http/markup.ts'
import type { Paise } from '#kit/money/money.ts'
import type { CaseView } from '#partner/desk/cases/read-case.ts'
import { factList, tableOf } from '#partner/desk/frame.ts'
import { badge, day, inr, plain, when } from '#partner/desk/parts/format.ts'
import type { Measure } from '#partner/review/bank/figures.ts'
import type { BankFinding } from '#partner/review/bank/judge.ts'
import { bankTexts as texts } from './bank-text-en.ts'

export const bankPart = ({ lead, bank }: Pick<CaseView, 'lead' | 'bank'>): Html =>
  bank === null
    ? html`<section class="card"><h2>${texts.title}</h2><p class="empty">${texts.none}</p></section>`
    : html`<div class="columns"><section class="card"><h2>${texts.title}</h2>${figureList(lead, bank)}</section>
${bank.findings.length > 0 && html`<section class="card"><h2>${texts.rules}</h2>${ruleTable(bank.findings)}</section>`}</div>`

type BankView = NonNullable<CaseView['bank']>

function figureList({ banking }: CaseView['lead'], { decision, reasonCode, figures }: BankView): Html {
  const { period_from, period_to, analyzed_at } = banking
  return factList([
    [texts.by, html`${badge(decision)} <small>${texts.decisions[decision]}</small>`],
    [texts.reason, reasonCode && plain(reasonCode)],
    [texts.status, plain(banking.status)],
    [texts.source, banking.status === 'NOT_PROVIDED' ? null : texts.sources[banking.source]],
    [texts.unavailable, banking.unavailable_reason],
    [texts.period, period_from && period_to && html`${day(period_from)} – ${day(period_to)}`],
    [texts.analysed, analyzed_at && when(new Date(analyzed_at))],
    [texts.reference, banking.analysis_reference_id],
    [texts.inflow, amount(figures.inflowPaise)],
    [texts.outflow, amount(figures.outflowPaise)],
    [texts.average, amount(figures.averageBalancePaise)],
    [texts.lowest, amount(figures.lowestBalancePaise)],
    [texts.salary, amount(figures.salaryPaise)],
    [texts.obligations, amount(figures.obligationsPaise)],
  ])
}

const amount = (paise: Paise | null): string | null => (paise === null ? null : inr(paise))

const ruleTable = (findings: BankFinding[]): Html => {
  const { rule, figure, outcome } = texts.head
  return tableOf(
    texts.rules,
    [rule, { number: figure }, outcome],
    findings.map((each) => [
      html`${plain(each.code)}<br><small>${texts.measures[each.measure]}</small>`,
      html`${each.figure === null ? texts.missing : written(each.measure, each.figure)}<br><small>${boundOf(each)}</small>`,
      html`${badge(each.outcome)}${each.outcome === 'NOT_MET' && html`<br><small>${texts.effects[each.effect]}</small>`}`,
    ]),
    { empty: texts.none },
  )
}

const boundOf = ({ measure, most, least = 0 }: BankFinding): string =>
  most === undefined ? texts.least(written(measure, least)) : texts.most(written(measure, most))

/** A figure or a bound in the unit of its measure. */
function written(measure: Measure, figure: number): string {
  if (measure === 'averageBalanceRupees') return inr(BigInt(figure) * 100n)
  return measure === 'obligationsPercent' || measure === 'inflowPercent' ? `${figure} %` : String(figure)
}

// What a borrower's bank data came to, beside the decision: the figures, and each rule with its bound (D3 §2.3 banking).
import { type Html, html } from '#kit/http/markup.ts'
import type { Paise } from '#kit/money/money.ts'
import type { Finding } from '#partner/review/bank/judge.ts'
import { bankTexts as texts } from './bank-text-en.ts'
import { badge, day, inr, plain, when } from './format.ts'
import { factList, tableOf } from './frame.ts'
import type { CaseSeen } from './read-case.ts'

export const bankPart = ({ lead, bank }: Pick<CaseSeen, 'lead' | 'bank'>): Html =>
  html`<section class="card"><h2>${texts.title}</h2>${bank === null ? html`<p class="empty">${texts.none}</p>` : body(lead, bank)}</section>`

function body(
  { banking }: CaseSeen['lead'],
  { decision, reasonCode, figures, findings }: NonNullable<CaseSeen['bank']>,
): Html {
  const { period_from, period_to, analyzed_at } = banking
  return html`${factList([
    [texts.by, html`${badge(decision)} ${texts.decisions[decision]}`],
    [texts.reason, reasonCode && plain(reasonCode)],
    [texts.status, plain(banking.status)],
    [texts.source, banking.status === 'NOT_PROVIDED' ? null : texts.sources[banking.source]],
    [texts.unavailable, banking.unavailable_reason],
    [texts.period, period_from && period_to && `${day(period_from)} – ${day(period_to)}`],
    [texts.analysed, analyzed_at && when(new Date(analyzed_at))],
    [texts.reference, banking.analysis_reference_id],
    [texts.inflow, amount(figures.inflowPaise)],
    [texts.outflow, amount(figures.outflowPaise)],
    [texts.average, amount(figures.averageBalancePaise)],
    [texts.lowest, amount(figures.lowestBalancePaise)],
    [texts.salary, amount(figures.salaryPaise)],
    [texts.obligations, amount(figures.obligationsPaise)],
  ])}${findings.length > 0 && rules(findings)}`
}

const amount = (paise: Paise | null): string | null => (paise === null ? null : inr(paise))

const rules = (findings: Finding[]): Html => {
  const { rule, figure, bound, effect, outcome } = texts.head
  return tableOf(
    texts.rules,
    [rule, { number: figure }, { number: bound }, effect, outcome],
    findings.map((each) => [
      html`${plain(each.code)} <small>${texts.measures[each.measure]}</small>`,
      each.figure === null ? texts.missing : String(each.figure),
      each.most === undefined ? texts.least(each.least ?? 0) : texts.most(each.most),
      texts.effects[each.effect],
      badge(each.outcome),
    ]),
    { empty: '' },
  )
}

// The rules of each rail of debits, beside the lender's policy, which may only be stricter.

import { type Html, html } from '@lendloom/http/markup'
import { inr } from '@lendloom/lending/money'
import type { Rail } from '#partner/bank/rail/rail.ts'
import { rails } from '#partner/bank/rail/rails.ts'
import { labelOf } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { policySection } from './policy-section.ts'
import { debitTexts, railTexts as texts } from './text-en.ts'

const clockText = (hour: number): string =>
  `${Math.floor(hour)}:${String(Math.round((hour % 1) * 60)).padStart(2, '0')}`
const yesNo = (is: boolean): string => (is ? debitTexts.yes : debitTexts.no)

const rows: [name: string, value: (rail: Rail) => string][] = [
  [texts.hours, ({ hours }) => hours.map((span) => span.map(clockText).join(' to ')).join(', ')],
  [texts.sessions, ({ sessions }) => sessions.map(clockText).join(', ') || debitTexts.none],
  [texts.onHolidays, ({ opensOnHolidays }) => yesNo(opensOnHolidays)],
  [texts.resultHours, ({ resultHours }) => String(resultHours)],
  [texts.noticeHours, ({ noticeHours }) => String(noticeHours)],
  [texts.byBank, ({ isNotifiedByBank }) => yesNo(isNotifiedByBank)],
  [texts.maxDebit, ({ maxDebitPaise }) => inr(maxDebitPaise)],
  [texts.maxMandate, ({ maxMandatePaise }) => inr(maxMandatePaise)],
  [texts.maxAttempts, ({ maxAttempts }) => String(maxAttempts)],
  [texts.retryDays, ({ retryDays }) => String(retryDays)],
  [texts.pausable, ({ isPausable }) => yesNo(isPausable)],
]

export const railsPart = (): Html =>
  policySection({
    id: 'rails',
    title: texts.title,
    phoneSummary: rails.map(({ method }) => labelOf(method)).join(', '),
    body: html`<p>${texts.lead}</p>
${tableOf(
  texts.title,
  [{ name: texts.rule, phone: 'title' }, ...rails.map(({ method }) => labelOf(method))],
  rows.map(([name, value]) => [name, ...rails.map(value)]),
  { empty: '' },
)}`,
  })

// A period of business days: the form that chooses it, and how a page reads it from its query.

import { Refusal } from '@lendloom/foundation/refusal'
import { fits, Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { BusinessDate } from '@lendloom/wire/exchange/fields'
import type { Period } from '#partner/books/ledger/store.ts'
import { dayFilter } from '#partner/desk/parts/form-parts.ts'
import { formatDay } from '#partner/desk/parts/format.ts'

export const periodQuery = Type.Object({ from: Type.Optional(Type.String()), to: Type.Optional(Type.String()) })

/** Returns the day if it is valid. Otherwise refused as `invalid` at `field`. */
export function requireDay(field: string, day: string): string {
  if (!fits(BusinessDate, day)) throw new Refusal('invalid', `${field} is not a day`, { field })
  return day
}

/** Reads the period; the default is the month of its last day, up to today. Refused as `invalid` at `from` or `to`. */
export function periodOf(query: { from?: string; to?: string }, at: Date): Period {
  const today = businessDate(at)
  const to = query.to || today
  const from = query.from || `${to.slice(0, 8)}01`
  for (const [field, day] of Object.entries({ from, to })) requireDay(field, day)
  if (from > to) throw new Refusal('invalid', 'the period ends before it begins', { field: 'to' })
  return { from, to }
}

interface PeriodForm {
  path: string
  period: Period
  at: Date
  action?: Html | false
}

export function periodForm({ path, period, at, action }: PeriodForm): Html {
  const { from, to } = period
  const today = businessDate(at)
  const lastMonthEnd = plusDays(today, -Number(today.slice(8)))
  const months = [
    // Reports end with the last closed day, which is usually yesterday.
    ['This month', { from: `${today.slice(0, 8)}01`, to: today }, plusDays(today, -1)],
    ['Last month', { from: `${lastMonthEnd.slice(0, 8)}01`, to: lastMonthEnd }, lastMonthEnd],
  ] as const
  return html`<p class="views">${months.map(([name, month, earliestEnd]) => html`<a${month.from === from && to >= earliestEnd && to <= month.to && html` aria-current="true"`} href="${path}?${new URLSearchParams({ ...month }).toString()}">${name}</a>`)}</p>
<form class="filters" method="get" action="${path}"><label><span>From</span>${dayFilter('from', from)}</label><label><span>Until</span>${dayFilter('to', to)}</label><button class="secondary">Show</button>${action}<span class="quiet">${formatDay(from)} to ${formatDay(to)}</span></form>`
}

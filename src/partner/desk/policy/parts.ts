// Parts of the forms with which a change of the policy is proposed.

import { BusinessDate } from '#contract/exchange/fields.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { fits } from '#kit/http/schema.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import { daysToDecide } from '#partner/desk/approval/four-eyes.ts'
import { asReason, type Faulty, fieldsOf } from '#partner/desk/parts/form-parts.ts'
import { policyTexts as texts } from './text-en.ts'

export const policyPath = '/desk/policy'

/** A field by its name and by the words that people see. */
export interface FieldLabel {
  name: string
  label: string
}

/** A field's fault, in words for people. */
export const wrong = ({ name, label }: FieldLabel, must: string): Refusal =>
  new Refusal('invalid', `${label}: ${must}`, { field: name })

/** The text of a field. Refused as `invalid` at it, with `must` as the rule. */
export function textIn(form: URLSearchParams, field: FieldLabel, pattern: RegExp, must: string): string {
  const text = form.get(field.name)?.trim() ?? ''
  if (!pattern.test(text)) throw wrong(field, must)
  return text
}

const fromField = { name: 'from', label: texts.fromField }

/** The day from which a change is to hold. Refused as `invalid` at `from`: no day, or not after today. */
export function fromIn(form: URLSearchParams, at: Date): string {
  const from = form.get('from')?.trim() ?? ''
  const today = businessDate(at)
  if (!fits(BusinessDate, from) || from <= today || from > plusDays(today, 366))
    throw wrong(fromField, `it must be a day after today, ${today}, and within a year`)
  return from
}

/** A whole number between two others. Refused as `invalid` at its field. */
export function countIn(
  form: URLSearchParams,
  field: FieldLabel,
  { least, most }: { least: number; most: number },
): number {
  const must = `it must be a whole number from ${least} to ${most}`
  const count = Number(textIn(form, field, /^\d{1,9}$/, must))
  if (count < least || count > most) throw wrong(field, must)
  return count
}

interface ProposalForm {
  /** The last part of the address. */
  action: string
  at: Date
  faulty: Faulty | null
  fields: Html
  /** False where it holds at once. */
  hasFrom?: false
}

/** Collapsed by default, and open after a refusal. */
export function proposalForm({ action, at, faulty, fields, hasFrom }: ProposalForm): Html {
  const field = fieldsOf(action, faulty)
  const tomorrow = plusDays(businessDate(at), 1)
  const from = field({
    ...{ name: 'from', label: texts.from, value: plusDays(businessDate(at), daysToDecide) },
    more: html`type="date" min="${tomorrow}" required`,
  })
  return html`<details class="card todo"${faulty?.action === action && html` open`}><summary>${texts.propose}</summary>
<form method="post" action="${policyPath}/${action}">${fields}
<div class="fields">${hasFrom ?? from}${field({ name: 'reason', label: texts.reason, more: asReason, isBroad: true })}</div>
<button class="primary">${texts.button}</button></form></details>`
}

/** The head of what holds on a day: that it does, or from when it will. */
export const since = (fromOn: string, at: Date): string =>
  fromOn > businessDate(at) ? `${texts.holdsFrom} ${fromOn}` : texts.holds

/** The context of a part of the page. */
export interface PartContext {
  at: Date
  /** Adds the form. */
  mayPropose: boolean
  faulty: Faulty | null
}

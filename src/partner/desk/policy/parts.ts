// Shared by the forms that propose a change of the policy.

import { BusinessDate } from '#contract/exchange/fields.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { fits } from '#kit/http/schema.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import { daysToDecide } from '#partner/desk/approval/four-eyes.ts'
import { fieldRenderer, type RefusedForm, reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { policyTexts as texts } from './text-en.ts'

export const policyPath = '/desk/policy'

/** The name of a field, and its label in error messages. */
export interface FieldLabel {
  name: string
  label: string
}

/** The error of a field; `must` is the rule that it breaks. */
export const fieldError = ({ name, label }: FieldLabel, must: string): Refusal =>
  new Refusal('invalid', `${label}: ${must}`, { field: name })

/** Reads a field that matches a pattern. Refused as `invalid` at the field, with the rule `must`. */
export function readText(form: URLSearchParams, field: FieldLabel, pattern: RegExp, must: string): string {
  const text = form.get(field.name)?.trim() ?? ''
  if (!pattern.test(text)) throw fieldError(field, must)
  return text
}

const fromField = { name: 'from', label: texts.fromField }

/**
 * Reads the day on which a change takes effect. Refused as `invalid` at `from` unless it is within a year after today.
 */
export function readStartDay(form: URLSearchParams, at: Date): string {
  const from = form.get('from')?.trim() ?? ''
  const today = businessDate(at)
  if (!fits(BusinessDate, from) || from <= today || from > plusDays(today, 366))
    throw fieldError(fromField, `it must be a day after today, ${today}, and within a year`)
  return from
}

/** Reads a whole number within limits. Refused as `invalid` at its field. */
export function readCount(
  form: URLSearchParams,
  field: FieldLabel,
  { min, max }: { min: number; max: number },
): number {
  const must = `it must be a whole number from ${min} to ${max}`
  const count = Number(readText(form, field, /^\d{1,9}$/, must))
  if (count < min || count > max) throw fieldError(field, must)
  return count
}

interface ProposalForm {
  /** The last part of the address. */
  action: string
  at: Date
  refusedForm: RefusedForm | null
  fields: Html
  /** False for a change that takes effect when confirmed. */
  hasFrom?: false
}

/** A form that is collapsed until it is refused. */
export function proposalForm({ action, at, refusedForm, fields, hasFrom }: ProposalForm): Html {
  const field = fieldRenderer(action, refusedForm)
  const tomorrow = plusDays(businessDate(at), 1)
  const from = field({
    ...{ name: 'from', label: texts.from, value: plusDays(businessDate(at), daysToDecide) },
    attributes: html`type="date" min="${tomorrow}" required`,
  })
  return html`<details class="card todo"${refusedForm?.action === action && html` open`}><summary>${texts.propose}</summary>
<form method="post" action="${policyPath}/${action}">${fields}
<div class="fields">${hasFrom ?? from}${field({ name: 'reason', label: texts.reason, attributes: reasonAttributes, isWide: true })}</div>
<button class="primary">${texts.button}</button></form></details>`
}

/** The column head of values: in force, or their first day. */
export const effectiveText = (fromOn: string, at: Date): string =>
  fromOn > businessDate(at) ? `${texts.holdsFrom} ${fromOn}` : texts.holds

/** What each part of the policy page needs. */
export interface PartContext {
  at: Date
  /** Whether the part has a form. */
  mayPropose: boolean
  refusedForm: RefusedForm | null
}

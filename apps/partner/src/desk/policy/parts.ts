// Field parsers and form parts that all sections of the policy page share.

import { Refusal } from '@lendloom/foundation/refusal'
import { fits } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { BusinessDate } from '@lendloom/wire/exchange/fields'
import { daysToDecide } from '#partner/desk/approval/four-eyes.ts'
import { fieldRenderer, type RefusedForm, reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { policyTexts as texts } from './text-en.ts'

export const policyPath = '/desk/policy'

export interface FieldLabel {
  name: string
  label: string
}

/** Returns the error of a field; `rule` says what the field must be. */
export const fieldError = ({ name, label }: FieldLabel, rule: string): Refusal =>
  new Refusal('invalid', `${label}: ${rule}`, { field: name })

/** Reads a field. Refused as `invalid` at the field, with `rule` as message, unless it matches the pattern. */
export function readText(form: URLSearchParams, field: FieldLabel, pattern: RegExp, rule: string): string {
  const text = form.get(field.name)?.trim() ?? ''
  if (!pattern.test(text)) throw fieldError(field, rule)
  return text
}

const fromField = { name: 'from', label: texts.fromField }

/** Reads the day on which a change takes effect. `invalid` at `from` unless it is within a year after today. */
export function readStartDay(form: URLSearchParams, at: Date): string {
  const from = form.get('from')?.trim() ?? ''
  const today = businessDate(at)
  if (!fits(BusinessDate, from) || from <= today || from > plusDays(today, 366))
    throw fieldError(fromField, `it must be a day after today, ${today}, and within a year`)
  return from
}

export function readCount(
  form: URLSearchParams,
  field: FieldLabel,
  { min, max }: { min: number; max: number },
): number {
  const rule = `it must be a whole number from ${min} to ${max}`
  const count = Number(readText(form, field, /^\d{1,9}$/, rule))
  if (count < min || count > max) throw fieldError(field, rule)
  return count
}

interface ProposalForm {
  /** The last segment of the path to which the form is sent. */
  action: string
  at: Date
  refusedForm: RefusedForm | null
  fields: Html
  /** False for a change that takes effect when confirmed. */
  hasStartDay?: false
}

/** Renders a form to propose a change; it is collapsed, unless the proposal was just refused. */
export function proposalForm({ action, at, refusedForm, fields, hasStartDay }: ProposalForm): Html {
  const field = fieldRenderer(action, refusedForm)
  const tomorrow = plusDays(businessDate(at), 1)
  const startDay = field({
    name: 'from',
    label: texts.from,
    value: plusDays(businessDate(at), daysToDecide),
    limits: { min: tomorrow },
  })
  return html`<details class="card todo"${refusedForm?.action === action && html` open`}><summary>${texts.propose}</summary>
<form method="post" action="${policyPath}/${action}">${fields}
<div class="fields">${hasStartDay ?? startDay}${field({ name: 'reason', label: texts.reason, attributes: reasonAttributes, isWide: true })}</div>
<button class="primary">${texts.button}</button></form></details>`
}

interface PolicySection {
  id: string
  title: string
  phoneSummary: string
  body: Html
  isOpen?: boolean
}

export const policySection = ({ id, title, phoneSummary, body, isOpen }: PolicySection): Html =>
  html`<details class="part phone-only"${isOpen && html` open`}><summary>${title} <small>${phoneSummary}</small></summary><section id="${id}"><h2>${title}</h2>${body}</section></details>`

/** Returns the head of a column of values: "In force", or from which day they will be. */
export const effectiveText = (fromOn: string, at: Date): string =>
  fromOn > businessDate(at) ? `${texts.inForceFrom} ${fromOn}` : texts.inForce

export interface PartContext {
  at: Date
  mayPropose: boolean
  refusedForm: RefusedForm | null
}

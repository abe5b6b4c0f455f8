// Parts of the desk's forms: fields with their labels, which after a refusal show the user's input and the error, and
// the filters of lists.

import { chevronDown } from '@lendloom/design/icons'
import { type Html, html, icon } from '@lendloom/http/markup'
import { dayText } from '@lendloom/lending/calendar'
import { type PageQuery, withoutPaging } from './paging.ts'

export interface RefusedForm {
  form: URLSearchParams
  /** The last segment of the path to which the form was sent. */
  action: string
  /** The field with the error; null if the error concerns no single field. */
  field: string | null
  message: string
}

interface Field {
  name: string
  label: string | Html
  value?: string
  /** Further attributes, such as `inputmode="decimal"`. */
  attributes?: Html
  isWide?: boolean
  limits?: DayLimits
  hint?: string
  /** What the number counts, such as `days`; it stands behind the field. */
  unit?: string
}

interface DayLimits {
  min?: string
  max?: string
  isOptional?: true
}

/** A field for a day. The limits are written out, because a browser may show months before days. */
export const dayInput = (name: string, value: string, limits: DayLimits): Html =>
  html`${dayFilter(name, value, limits)}${limitsOf(limits)}`

/** A field for a day without its limits in words, for the filters of a list. */
export const dayFilter = (name: string, value: string, limits: DayLimits = {}): Html =>
  html`<input ${dayAttributes(limits)} name="${name}" value="${value}">`

const dayAttributes = ({ min, max, isOptional }: DayLimits): Html =>
  html`type="date"${min && html` min="${min}"`}${max && html` max="${max}"`}${!isOptional && html` required`}`

function limitsOf({ min, max }: DayLimits): Html | false {
  if (min === undefined && max === undefined) return false
  const until = max && dayText(max)
  if (min === max) return hintPart(`Only ${until}`)
  return hintPart(min === undefined ? `Until ${until}` : `From ${dayText(min)}${until ? ` to ${until}` : ''}`)
}

const hintPart = (text: string): Html => html`<small class="limits">${text}</small>`

/** Returns a function that renders fields of the form `action`. If this form was refused, they show input and error. */
export const fieldRenderer = (action: string, refusedForm: RefusedForm | null) => {
  const submitted = refusedForm?.action === action ? refusedForm : null
  return ({ name, label, value = '', attributes, isWide, limits, hint, unit }: Field): Html => {
    const message = submitted?.field === name ? submitted.message : null
    const errorId = `${action}-${name}-wrong`
    const input = html`<input name="${name}" value="${submitted?.form.get(name) ?? value}" ${limits ? dayAttributes(limits) : attributes}${message && html` aria-invalid="true" aria-describedby="${errorId}"`}>`
    return html`<label${isWide && html` class="broad"`}><span>${label}</span>${unit ? html`<span class="measured">${input} ${unit}</span>` : input}${limits && limitsOf(limits)}${hint && hintPart(hint)}${message && html`<small class="wrong" id="${errorId}">${message}</small>`}</label>`
  }
}

/** An amount in rupees with at most two decimals, as browsers check it. */
export const amountPattern = '[0-9,]{1,12}([.][0-9]{1,2})?'
export const amountAttributes = html`inputmode="decimal" pattern="${amountPattern}" required`
export const reasonAttributes = html`maxlength="500" required`

interface ChoiceField {
  name: string
  label: string
  options: readonly (readonly [value: string, text: string])[]
  chosen: string | null
  emptyOption?: string
  isRequired?: true
  /** Whether only screen readers get the label. Used in tables, where the column head names the field. */
  hasHiddenLabel?: boolean
  isWide?: boolean
}

/** A field with a menu of options. */
export const selectField = ({
  name,
  label,
  options,
  chosen,
  emptyOption,
  isRequired,
  hasHiddenLabel,
  isWide,
}: ChoiceField): Html => {
  const select = html`<select name="${name}"${hasHiddenLabel && html` aria-label="${label}"`}${isRequired && html` required`}>${(
    emptyOption === undefined ? options : [['', emptyOption] as const, ...options]
  ).map(
    ([value, text]) => html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${text}</option>`,
  )}</select>`
  return hasHiddenLabel ? select : html`<label${isWide && html` class="broad"`}><span>${label}</span>${select}</label>`
}

/** Renders a filter of a list as a menu of links. A link applies its value at once; the rest of `query` is unchanged. */
export function filterMenu({ name, label, options, chosen, emptyOption = '' }: ChoiceField, query: PageQuery): Html {
  const choices = [['', emptyOption] as const, ...options]
  const shown = choices.find(([value]) => value === (chosen ?? ''))?.[1] ?? emptyOption
  const item = ([value, text]: (typeof choices)[number]) =>
    html`<li><a href="?${filterSearch({ ...query, [name]: value })}"${value === (chosen ?? '') && html` aria-current="true"`}>${text}</a></li>`
  return html`<details class="menu${chosen && ' chosen'}" name="filter"><summary aria-label="${label}: ${shown}"><span>${shown}</span>${icon(chevronDown)}</summary><ul>${choices.map(item)}</ul></details>`
}

/** The query of the first page of a filtered list, without empty filters. */
export function filterSearch(query: PageQuery): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(withoutPaging(query))) if (value) search.set(name, value)
  return search.toString()
}

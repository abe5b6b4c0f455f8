// Parts of forms: a field with its label, what was typed last, and what was wrong with it.

import { type Html, html } from '#kit/http/markup.ts'

/** A form that was refused: which one, what was typed, and at which field. */
export interface Faulty {
  form: URLSearchParams
  /** The last part of the address it was sent to. */
  action: string
  field: string | null
  message: string
}

interface Field {
  name: string
  label: string | Html
  value?: string
  /** Attributes beyond these, as `inputmode="decimal"`. */
  more?: Html
  isBroad?: boolean
}

/** The fields of the form that is sent to `action`: as they were typed where that was refused. */
export const fieldsOf = (action: string, faulty: Faulty | null) => {
  const last = faulty?.action === action ? faulty : null
  return ({ name, label, value = '', more, isBroad }: Field): Html => {
    const wrong = last?.field === name ? last.message : null
    const id = `${action}-${name}-wrong`
    return html`<label${isBroad && html` class="broad"`}><span>${label}</span><input name="${name}" value="${last?.form.get(name) ?? value}" ${more}${wrong && html` aria-invalid="true" aria-describedby="${id}"`}>${wrong && html`<small class="wrong" id="${id}">${wrong}</small>`}</label>`
  }
}

const amountPattern = '[0-9]{1,9}([.][0-9]{1,2})?'
export const asAmount = html`inputmode="decimal" pattern="${amountPattern}" required`
export const asReason = html`maxlength="500" required`

interface ChoiceField {
  name: string
  label: string
  options: readonly (readonly [value: string, text: string])[]
  chosen: string | null
  /** The option for no selection. */
  any?: string
  /** The label is for screen readers only: a column shows it. */
  isBare?: boolean
}

/** One of several options, with the current one selected. */
export const choice = ({ name, label, options, chosen, any, isBare }: ChoiceField): Html => {
  const select = html`<select name="${name}"${isBare && html` aria-label="${label}"`}>${(
    any === undefined ? options : [['', any] as const, ...options]
  ).map(
    ([value, text]) => html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${text}</option>`,
  )}</select>`
  return isBare ? select : html`<label><span>${label}</span>${select}</label>`
}

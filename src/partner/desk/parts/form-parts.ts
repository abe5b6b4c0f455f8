// Form fields with their labels, earlier input and errors.

import { type Html, html } from '#kit/http/markup.ts'

/** A refused form with its input and its error. */
export interface RefusedForm {
  form: URLSearchParams
  /** The last part of the address that it was sent to. */
  action: string
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
}

/** Returns a function that renders a field of the form `action`, with the input and error of its refusal. */
export const fieldRenderer = (action: string, refusedForm: RefusedForm | null) => {
  const submitted = refusedForm?.action === action ? refusedForm : null
  return ({ name, label, value = '', attributes, isWide }: Field): Html => {
    const message = submitted?.field === name ? submitted.message : null
    const id = `${action}-${name}-wrong`
    return html`<label${isWide && html` class="broad"`}><span>${label}</span><input name="${name}" value="${submitted?.form.get(name) ?? value}" ${attributes}${message && html` aria-invalid="true" aria-describedby="${id}"`}>${message && html`<small class="wrong" id="${id}">${message}</small>`}</label>`
  }
}

const amountPattern = '[0-9]{1,9}([.][0-9]{1,2})?'
export const amountAttributes = html`inputmode="decimal" pattern="${amountPattern}" required`
export const reasonAttributes = html`maxlength="500" required`

interface ChoiceField {
  name: string
  label: string
  options: readonly (readonly [value: string, text: string])[]
  chosen: string | null
  /** The label of the option with an empty value. */
  emptyOption?: string
  /** Whether only screen readers get the label, because a table column shows it. */
  hasHiddenLabel?: boolean
}

/** One of several options, with the current one selected. */
export const selectField = ({ name, label, options, chosen, emptyOption, hasHiddenLabel }: ChoiceField): Html => {
  const select = html`<select name="${name}"${hasHiddenLabel && html` aria-label="${label}"`}>${(
    emptyOption === undefined ? options : [['', emptyOption] as const, ...options]
  ).map(
    ([value, text]) => html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${text}</option>`,
  )}</select>`
  return hasHiddenLabel ? select : html`<label><span>${label}</span>${select}</label>`
}

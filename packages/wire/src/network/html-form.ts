// Reads and fills the HTML form on a lender's page as a browser does (FIS12 §7.7, §13.3).

import { jsonIn } from '@lendloom/foundation/json'
import { fieldsOf, ownValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { type Static, Type } from '@lendloom/foundation/schema'
import { type HtmlElement, readHtml } from '@lendloom/http/html'
import { isTypedIn, presetValue } from './html-preset-values.ts'

/** A form field. `value` is the preset value, which a browser submits if the user changes nothing. */
interface FormField {
  name: string
  type: string
  required: boolean
  value: string | null
  options: { value: string; label: string }[]
}

export interface HtmlForm {
  action: string
  method: 'GET' | 'POST'
  enctype: string
  fields: FormField[]
}

export const SubmissionResponse = Type.Object({ success: Type.Boolean(), submission_id: Type.Optional(Type.String()) })
export type SubmissionResponse = Static<typeof SubmissionResponse>

/** Parses a page's first POST form, else its first form. Throws `malformed` without a form or an http(s) action. */
export function readForm(html: string, pageUrl: string): HtmlForm {
  const page = readHtml(html)
  const forms = page.all('form')
  const form = forms.find(({ attributes }) => attributes.method?.toUpperCase() === 'POST') ?? forms[0]
  if (!form) throw new Refusal('malformed', 'the page has no form')
  const controls = controlsOf(form, page)
  const { formaction, formmethod, formenctype } = controls.find(isSubmit)?.attributes ?? {}
  const base = resolveUrl(page.all('base')[0]?.attributes.href ?? '', pageUrl)
  const action = formaction ?? form.attributes.action ?? ''
  const method = formmethod ?? form.attributes.method
  const enctype = formenctype ?? form.attributes.enctype
  return {
    action: resolveUrl(action, action ? base : pageUrl),
    method: method?.toUpperCase() === 'POST' ? 'POST' : 'GET',
    enctype: enctype?.toLowerCase() ?? 'application/x-www-form-urlencoded',
    fields: mergeRadioButtons(controls.flatMap(fieldsOfControl)),
  }
}

/**
 * Returns the enabled controls that a form owns, in the order of the page (HTML, form owner): those that the parser gave
 * to it, and those that name its id. Of its submit buttons only the one that is pressed is among them. Controls in a
 * list of suggestions are too: the standard leaves them out, but browsers send them.
 */
function controlsOf(form: HtmlElement, page: HtmlElement): HtmlElement[] {
  const { id = '' } = form.attributes
  const isFirstOfId = id !== '' && page.byId(id) === form
  const owned = page.all('input', 'select', 'textarea', 'button').filter((control) => {
    const { form: named } = control.attributes
    const isOwned = named === undefined ? control.form() === form : isFirstOfId && named === id
    return isOwned && !isDisabled(control)
  })
  const pressed = owned.find((control) => isSubmit(control) && !isCancel(control))
  return owned.filter((control) => !isSubmit(control) || control === pressed)
}

/** A disabled fieldset disables the controls in it, but not those in its first legend. */
const isDisabled = (control: HtmlElement): boolean =>
  control.attributes.disabled !== undefined ||
  control.around('fieldset').some((fieldset) => {
    const isInLegend = () => control.around('legend').some((legend) => fieldset.children('legend')[0] === legend)
    return fieldset.attributes.disabled !== undefined && !isInLegend()
  })

const isSubmit = ({ name, attributes: { type } }: HtmlElement): boolean =>
  (name === 'button' && !['button', 'reset'].includes(type?.toLowerCase() ?? 'submit')) ||
  (name === 'input' && ['submit', 'image'].includes(type?.toLowerCase() ?? ''))

const cancelWords =
  /^(?:(?:no|go|i|btn|button|submit|action|op) )*(?:cancel|back|previous|decline|reject|refuse|disagree|do not|don t|deny|abort|exit|withdraw|discard|delete|reset|clear|log ?out|sign ?out|रद्द|वापस)(?![\p{L}\p{M}])/u

/**
 * Whether a button's name, value or text begins with a word such as "cancel", as `btnCancel` and "Go back" do. The Enter
 * key of a browser presses the first submit button whatever it does, but a person sees what it does: the borrower has
 * entered these data to hand them in, so a button that would discard them is never pressed.
 */
const isCancel = (button: HtmlElement): boolean =>
  [button.attributes.name, button.attributes.value, button.attributes.alt, button.text()].some((text = '') => {
    const words = text.replace(/([a-z])([A-Z])/g, '$1 $2').split(/[^\p{L}\p{M}]+/u)
    return cancelWords.test(words.join(' ').trim().toLowerCase())
  })

/** The address in an answer `{"type":"dynamic","formUrl":"…"}` of the network's test service; null for a page. */
export function dynamicFormUrl(answer: string, pageUrl: string): string | null {
  const { type, formUrl } = fieldsOf(jsonIn(answer))
  return type === 'dynamic' && typeof formUrl === 'string' ? resolveUrl(formUrl, pageUrl) : null
}

/** The module and name of `readForm`, for a parser thread. */
export const formParser = { module: new URL(import.meta.url), name: 'readForm' }

function resolveUrl(href: string, base: string): string {
  const url = URL.parse(href.trim(), base)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Refusal('malformed', `the form's action "${href}" is not an http address`)
  return url.href
}

const otherButtons = ['button', 'reset']
const otherInputs = ['hidden', 'checkbox', 'radio', 'file', 'image', ...otherButtons]

function kindOf(control: HtmlElement): string {
  const type = control.attributes.type?.toLowerCase() ?? 'text'
  if (isSubmit(control)) return type === 'image' && control.name === 'input' ? 'image' : 'submit'
  if (control.name !== 'input') return control.name
  return isTypedIn(type) || otherInputs.includes(type) ? type : 'text'
}

/** Returns the field of a control; several for a select of several options that are selected, and for a picture. */
function fieldsOfControl(control: HtmlElement): FormField[] {
  const { name, value, required, readonly, checked } = control.attributes
  const kind = kindOf(control)
  if (kind === 'image') return placeOnPicture(name)
  if (!name || otherButtons.includes(kind)) return []
  // A browser does not validate hidden and read-only fields, nor suggestions. A select cannot be read-only.
  const isSuggestion = control.around('datalist').length > 0
  const isValidated = kind !== 'hidden' && !isSuggestion && (kind === 'select' || readonly === undefined)
  const field = { name, type: kind, required: required !== undefined && isValidated }
  if (kind === 'select') return choicesOf(control).map((choice) => ({ ...field, ...choice }))
  if (kind === 'textarea') return [{ ...field, value: control.rawText() || null, options: [] }]
  if (kind === 'radio' || kind === 'checkbox') {
    const option = value ?? 'on'
    return [{ ...field, value: checked === undefined ? null : option, options: [{ value: option, label: option }] }]
  }
  const preset = presetValue(kind, control.attributes)
  return [{ ...field, value: preset || null, options: [] }]
}

/** A button that is a picture sends where it was pressed: at its corner by the Enter key. */
const placeOnPicture = (name: string | undefined): FormField[] =>
  ['x', 'y'].map((axis) => ({
    name: name ? `${name}.${axis}` : axis,
    type: 'submit',
    required: false,
    value: '0',
    options: [],
  }))

/** Returns the text of an option without the white space around it. Non-breaking spaces are a part of the text. */
const textOfOption = (option: HtmlElement): string =>
  option
    .rawText()
    .replace(/[\t\n\f\r ]+/g, ' ')
    .replace(/^ | $/g, '')

/**
 * Without a selected option, a browser selects the first one that can be chosen, unless several may be chosen or are
 * shown at once.
 */
function choicesOf(select: HtmlElement): Pick<FormField, 'value' | 'options'>[] {
  const disabledGroups = select.all('optgroup').filter(({ attributes }) => attributes.disabled !== undefined)
  const inDisabledGroup = new Set(disabledGroups.flatMap((group) => group.all('option')))
  const all = select.all('option').map((option) => {
    const { value, selected, disabled } = option.attributes
    const label = textOfOption(option)
    const isDisabled = disabled !== undefined || inDisabledGroup.has(option)
    return { value: value ?? label, label, isSelected: selected !== undefined, isDisabled }
  })
  const options = all
    .filter(({ value, isDisabled }) => value !== '' && !isDisabled)
    .map(({ value, label }) => ({ value, label }))
  const selected = all.filter(({ isSelected }) => isSelected)
  if (select.attributes.multiple !== undefined) {
    const values = selected.filter(({ isDisabled }) => !isDisabled).map(({ value }) => value)
    return (values.length > 0 ? values : [null]).map((value) => ({ value, options }))
  }
  const isList = Number.parseInt(select.attributes.size ?? '', 10) > 1
  const preset = isList ? undefined : all.find(({ isDisabled }) => !isDisabled)
  const chosen = selected.at(-1) ?? preset
  return [{ value: chosen && !chosen.isDisabled ? chosen.value : null, options }]
}

/**
 * Radio buttons with one name are one field, in the place of the last button that is checked, because a browser then
 * unchecks the others. Other controls with one name are fields of their own.
 */
function mergeRadioButtons(fields: FormField[]): FormField[] {
  const groups = Map.groupBy(
    fields.filter(({ type }) => type === 'radio'),
    ({ name }) => name,
  )
  const merged = new Map<FormField, FormField>()
  for (const buttons of groups.values()) {
    const chosen = buttons.findLast(({ value }) => value !== null) ?? buttons[0]
    const isRequired = buttons.some(({ required }) => required)
    const options = buttons.flatMap((button) => button.options)
    if (chosen) merged.set(chosen, { ...chosen, required: isRequired, options })
  }
  return fields.flatMap((field) => (field.type === 'radio' ? (merged.get(field) ?? []) : [field]))
}

export interface FilledForm {
  entries: [name: string, value: string][]
  missing: string[]
}

/**
 * Fills fields by name and retains the page's preset values, in the order of a browser (HTML, constructing the entry
 * list). An answer that is not among a field's options is not sent. Options match regardless of case and separators,
 * because lenders' spellings differ.
 */
export function fillForm(form: HtmlForm, answers: Record<string, string | undefined>): FilledForm {
  const filled = form.fields.map((field) => ({ field, value: answerFor(field, ownValue(answers, field.name)) }))
  const missing = filled.filter(({ field, value }) => field.required && !value).map(({ field }) => field.name)
  return {
    entries: filled.flatMap(({ field, value }): FilledForm['entries'] => (value === null ? [] : [[field.name, value]])),
    missing: [...new Set(missing)],
  }
}

/** Returns what a field sends; null if it is not sent. A text that nobody filled in, and a file, is sent empty. */
function answerFor(field: FormField, answer: string | undefined): string | null {
  const { name, type, value, options } = field
  if (type === 'file') return ''
  if (type === 'submit') return value ?? ''
  if (type === 'hidden') return value ?? (name === '_charset_' ? 'UTF-8' : (answer ?? ''))
  const isChoice = type === 'select' || type === 'radio' || type === 'checkbox'
  if (answer === undefined || answer === '') return isChoice ? value : (value ?? '')
  if (!isChoice) return answer
  const normalize = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  const match = options.find((option) =>
    [option.value, option.label].some((text) => normalize(text) === normalize(answer)),
  )
  if (match) return match.value
  return type === 'checkbox' && /^(?:true|on|yes|1)$/i.test(answer) ? (options[0]?.value ?? null) : null
}

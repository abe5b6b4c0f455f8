// A lender's form page, read and filled by its field names as a browser would, and what its result means (FIS12 §7.7, §13.3).
import { networkTexts } from '#contract/hosted/profile.ts'
import { type HtmlElement, readHtml } from '#kit/http/html.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { type Static, Type } from '#kit/http/schema.ts'
import { isOneOf, keysOf, ownValue, recordOf } from '#kit/runtime/record.ts'

/** A form field of a page. A preset value (hidden, chosen, checked) is the one that an unchanged form would send. */
interface FormField {
  name: string
  type: string
  required: boolean
  value: string | null
  /** The options of a select, radio group or checkbox. */
  options: { value: string; label: string }[]
}

export interface HtmlForm {
  action: string
  method: 'GET' | 'POST'
  enctype: string
  fields: FormField[]
}

/** The answer to a submitted `text/html` form. */
export const FormAnswer = Type.Object({ success: Type.Boolean(), submission_id: Type.Optional(Type.String()) })
export type FormAnswer = Static<typeof FormAnswer>

/**
 * The form of a page: the one that is posted, else the first. Its action is resolved against the page and must be http(s).
 * Throws a `Refusal` of kind `malformed` when the page has no form that can be sent.
 */
export function readForm(html: string, pageUrl: string): HtmlForm {
  const page = readHtml(html)
  const forms = page.all('form')
  const form = forms.find(({ attributes }) => attributes.method?.toUpperCase() === 'POST') ?? forms[0]
  if (!form) throw new Refusal('malformed', 'the page holds no form')
  const base = resolved(page.all('base')[0]?.attributes.href ?? '', pageUrl)
  const action = resolved(form.attributes.action ?? '', form.attributes.action ? base : pageUrl)
  return {
    action,
    method: form.attributes.method?.toUpperCase() === 'POST' ? 'POST' : 'GET',
    enctype: form.attributes.enctype?.toLowerCase() ?? 'application/x-www-form-urlencoded',
    fields: joined(form.all('input', 'select', 'textarea').flatMap(fieldOf)),
  }
}

/** `readForm` by its module, for a parser thread. */
export const formParser = { module: new URL(import.meta.url), name: 'readForm' }

function resolved(href: string, base: string): string {
  const url = URL.parse(href.trim(), base)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Refusal('malformed', `the form leads to "${href}", not to http`)
  return url.href
}

const neverSent = ['submit', 'button', 'reset', 'image']

function fieldOf(control: HtmlElement): FormField[] {
  const { name, type = 'text', value, required, disabled, checked } = control.attributes
  const kind = control.name === 'input' ? type.toLowerCase() : control.name
  if (!name || disabled !== undefined || neverSent.includes(kind)) return []
  const field = { name, type: kind, required: required !== undefined }
  if (kind === 'select') return [{ ...field, ...choiceOf(control) }]
  if (kind === 'textarea') return [{ ...field, value: control.text() || null, options: [] }]
  if (kind === 'radio' || kind === 'checkbox') {
    const option = value ?? 'on'
    return [{ ...field, value: checked === undefined ? null : option, options: [{ value: option, label: option }] }]
  }
  return [{ ...field, value: value || null, options: [] }]
}

function choiceOf(select: HtmlElement): Pick<FormField, 'value' | 'options'> {
  const all = select.all('option').map((option) => {
    const label = option.text()
    return { value: option.attributes.value ?? label, label, selected: option.attributes.selected !== undefined }
  })
  const value = all.find(({ selected }) => selected)?.value || null
  const options = all
    .filter((option) => option.value !== '')
    .map((option) => ({ value: option.value, label: option.label }))
  return { value, options }
}

/** Radio buttons of one name are one field. */
function joined(fields: FormField[]): FormField[] {
  const byName = new Map<string, FormField>()
  for (const field of fields) {
    const first = byName.get(field.name)
    if (!first) byName.set(field.name, { ...field })
    else if (field.type === 'radio') {
      first.options = [...first.options, ...field.options]
      first.value ??= field.value
      first.required ||= field.required
    }
  }
  return [...byName.values()]
}

export interface FilledForm {
  /** The values to send, in the order of the page. */
  entries: [name: string, value: string][]
  /** Required fields for which there was no usable answer. */
  missing: string[]
}

/**
 * Fills the fields that we have answers for, by name, and keeps what the page brought along. An answer that a choice does
 * not offer is not sent; case and separators are forgiven, as lenders spell one choice in several ways.
 */
export function fillForm(form: HtmlForm, answers: Record<string, string | undefined>): FilledForm {
  const filled = form.fields.map((field) => ({ field, value: answerFor(field, ownValue(answers, field.name)) }))
  return {
    entries: filled.flatMap(({ field, value }): FilledForm['entries'] => (value === null ? [] : [[field.name, value]])),
    missing: filled.filter(({ field, value }) => field.required && value === null).map(({ field }) => field.name),
  }
}

function answerFor(field: FormField, answer: string | undefined): string | null {
  if (field.type === 'file') return null
  if (field.type === 'hidden') return field.value ?? answer ?? null
  if (answer === undefined || answer === '') return field.value
  const [first] = field.options
  if (!first) return answer
  if (field.type === 'checkbox') return /^(?:true|on|yes|1)$/i.test(answer) ? first.value : null
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  const match = field.options.find(({ value, label }) => [value, label].some((text) => plain(text) === plain(answer)))
  return match?.value ?? null
}

export const formStatuses = [
  'PENDING',
  'SUCCESS',
  'APPROVED',
  'COMPLETED',
  'OFFLINE_PENDING',
  'REJECTED',
  'EXPIRED',
] as const
export type FormStatus = (typeof formStatuses)[number]

export type FormOutcome = 'success' | 'failure' | 'waiting'

const outcomes: Record<FormStatus, FormOutcome> = {
  SUCCESS: 'success',
  APPROVED: 'success',
  COMPLETED: 'success',
  REJECTED: 'failure',
  EXPIRED: 'failure',
  PENDING: 'waiting',
  OFFLINE_PENDING: 'waiting',
}

/** Success is spelled differently per step (FIS12 §7.7); null for a word that is not in the list. */
export const formOutcome = (status: string): FormOutcome | null =>
  isOneOf(formStatuses, status) ? outcomes[status] : null

/** The field names of the forms that our side fills and a lender's page shows (FIS12 §7.7, §13.3). */
export interface FieldSpec {
  type: 'text' | 'email' | 'tel' | 'date' | 'number' | 'checkbox' | 'select' | 'file' | 'hidden'
  required: boolean
  options?: readonly string[]
}

const must = (type: FieldSpec['type'] = 'text') => ({ type, required: true }) as const
const may = (type: FieldSpec['type'] = 'text') => ({ type, required: false }) as const
const oneOf = <const Options extends readonly string[]>(options: Options) =>
  ({ type: 'select', required: true, options }) as const

/** The personal loan profile. `dob` is `YYYY-MM-DD`, `income` is rupees a month, `bureauConsent` a checkbox. */
export const profileFields = {
  panName: must(),
  personalemail: may('email'),
  officialemail: may('email'),
  dob: must('date'),
  gender: oneOf(['male', 'female', 'transgender']),
  pan: must(),
  contactNumber: must('tel'),
  employmentType: oneOf(['salaried', 'selfEmployed']),
  income: must('number'),
  companyName: must(),
  ...recordOf(keysOf(networkTexts), () => may()),
  aa_id: may(),
  endUse: oneOf(['consumerDurablePurchase', 'education', 'travel', 'health', 'other']),
  bureauConsent: may('checkbox'),
  derivedData: may('file'),
  formId: may('hidden'),
} as const satisfies Record<string, FieldSpec>

/** The gold loan profile. `annualIncome` is rupees a year, `jewellery` grams; the network spells `18k` with a small letter. */
export const goldFields = {
  userType: { ...oneOf(['individual', 'non-individual']), required: false },
  pan: must(),
  fullName: must(),
  constitution: may(),
  gender: oneOf(['male', 'female', 'transgender']),
  employmentType: { ...oneOf(['salaried', 'selfEmployed']), required: false },
  dob: must('date'),
  annualIncome: may('number'),
  contactNumber: must('tel'),
  email: may('email'),
  address: may(),
  pincode: must(),
  city: may(),
  state: may(),
  jewellery: must('number'),
  purity: oneOf(['24K', '22K', '21K', '18k', '14K', '9K']),
  endUse: {
    ...oneOf([
      'marriage',
      'familyFunctions',
      'medicalTreatmentAndEmergencies',
      'travelEducationExpenses',
      'businessExpansion',
      'agricultureAndFarmRelatedNeeds',
      'purchaseOfEquipment',
      'other',
    ]),
    required: false,
  },
  bureauConsent: may('checkbox'),
  aa_id: may(),
  formId: may('hidden'),
} as const satisfies Record<string, FieldSpec>

/** The amount in rupees and the term in months that the borrower chose. */
export const amountFields = {
  requestAmount: must('number'),
  requestTerm: must('number'),
  formId: may('hidden'),
} as const satisfies Record<string, FieldSpec>

/** The account that is paid into and debited. */
export const bankFields = {
  accHolderName: must(),
  acctype: oneOf(['current', 'saving']),
  accNo: must(),
  ifscCode: must(),
  formId: may('hidden'),
} as const satisfies Record<string, FieldSpec>

/** A second form about the borrower, for taking an offer: identity and requested terms (FIS12 §19.1). */
export const customerFields = {
  pan: must(),
  fullName: must(),
  gender: oneOf(['male', 'female', 'transgender']),
  dob: must('date'),
  contactNumber: must('tel'),
  pincode: must(),
  requestAmount: must('number'),
  requestTerm: must('number'),
  formId: may('hidden'),
} as const satisfies Record<string, FieldSpec>

/** Answers by field name, for posting. */
export type AnswersTo<Fields extends Record<string, FieldSpec>> = { [Name in keyof Fields]?: string }

// The HTML of the strict lender's forms and pages, and the check of what a form was answered with (FIS12 §7.7).
import type { Call } from './directory.ts'
import type { FormField, Talk } from './talk.ts'

/** What a ticked box sends. */
const ticked = 'true'

function controlOf({ name, required, options, kind }: FormField): string {
  const attributes = `name="${name}"${required ? ' required' : ''}`
  if (kind === 'checkbox') return `<input type="checkbox" ${attributes} value="${ticked}">`
  if (kind === 'file') return `<input type="file" ${attributes} accept=".json">`
  if (!options) return `<input ${attributes}>`
  const choices = options.map((each) => `<option value="${each}">${each}</option>`)
  return `<select ${attributes}><option value=""></option>${choices}</select>`
}

const hiddenInput = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`

/** The fields that the form itself fills; a lender with stops also names the transaction. */
const hiddenFields = (talk: Talk, name: string): Record<string, string> => ({
  formId: talk.id(name),
  ...(talk.flow.hasStops && { transactionId: talk.transactionId }),
})

const hiddenInputs = (talk: Talk, name: string): string =>
  Object.entries(hiddenFields(talk, name))
    .map(([field, value]) => hiddenInput(field, value))
    .join('')

export function formPage(
  talk: Talk,
  name: string,
  { action, fields }: { action: string; fields: readonly FormField[] },
): string {
  const controls = fields.map(controlOf).join('')
  return `<form method="POST" action="${action}">${hiddenInputs(talk, name)}${controls}<button>Send</button></form>`
}

/** A page that the borrower completes at the lender; the page of a payment asks whether it was paid. */
export function pageOf(talk: Talk, name: string, action: string): string {
  const asksForPayment = talk.flow.hasStops && name === 'PAY'
  const choice = `<select name="idType" required><option value="PAID" selected>Paid</option><option value="NOT-PAID">Not paid</option></select>`
  const controls = asksForPayment ? `${hiddenInputs(talk, name)}${choice}` : ''
  const escaped = action.replaceAll('&', '&amp;')
  return `<h1>${name}</h1><form method="POST" action="${escaped}">${controls}<button name="outcome">Done</button></form>`
}

interface FormAnswers {
  answers: Record<string, string>
  faults: string[]
  /** Whether every required field is filled. */
  isComplete: boolean
}

/** Reads and checks a submitted form. */
export async function answersOf(
  talk: Talk,
  name: string,
  { fields, call: { raw, headers } }: { fields: readonly FormField[]; call: Call },
): Promise<FormAnswers> {
  const answers = await entriesIn(raw, headers['content-type'] ?? '')
  const missing = fields.filter(({ name: field, required }) => required && !answers[field]).map((each) => each.name)
  const wrong = fields.filter(({ name: field, options, kind }) => {
    const answer = answers[field]
    if (!answer) return false
    return kind === 'checkbox' ? answer !== ticked : options && !options.includes(answer)
  })
  const faults = [...missing, ...wrong.map((each) => each.name)].map((field) => `the form ${name} lacks ${field}`)
  for (const [field, value] of Object.entries(hiddenFields(talk, name)))
    if (answers[field] !== value) faults.push(`the form ${name} was submitted without its hidden field ${field}`)
  return { answers, faults, isComplete: missing.length === 0 }
}

/** A form with a file may also be sent in parts; then the answer is the text of the file. */
async function entriesIn(raw: string, contentType: string): Promise<Record<string, string>> {
  if (!contentType.startsWith('multipart/form-data')) return Object.fromEntries(new URLSearchParams(raw))
  const parts = await new Response(raw, { headers: { 'content-type': contentType } }).formData()
  const entries = [...parts].map(async ([name, value]) => [
    name,
    typeof value === 'string' ? value : await value.text(),
  ])
  return Object.fromEntries(await Promise.all(entries))
}

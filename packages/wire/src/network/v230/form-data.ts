// A form inside a message: the lender's fields, and the borrower's answers (FIS12 §7.7, §10.3).
import { ownValue } from '@lendloom/foundation/record'
import type { Portfolio } from './categories.ts'
import type { Field } from './schema.ts'

/** The borrower's profile. `dob` is `YYYY-MM-DD`, `annualIncome` rupees, `bureauConsent` `true` or `false`. */
const profileFields = {
  userType: { type: 'enum', required: false },
  pan: { type: 'string', required: true },
  fullName: { type: 'string', required: true },
  constitution: { type: 'enum', required: true },
  gender: { type: 'enum', required: true },
  employmentType: { type: 'enum', required: true },
  dob: { type: 'string', required: true },
  annualIncome: { type: 'string', required: true },
  mobileNumber: { type: 'string', required: true },
  emailId: { type: 'string', required: true },
  addressL1: { type: 'string', required: false },
  addressL2: { type: 'string', required: false },
  pincode: { type: 'string', required: false },
  city: { type: 'string', required: false },
  state: { type: 'string', required: false },
  endUse: { type: 'enum', required: false },
  bureauConsent: { type: 'boolean', required: true },
} as const

/** Additional fields by the source of the holdings. */
const fieldsBy: Record<Portfolio, Record<string, { type: string; required: boolean }>> = {
  mfc: { statementUpload: { type: 'file', required: true } },
  rta: { rtaName: { type: 'enum', required: true }, statementUpload: { type: 'file', required: true } },
  'account-aggregator': { aa_id: { type: 'string', required: false } },
}

export const requiredFields = Object.entries(profileFields).flatMap(([name, { required }]) => (required ? [name] : []))

export const requiredData = (portfolio: Portfolio) =>
  Object.fromEntries(
    Object.entries({ ...profileFields, ...fieldsBy[portfolio] }).map(([name, { type }]) => [name, { type }]),
  )

/** A file by its address; `validity` is how long it can be downloaded, an ISO 8601 duration. */
export interface SharedFile {
  url: string
  /** `.json` */
  format: string
  validity: string
}

export type Answers = Record<string, string | SharedFile>

/** The `form.data` of a directed search. */
export const answeredData = (answers: Answers): Record<string, Exclude<Field, string>> =>
  Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      typeof answer === 'string'
        ? { value: answer }
        : { format: answer.format, validity: answer.validity, value: answer.url },
    ]),
  )

/** Reads `form.data` of a directed search (the lender's side). A field without a value is unanswered. */
export const answersOf = (data: Record<string, Field> = {}): Answers =>
  Object.fromEntries(
    Object.entries(data).flatMap(([name, field]) => {
      const { value, format, validity = '' } = typeof field === 'string' ? { value: field } : field
      if (value === undefined) return []
      return [[name, format === undefined ? String(value) : { url: String(value), format, validity }]]
    }),
  )

export interface FormField {
  name: string
  type: string
  required: boolean
}

const allFields: Record<string, { required: boolean }> = Object.assign({}, profileFields, ...Object.values(fieldsBy))

/** The fields of a form. The wire does not mark required fields: only those that the network requires are. */
export const formFields = (data: Record<string, Field> = {}): FormField[] =>
  Object.entries(data).map(([name, field]) => ({
    name,
    type: (typeof field === 'string' ? undefined : field.type?.toLowerCase()) ?? 'string',
    required: ownValue(allFields, name)?.required ?? false,
  }))

/** Selects the answers that the form requests; `missing` are required fields without an answer. */
export function fillData(fields: readonly FormField[], available: Answers): { answers: Answers; missing: string[] } {
  const entries = fields.flatMap(({ name }): [string, Answers[string]][] =>
    available[name] ? [[name, available[name]]] : [],
  )
  const answers = Object.fromEntries(entries)
  return {
    answers,
    missing: fields.filter(({ name, required }) => required && !Object.hasOwn(answers, name)).map(({ name }) => name),
  }
}

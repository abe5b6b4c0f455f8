// Judges a report as the network's collector does, and finds personal data by its form (FIS12 §23).

import { fieldsOf, isObject } from '@lendloom/foundation/record'
import { reportedActions } from '@lendloom/wire/network/collector-reports'

interface ReportFault {
  error_code: number
  error_description: string
  message: string
  path: string
}

const faultOf = (error_code: number, error_description: string, path: string, message: string): ReportFault => ({
  error_code,
  error_description,
  message,
  path,
})
const missing = (path: string) => faultOf(4001, 'REQUIRED_FIELD', path, 'is required')
const wrongType = (path: string, message: string) => faultOf(4002, 'INVALID_DATA_TYPE', path, message)
const wrongValue = (path: string, message: string) => faultOf(4003, 'INVALID_ENUM_VALUE', path, message)

interface JudgedReport {
  faults: ReportFault[]
  /** Top-level fields that the form does not have; the report is accepted all the same. */
  extraFields: string[]
}

/** Returns all faults of a report, with the error codes of the collector. */
export function judgeReport(report: unknown): JudgedReport {
  const { type, data, ...extra } = fieldsOf(report)
  return {
    faults: [...typeFaults(type), ...dataFaults(data, type), ...personalFaults(data, '$.data')],
    extraFields: Object.keys(extra),
  }
}

function typeFaults(type: unknown): ReportFault[] {
  if (type === undefined) return [missing('$.type')]
  if (typeof type !== 'string') return [wrongType('$.type', 'must be a string')]
  return reportedActions.includes(actionOf(type)) ? [] : [wrongValue('$.type', 'is not an action of the list')]
}

const actionOf = (type: string): string => type.replace(/_response$/, '')

function dataFaults(data: unknown, type: unknown): ReportFault[] {
  if (!isObject(data)) return [data === undefined ? missing('$.data') : wrongType('$.data', 'must be an object')]
  const { context, message, error } = data
  const { action } = fieldsOf(context)
  return [
    ...(isObject(context) ? [] : [missing('$.data.context')]),
    ...(isObject(message) || isObject(error) ? [] : [missing('$.data.message')]),
    ...(action === undefined ? [missing('$.data.context.action')] : []),
    ...(typeof action === 'string' && typeof type === 'string' && actionOf(type) !== action
      ? [wrongValue('$.data.context.action', 'must be the action of the type')]
      : []),
  ]
}

/** A PAN, a mobile number of India, and an e-mail address. */
const personalForms = [
  /(?<!\w)[A-Z]{5}\d{4}[A-Z](?!\w)/i,
  /(?<![\w-])(?:\+?91[- ]?)?[6-9]\d{9}(?![\w-])/,
  /\w@[a-z\d-]+\.[a-z]{2}/i,
]

function personalFaults(value: unknown, path: string): ReportFault[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => personalFaults(inner, `${path}.${name}`))
  return personalForms.some((form) => form.test(String(value)))
    ? [wrongType(path, 'must not contain personal data')]
    : []
}

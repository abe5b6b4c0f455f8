// Reports of messages to the network's collector, and its answers (FIS12 §23).

import { jsonIn } from '@lendloom/foundation/json'
import { fieldsOf, isObject } from '@lendloom/foundation/record'
import { fits, type Static, Type } from '@lendloom/foundation/schema'
import { anonymized, anonymizedError } from './anonymize-message.ts'
import { Acknowledgement, type NetworkError } from './context.ts'

export const reportedActions = [
  'cancel',
  'catalog_rejection',
  'confirm',
  'init',
  'issue',
  'issue_status',
  'on_cancel',
  'on_confirm',
  'on_init',
  'on_issue',
  'on_issue_status',
  'on_select',
  'on_status',
  'on_update',
  'select',
  'status',
  'receiver_recon',
  'on_receiver_recon',
  'update',
  'search',
  'on_search',
  'recon',
  'on_recon',
  'report',
  'on_report',
  'settle',
  'on_settle',
  'track',
  'on_track',
  'info',
  'on_info',
]

export interface MessageReport {
  type: string
  data: Record<string, unknown>
}

/** A message of the journal with its final answer. */
interface JournalEntry {
  /** The action of the endpoint; a refused message may name another one in its context. */
  action: string
  body: Buffer
  direction: 'sent' | 'received'
  /** `ACK`, `LATE`, `NACK <code>`, which may be followed by the reason, or any other value for a message without an answer of the contract. */
  outcome: string | null
  answer: { status: number; body: string } | null
}

/** A report of the message, and one of its answer unless that was none of the contract. */
export function reportsOf(entry: JournalEntry): [MessageReport, ...MessageReport[]] {
  const { action } = entry
  const { context, ...content } = reportable(anonymized(action, jsonIn(entry.body)))
  const ownContext = { ...fieldsOf(context), action }
  const ack = acknowledgementOf(entry)
  if (ack === null)
    return [{ type: action, data: { context: ownContext, ...content, error: technicalError(entry.answer?.status) } }]
  return [
    { type: action, data: { context: ownContext, ...content } },
    { type: `${action}_response`, data: { context: ownContext, ...ack } },
  ]
}

/** The collector wants an object as message or error; a refused message may have neither, and then has nothing to tell. */
const reportable = (message: Record<string, unknown>): Record<string, unknown> =>
  isObject(message.message) || isObject(message.error) ? message : { context: message.context, message: {} }

/** The answer without its text, which is the receiver's own; null if it was none of the contract. */
function acknowledgementOf({ direction, outcome, answer }: JournalEntry): Acknowledgement | null {
  const [status, code] = outcome?.split(' ') ?? []
  if (direction === 'received') return acknowledgement(status === 'NACK' ? { code: code ?? '' } : null)
  if (status !== 'ACK' && status !== 'NACK') return null
  const given = jsonIn(answer?.body ?? '')
  if (!fits(Acknowledgement, given)) return null
  return acknowledgement(status === 'ACK' ? null : { code: code ?? '', ...given.error })
}

const acknowledgement = (error: NetworkError | null): Acknowledgement => ({
  message: { ack: { status: error ? 'NACK' : 'ACK' } },
  ...(error && { error: anonymizedError(error) }),
})

const technicalError = (status = 0) => ({
  type: 'TECH-ERROR',
  code: String(status),
  message: status === 0 ? 'The receiver did not answer' : 'The receiver did not acknowledge',
})

/** A fault or a warning; pages of the network spell its keys in two ways. */
const Finding = Type.Object({
  error_code: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
  code: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
  message: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
})
const Findings = Type.Array(Finding, { minItems: 1 })

type CollectorAnswer = { result: 'accepted' | 'refused' | 'retry' | 'unauthorized'; note: string | null }

/** Only a 400 that names its faults is final: a proxy may answer any other 4xx. */
export function collectorAnswerOf({ status, body }: { status: number; body: Buffer }): CollectorAnswer {
  const { warnings, errors } = fieldsOf(jsonIn(body))
  if (status >= 200 && status < 300) return { result: 'accepted', note: noteOf(warnings) }
  const note = noteOf(errors)
  if (status === 413 || (status === 400 && note !== null)) return { result: 'refused', note: note ?? 'too large' }
  return { result: status === 401 ? 'unauthorized' : 'retry', note: `answered ${status}` }
}

/** The code and path of the first finding, such as `4003 $.data.context.action`. */
function noteOf(findings: unknown): string | null {
  if (!fits(Findings, findings)) return null
  const { error_code, code = error_code, path, message }: Static<typeof Finding> = findings[0] ?? {}
  return [code, path ?? message]
    .filter((part) => part !== undefined)
    .join(' ')
    .replace(/\p{Cc}/gu, '')
    .slice(0, 200)
}

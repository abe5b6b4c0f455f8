// Checks, stores and answers events of the tested side; refuses some to test retries (D3 §5, §8).
import type { IncomingHttpHeaders } from 'node:http'
import { jsonIn } from '@lendloom/foundation/json'
import { fieldsOf } from '@lendloom/foundation/record'
import { messageOf } from '@lendloom/foundation/thrown'
import { type EventType, envelopeFaults, maxEventBytes } from '@lendloom/wire/exchange/envelope'
import { requireSignature } from '@lendloom/wire/exchange/signature'
import { type ListenerAnswer, type ListenerRequest, refusal } from './listener.ts'
import type { Party, TestedSide } from './run-credentials.ts'
import type { Arrival, Memory } from './run-memory.ts'

/** The answer to the first attempt of a type instead of a receipt; `unanswered` sends none. */
type FirstAnswer = 503 | 429 | 422 | 'unanswered'

/** Per tested side: types whose first attempt gets 503, 429 with `Retry-After`, a refusal, or no answer (D3 §8). */
const firstAnswers = {
  partner: { LEAD_REGISTERED: 503, OFFER_DECISION_CONFIRMED: 429 },
  platform: {
    LEAD_SUBMITTED: 503,
    OFFER_DECISION_RECORDED: 429,
    EVENT_PROCESSING_FAILED: 422,
    KYC_UPDATED: 'unanswered',
  },
} as const satisfies Record<TestedSide, { [T in EventType]?: FirstAnswer }>

export interface EventReceiver {
  testedSide: TestedSide
  memory: Memory
  theirs: Party
  retryAfterSeconds: number
  save(): void
}

/** Stores the attempt, even a faulty one, so that one fault does not hide the next. */
export function receiveEvent(receiver: EventReceiver, { headers, raw }: ListenerRequest): ListenerAnswer | null {
  const { memory, retryAfterSeconds, save, testedSide, theirs } = receiver
  const text = raw.toString('utf8')
  const event = fieldsOf(jsonIn(text))
  const eventId = String(event.event_id)
  const reference = String(fieldsOf(event.correlation).external_reference_id)
  if (!memory.refs.includes(reference)) return refusal(404, eventId, 'NOT_FOUND', 'this run has no such case')
  const earlier = memory.arrivals.filter((arrival) => arrival.eventId === eventId)
  const arrival: Arrival = {
    eventId,
    type: String(event.event_type),
    entity: `${event.entity_type} ${event.entity_id}`,
    version: Number(event.entity_version),
    at: Date.now(),
    sentAt: Number(headers['x-sent-at']),
    raw: text,
    answered: 202,
    faults: faultsOf(testedSide, theirs, headers, raw),
  }
  const isFirst = !memory.arrivals.some(({ type }) => type === arrival.type)
  const accepted = earlier.find(isAccepted)
  const firstAnswer: FirstAnswer | undefined = isFirst ? firstAnswerTo(testedSide, arrival.type) : undefined
  arrival.answered = firstAnswer === 'unanswered' ? 0 : (firstAnswer ?? (accepted ? 200 : 202))
  memory.arrivals.push(arrival)
  save()
  if (firstAnswer === 'unanswered') return null
  if (firstAnswer === 503) return refusal(503, eventId, 'INTERNAL_ERROR', 'try again later')
  if (firstAnswer === 422)
    return refusal(422, eventId, 'VALIDATION_ERROR', 'refused to test that a refused event is not retried')
  if (firstAnswer === 429) {
    const wait = { 'retry-after': String(retryAfterSeconds) }
    return { ...refusal(429, eventId, 'RATE_LIMITED', `retry after ${retryAfterSeconds} s`), headers: wait }
  }
  const received_at = new Date((accepted ?? arrival).at).toISOString()
  return { status: arrival.answered, body: { event_id: eventId, receipt_status: 'RECEIVED', received_at } }
}

const firstAnswerTo = (testedSide: TestedSide, type: string): FirstAnswer | undefined =>
  Object.entries(firstAnswers[testedSide]).find(([name]) => name === type)?.[1]

/** Whether envelope and data are valid. */
export const isValid = ({ faults }: Arrival): boolean => !faults.some(({ check }) => check.endsWith('.envelope'))

/** Whether the attempt got a receipt. */
export const isAccepted = ({ answered }: Arrival): boolean => answered === 200 || answered === 202

/** Whether the answer requires a retry. */
export const isPostponed = ({ answered }: Arrival): boolean => answered === 0 || answered === 429 || answered >= 500

/** The faults of an attempt, each with the check that it fails. */
function faultsOf(testedSide: TestedSide, theirs: Party, headers: IncomingHttpHeaders, raw: Buffer): Arrival['faults'] {
  const found: Arrival['faults'] = []
  const fault = (check: string, words: string) => found.push({ check: `${testedSide}-events.${check}`, words })
  if (headers.authorization !== `Bearer ${theirs.bearer}`) fault('bearer', 'Authorization is not the agreed bearer')
  const secrets = Object.fromEntries(theirs.keys.map(({ keyId, secret }) => [keyId, secret]))
  try {
    requireSignature(secrets, headers, raw, new Date())
  } catch (error) {
    fault('signature', messageOf(error))
  }
  if (!isJson(headers)) fault('envelope', `Content-Type is ${headers['content-type']}`)
  const json = jsonIn(raw.toString('utf8'))
  const { event_id, sender } = fieldsOf(json)
  const key = keyIn(headers)
  if (key !== String(event_id)) fault('key', `Idempotency-Key is ${key}, but event_id is ${event_id}`)
  if (sender !== theirs.sender) fault('sender', `sender is ${sender}, not ${theirs.sender}`)
  if (raw.length > maxEventBytes) fault('envelope', `the event has ${raw.length} bytes`)
  for (const { path, message } of json === null ? [{ path: 'body', message: 'is not JSON' }] : envelopeFaults(json))
    fault('envelope', `${path} ${message}`)
  return found
}

export const isJson = (headers: IncomingHttpHeaders): boolean =>
  /^application\/json\s*(;|$)/i.test(String(headers['content-type']))

/** The Idempotency-Key, also if it is quoted as a structured field. */
export const keyIn = (headers: IncomingHttpHeaders): string =>
  String(headers['idempotency-key']).replace(/^"(.*)"$/, '$1')

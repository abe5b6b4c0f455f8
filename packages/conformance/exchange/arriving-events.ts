// Events of the tried side: each try is checked, kept and answered; some are put off or refused, to see what it does then (D3 §5, §8).
import type { IncomingHttpHeaders } from 'node:http'
import { type EventType, envelopeFaults, maxEventBytes } from '#contract/exchange/envelope.ts'
import { requireSignature } from '#contract/exchange/signature.ts'
import { fieldsOf, jsonIn, messageOf } from '#kit/runtime/record.ts'
import { type ListenerAnswer, type ListenerRequest, refusal } from './listener.ts'
import type { Arrival, Memory } from './memory.ts'
import type { Party, TestedSide } from './party.ts'

/** What the first try of a type is answered instead of its receipt; `unanswered` never is. */
type FirstAnswer = 503 | 429 | 422 | 'unanswered'

/** By the side that is tried: what is put off with 503, slowed down with 429 and `Retry-After`, refused, and never answered (D3 §8). */
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
  tried: TestedSide
  memory: Memory
  theirs: Party
  retryAfterSeconds: number
  kept(): void
}

/** Stores the attempt. Wrong ones are stored too, so that one fault does not hide the next. */
export function takeEvent(receiving: EventReceiver, { headers, raw }: ListenerRequest): ListenerAnswer | null {
  const { memory, retryAfterSeconds, kept, tried, theirs } = receiving
  const text = raw.toString('utf8')
  const event = fieldsOf(jsonIn(text))
  const eventId = String(event.event_id)
  const reference = String(fieldsOf(event.correlation).external_reference_id)
  if (!memory.refs.includes(reference)) return refusal(404, eventId, 'NOT_FOUND', 'this run has no such case')
  const before = memory.arrivals.filter((arrival) => arrival.eventId === eventId)
  const arrival: Arrival = {
    ...{ eventId, type: String(event.event_type), entity: `${event.entity_type} ${event.entity_id}` },
    ...{ version: Number(event.entity_version), at: Date.now(), sentAt: Number(headers['x-sent-at']), raw: text },
    ...{ answered: 202, faults: faultsOf(tried, theirs, headers, raw) },
  }
  const isFirst = !memory.arrivals.some(({ type }) => type === arrival.type)
  const taken = before.find(isTaken)
  const special: FirstAnswer | undefined = isFirst ? specialFor(tried, arrival.type) : undefined
  arrival.answered = special === 'unanswered' ? 0 : (special ?? (taken ? 200 : 202))
  memory.arrivals.push(arrival)
  kept()
  if (special === 'unanswered') return null
  if (special === 503) return refusal(503, eventId, 'INTERNAL_ERROR', 'not now')
  if (special === 422)
    return refusal(422, eventId, 'VALIDATION_ERROR', 'this one is not taken, to see that it stays so')
  if (special === 429) {
    const wait = { 'retry-after': String(retryAfterSeconds) }
    return { ...refusal(429, eventId, 'RATE_LIMITED', `not before ${retryAfterSeconds} s`), headers: wait }
  }
  const received_at = new Date((taken ?? arrival).at).toISOString()
  return { status: arrival.answered, body: { event_id: eventId, receipt_status: 'RECEIVED', received_at } }
}

const specialFor = (tried: TestedSide, type: string): FirstAnswer | undefined =>
  Object.entries(firstAnswers[tried]).find(([name]) => name === type)?.[1]

/** Whether nothing is wrong with its envelope and data. */
export const isWhole = ({ faults }: Arrival): boolean => !faults.some(({ check }) => check.endsWith('.envelope'))

/** Whether a try got its receipt. */
export const isTaken = ({ answered }: Arrival): boolean => answered === 200 || answered === 202

/** Whether it was answered in a way after which it has to come again. */
export const isPutOff = ({ answered }: Arrival): boolean => answered === 0 || answered === 429 || answered >= 500

/** What is wrong with a try, each fault by the check that it breaks. */
function faultsOf(tried: TestedSide, theirs: Party, headers: IncomingHttpHeaders, raw: Buffer): Arrival['faults'] {
  const found: Arrival['faults'] = []
  const fault = (check: string, words: string) => found.push({ check: `${tried}-events.${check}`, words })
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
  if (key !== String(event_id)) fault('key', `Idempotency-Key is ${key}, and event_id ${event_id}`)
  if (sender !== theirs.sender) fault('sender', `sender is ${sender}, not ${theirs.sender}`)
  if (raw.length > maxEventBytes) fault('envelope', `the event has ${raw.length} bytes`)
  for (const { path, message } of json === null ? [{ path: 'body', message: 'is not JSON' }] : envelopeFaults(json))
    fault('envelope', `${path} ${message}`)
  return found
}

export const isJson = (headers: IncomingHttpHeaders): boolean =>
  /^application\/json\s*(;|$)/i.test(String(headers['content-type']))

/** Also one that is written as a structured field, with quotes. */
export const keyIn = (headers: IncomingHttpHeaders): string =>
  String(headers['idempotency-key']).replace(/^"(.*)"$/, '$1')

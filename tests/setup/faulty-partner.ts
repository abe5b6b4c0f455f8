// A lending partner with one fault: a proxy in front of the real one that breaks one request, answer or event.
import type { IncomingHttpHeaders } from 'node:http'
import type { ListenerRequest } from '@lendloom/conformance/exchange/listener'
import { uuidv4 } from '@lendloom/seal/id'
import type { PartnerCredentials, SigningKey } from '@lendloom/wire/exchange/credentials'
import { type Answer, bytesOf, forward, jsonOf, overrideFields, resign, startProxy } from './exchange-proxy.ts'
import type { Json } from './partner.ts'

export interface Fault {
  /** What the partner does wrong. */
  name: string
  /** The check that must detect it. */
  check: string
  /** A further check that must run to trigger the fault. */
  after?: string
  /** Hides `Retry-After` from the partner. */
  ignoresRetryAfter?: true
  /** Changes a request before it reaches the real partner. */
  request?(message: ListenerRequest, credentials: PartnerCredentials): ListenerRequest
  /** Changes the real partner's answer. */
  answer?(answer: Answer, message: ListenerRequest, memory: Map<string, Json>): Answer
  /** Changes an event before it is signed again and sent; null leaves it unchanged. */
  event?(event: Json, memory: Map<string, Json>): Json
  /** Changes the headers of a signed event. */
  headers?(headers: IncomingHttpHeaders): IncomingHttpHeaders
}

const isTo = (path: string, message: ListenerRequest) => message.path.startsWith(path)

/** Signature faults of either side; `keyOf` returns the key that signs its events, or null for other messages. */
export const signatureFaults = (
  keyOf: (message: ListenerRequest, credentials: PartnerCredentials) => SigningKey | null,
): Required<Pick<Fault, 'name' | 'check' | 'request'>>[] => {
  const resignWhen =
    (matchesAge: (seconds: number) => boolean) =>
    (message: ListenerRequest, credentials: PartnerCredentials): ListenerRequest => {
      const key = matchesAge(age(message)) ? keyOf(message, credentials) : null
      return key ? { ...message, headers: resign(message.headers, message.raw, key) } : message
    }
  return [
    {
      name: 'accepts events with a wrong signature',
      check: 'signature.the-secret-of-the-other-key',
      request: resignWhen((seconds) => seconds < 300),
    },
    {
      name: 'accepts events that were signed long ago',
      check: 'signature.sent-301-seconds-ago',
      request: resignWhen((seconds) => seconds > 300),
    },
  ]
}
const age = ({ headers }: ListenerRequest): number => Math.abs(Date.now() / 1000 - Number(headers['x-sent-at']))

/** Changes the answers of a path with that status. */
const changeAnswer =
  (path: string, status: number, change: (answer: Answer) => Answer): Fault['answer'] =>
  (answer, message) =>
    message.path === path && answer.status === status ? change(answer) : answer

/** Changes fields in the answers of a path with that status. */
const changeFields = (path: string, status: number, change: (body: Json) => object) =>
  changeAnswer(path, status, overrideFields(change))

export const faults: Fault[] = [
  ...signatureFaults((message, credentials) => (isTo('/events', message) ? credentials : null)),
  {
    name: 'answers without a credential',
    check: 'authentication.status.no-bearer',
    request: (message, { bearer }) => ({
      ...message,
      headers: { ...message.headers, authorization: `Bearer ${bearer}` },
    }),
  },
  {
    name: 'answers 200 for a new event',
    check: 'lead.stored',
    answer: changeAnswer('/events', 202, (answer) => ({ ...answer, status: 200 })),
  },
  {
    name: 'accepts the same event twice',
    check: 'lead.replay',
    answer: changeAnswer('/events', 200, (answer) =>
      overrideFields(() => ({ received_at: new Date(Date.now() + 1000).toISOString() }))({ ...answer, status: 202 }),
    ),
  },
  {
    name: 'accepts other content under a used event_id',
    check: 'lead.conflict',
    answer(answer, message, memory) {
      if (isTo('/events', message) && answer.status === 202) memory.set('receipt', answer)
      return isTo('/events', message) && answer.status === 409 ? { ...memory.get('receipt'), status: 200 } : answer
    },
  },
  {
    name: 'repeats the dedupe check for a repeated request',
    check: 'dedupe.replay',
    answer: changeFields('/dedupe', 200, () => ({ checked_at: new Date().toISOString() })),
  },
  {
    name: 'lets an ambiguous person proceed',
    check: 'dedupe.answer',
    answer: changeFields('/dedupe', 200, () => ({ match_status: 'AMBIGUOUS' })),
  },
  {
    name: 'returns a status for unknown cases',
    check: 'status.unknown',
    answer: changeAnswer('/status', 404, () => ({ status: 200, raw: bytesOf({ case_status: 'RECEIVED' }) })),
  },
  {
    name: 'refuses without an error object',
    check: 'envelope.version',
    answer: (answer) => (answer.status === 422 ? { ...answer, raw: Buffer.from('"that is wrong"') } : answer),
  },
  {
    name: 'stores a file that is not a PDF',
    check: 'documents.content',
    answer: changeAnswer('/documents', 415, () => ({ status: 201, raw: bytesOf({ status: 'STORED' }) })),
  },
  {
    name: 'returns a wrong digest of the file',
    check: 'documents.stored',
    answer: changeFields('/documents', 201, (body) => ({
      sha256: body.sha256.replace(/^./, (digit: string) => (digit === '0' ? '1' : '0')),
    })),
  },
  {
    name: 'shows an accepted offer as pending',
    check: 'status.accepted',
    answer: changeFields('/status', 200, ({ offer }) => {
      const pending = { decision: 'PENDING', source_event_id: null, recorded_at: null }
      return offer?.decision === 'ACCEPT' ? { offer: { ...offer, ...pending } } : {}
    }),
  },
  {
    name: 'shows a snapshot of yesterday',
    check: 'status.registered',
    answer: changeFields('/status', 200, () => ({ snapshot_at: new Date(Date.now() - 86_400_000).toISOString() })),
  },
  {
    name: 'shows money as a number',
    check: 'offer.review',
    event(event) {
      if (event.event_type === 'MANUAL_REVIEW_DECIDED') event.data.offer.loan_amount = 100_000
      return event
    },
  },
  {
    name: 'sends events without a signature',
    check: 'partner-events.signature',
    headers: (headers) => ({ ...headers, 'x-signature': undefined }),
  },
  {
    name: 'ignores Retry-After',
    check: 'offer.retry-after',
    ignoresRetryAfter: true,
  },
  {
    name: 'skips a version',
    check: 'partner-events.order',
    after: 'offer.review',
    event(event) {
      if (event.entity_version > 1) event.entity_version++
      return event
    },
  },
  {
    name: 'retries an event under a new event_id',
    check: 'lead.retried',
    event: (event) => ({ ...event, event_id: uuidv4() }),
  },
]

/** Starts the proxy of one fault: `url` is the partner's address, `webhookUrl` receives its events. */
export async function startFaultyPartner(fault: Fault, credentials: PartnerCredentials, listenerPort: number) {
  const memory = new Map<string, Json>()
  let partnerUrl = ''
  const url = await startProxy((message) => (message.path === '/in' ? forwardEvent(message) : forwardRequest(message)))

  async function forwardRequest(message: ListenerRequest) {
    const answer = await forward(partnerUrl, fault.request?.(message, credentials) ?? message)
    return fault.answer?.(answer, message, memory) ?? answer
  }

  async function forwardEvent({ headers, ...message }: ListenerRequest) {
    const event = fault.event?.(jsonOf(message.raw), memory)
    const raw = event ? bytesOf(event) : message.raw
    const key = event ? { 'idempotency-key': String(event.event_id) } : {}
    const signed = { ...resign(headers, raw, credentials.webhook.keys[0]!), ...key }
    const id = event && jsonOf(message.raw).event_id
    const changedMessage = { ...message, headers: fault.headers?.(signed) ?? signed, raw }
    const answer = await forward(`http://127.0.0.1:${listenerPort}`, changedMessage, id)
    return fault.ignoresRetryAfter ? { ...answer, headers: {} } : answer
  }

  /** Sets the real partner to forward to. */
  function setPartner(partner: string): void {
    partnerUrl = partner
  }
  return { url, webhookUrl: `${url}/in`, setPartner }
}

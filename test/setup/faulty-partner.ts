// A lending partner with one fault: a proxy before the real one that breaks one thing, in what it takes, answers or sends.
import type { IncomingHttpHeaders } from 'node:http'
import type { ListenerRequest } from '#conformance/exchange/listener.ts'
import type { PartnerCredentials, SigningKey } from '#contract/exchange/credentials.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { type Answer, bytesOf, forward, jsonOf, overrideFields, resign, startProxy } from './exchange-proxy.ts'
import type { Json } from './partner.ts'

export interface Fault {
  /** What the partner does wrong. */
  name: string
  /** The check that tells it. */
  check: string
  /** A check that has to be made too, so that there is enough to look at. */
  after?: string
  /** It never sees a `Retry-After`. */
  ignoresRetryAfter?: true
  /** Changes a request before the real partner has it. */
  request?(message: ListenerRequest, credentials: PartnerCredentials): ListenerRequest
  /** Changes what the real partner answers. */
  answer?(answer: Answer, message: ListenerRequest, memory: Map<string, Json>): Answer
  /** Changes an event before it is sent, which is then signed; null sends it as it came. */
  event?(event: Json, memory: Map<string, Json>): Json
  /** Changes the headers of a signed event. */
  headers?(headers: IncomingHttpHeaders): IncomingHttpHeaders
}

const on = (path: string, message: ListenerRequest) => message.path.startsWith(path)

/** What either side does wrong with signatures; `keyOf` is what its events are signed with, null for what is no event. */
export const signatureFaults = (
  keyOf: (message: ListenerRequest, credentials: PartnerCredentials) => SigningKey | null,
): Required<Pick<Fault, 'name' | 'check' | 'request'>>[] => {
  const signedAnew =
    (isTaken: (seconds: number) => boolean) =>
    (message: ListenerRequest, credentials: PartnerCredentials): ListenerRequest => {
      const key = isTaken(age(message)) ? keyOf(message, credentials) : null
      return key ? { ...message, headers: resign(message.headers, message.raw, key) } : message
    }
  return [
    {
      name: 'takes events with a wrong signature',
      check: 'signature.the-secret-of-the-other-key',
      request: signedAnew((seconds) => seconds < 300),
    },
    {
      name: 'takes events that were signed long ago',
      check: 'signature.sent-301-seconds-ago',
      request: signedAnew((seconds) => seconds > 300),
    },
  ]
}
const age = ({ headers }: ListenerRequest): number => Math.abs(Date.now() / 1000 - Number(headers['x-sent-at']))

/** Changes the answers that an interface gives with that status. */
const answered =
  (path: string, status: number, change: (answer: Answer) => Answer): Fault['answer'] =>
  (answer, message) =>
    message.path === path && answer.status === status ? change(answer) : answer

/** The same, some fields of what they say. */
const rewrites = (path: string, status: number, change: (body: Json) => object) =>
  answered(path, status, overrideFields(change))

export const faults: Fault[] = [
  ...signatureFaults((message, credentials) => (on('/events', message) ? credentials : null)),
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
    answer: answered('/events', 202, (answer) => ({ ...answer, status: 200 })),
  },
  {
    name: 'takes the same event twice',
    check: 'lead.replay',
    answer: answered('/events', 200, (answer) =>
      overrideFields(() => ({ received_at: new Date(Date.now() + 1000).toISOString() }))({ ...answer, status: 202 }),
    ),
  },
  {
    name: 'takes other content under a used event_id',
    check: 'lead.conflict',
    answer(answer, message, memory) {
      if (on('/events', message) && answer.status === 202) memory.set('receipt', answer)
      return on('/events', message) && answer.status === 409 ? { ...memory.get('receipt'), status: 200 } : answer
    },
  },
  {
    name: 'checks a person anew when the same request comes again',
    check: 'dedupe.replay',
    answer: rewrites('/dedupe', 200, () => ({ checked_at: new Date().toISOString() })),
  },
  {
    name: 'lets an ambiguous person proceed',
    check: 'dedupe.answer',
    answer: rewrites('/dedupe', 200, () => ({ match_status: 'AMBIGUOUS' })),
  },
  {
    name: 'knows cases that are not there',
    check: 'status.unknown',
    answer: answered('/status', 404, () => ({ status: 200, raw: bytesOf({ case_status: 'RECEIVED' }) })),
  },
  {
    name: 'refuses in plain words',
    check: 'envelope.version',
    answer: (answer) => (answer.status === 422 ? { ...answer, raw: Buffer.from('"that is wrong"') } : answer),
  },
  {
    name: 'stores what is no PDF',
    check: 'documents.content',
    answer: answered('/documents', 415, () => ({ status: 201, raw: bytesOf({ status: 'STORED' }) })),
  },
  {
    name: 'has another digest than the file',
    check: 'documents.stored',
    answer: rewrites('/documents', 201, (body) => ({
      sha256: body.sha256.replace(/^./, (digit: string) => (digit === '0' ? '1' : '0')),
    })),
  },
  {
    name: 'shows an accepted offer as pending',
    check: 'status.accepted',
    answer: rewrites('/status', 200, ({ offer }) => {
      const pending = { decision: 'PENDING', source_event_id: null, recorded_at: null }
      return offer?.decision === 'ACCEPT' ? { offer: { ...offer, ...pending } } : {}
    }),
  },
  {
    name: 'shows a snapshot of yesterday',
    check: 'status.registered',
    answer: rewrites('/status', 200, () => ({ snapshot_at: new Date(Date.now() - 86_400_000).toISOString() })),
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
    name: 'does not wait as long as Retry-After says',
    check: 'offer.retry-after',
    ignoresRetryAfter: true,
  },
  {
    name: 'leaves a version out',
    check: 'partner-events.order',
    after: 'offer.review',
    event(event) {
      if (event.entity_version > 1) event.entity_version++
      return event
    },
  },
  {
    name: 'tries an event again under a new event_id',
    check: 'lead.retried',
    event: (event) => ({ ...event, event_id: uuidv4() }),
  },
]

/** The proxy of one fault: the partner's address, and the address to which it has to send its events. */
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
    const changed = { ...message, headers: fault.headers?.(signed) ?? signed, raw }
    const answer = await forward(`http://127.0.0.1:${listenerPort}`, changed, id)
    return fault.ignoresRetryAfter ? { ...answer, headers: {} } : answer
  }

  /** From now on this is the real partner. */
  function setPartner(partner: string): void {
    partnerUrl = partner
  }
  return { url, webhookUrl: `${url}/in`, setPartner }
}

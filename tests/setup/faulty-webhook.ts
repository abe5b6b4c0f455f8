// A platform with one fault in its webhook: a proxy in front of the real one that breaks one request or answer.
import type { ListenerRequest } from '@lendloom/conformance/exchange/listener'
import type { PartnerCredentials } from '@lendloom/wire/exchange/credentials'
import { type Answer, forward, overrideFields, startProxy } from './exchange-proxy.ts'
import { signatureFaults } from './faulty-partner.ts'

export interface WebhookFault {
  /** What the platform does wrong. */
  name: string
  /** The check that must detect it. */
  check: string
  request?(message: ListenerRequest, credentials: PartnerCredentials): ListenerRequest
  answer?(answer: Answer, message: ListenerRequest): Answer
}

const withBearer = (message: ListenerRequest, bearer: string): ListenerRequest => ({
  ...message,
  headers: { ...message.headers, authorization: `Bearer ${bearer}` },
})
const accepted: Answer = {
  status: 202,
  raw: Buffer.from('{"receipt_status":"RECEIVED"}'),
}
/** Accepts events with this text although the real platform rejects them. */
const acceptContaining =
  (part: string): WebhookFault['answer'] =>
  (answer, { raw }) =>
    answer.status === 422 && raw.includes(part) ? accepted : answer

export const webhookFaults: WebhookFault[] = [
  ...signatureFaults((_, { webhook }) => webhook.keys[0] ?? null),
  {
    name: 'accepts signatures in capitals',
    check: 'signature.hexadecimal-in-capitals',
    request(message) {
      const signature = String(message.headers['x-signature'])
      return { ...message, headers: { ...message.headers, 'x-signature': signature.toLowerCase() } }
    },
  },
  {
    name: 'accepts events without a credential',
    check: 'authentication.webhook.no-bearer',
    request: (message, { webhook }) => (message.headers.authorization ? message : withBearer(message, webhook.bearer)),
  },
  {
    name: 'accepts its own credential instead of the lender’s',
    check: 'authentication.webhook.own-bearer',
    request: (message, { bearer, webhook }) =>
      message.headers.authorization === `Bearer ${bearer}` ? withBearer(message, webhook.bearer) : message,
  },
  { name: 'accepts another event version', check: 'envelope.version', answer: acceptContaining('"3.0"') },
  { name: 'accepts an unknown event type', check: 'envelope.type', answer: acceptContaining('LEAD_DREAMT') },
  {
    name: 'accepts events of another sender',
    check: 'envelope.sender',
    answer: (answer, { raw }) => (raw.includes('SOMEBODY_ELSE') ? accepted : answer),
  },
  {
    name: 'accepts bodies larger than 2 MiB',
    check: 'envelope.too-large',
    answer: (answer) => (answer.status === 413 ? accepted : answer),
  },
  {
    name: 'refuses without an error object',
    check: 'envelope.json',
    answer: (answer) => (answer.status === 400 ? { ...answer, raw: Buffer.from('"that is wrong"') } : answer),
  },
  {
    name: 'does not name the invalid field',
    check: 'event-content.loan-status',
    answer: (answer) =>
      answer.status === 422 ? overrideFields(({ error }) => ({ error: { ...error, fields: [] } }))(answer) : answer,
  },
  {
    name: 'rejects unknown keys',
    check: 'receiver.additions',
    answer: (answer, { raw }) => (raw.includes('"later"') ? { ...answer, status: 422 } : answer),
  },
]

/** Starts the proxy of one fault in front of the platform's webhook and returns its address. */
export async function startFaultyWebhook(fault: WebhookFault, credentials: PartnerCredentials, platformUrl: string) {
  const url = await startProxy(async (message) => {
    const answer = await forward(platformUrl, fault.request?.(message, credentials) ?? message)
    return fault.answer?.(answer, message) ?? answer
  })
  return `${url}/api/partner/webhook`
}

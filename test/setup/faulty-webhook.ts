// A platform with one fault in its receiver: a proxy before the real one that breaks one thing, in what it takes or answers.
import type { ListenerRequest } from '#conformance/exchange/listener.ts'
import type { PartnerCredentials } from '#contract/exchange/credentials.ts'
import { type Answer, forward, overrideFields, startProxy } from './exchange-proxy.ts'
import { signatureFaults } from './faulty-partner.ts'

export interface WebhookFault {
  /** What the platform does wrong. */
  name: string
  /** The check that tells it. */
  check: string
  request?(message: ListenerRequest, credentials: PartnerCredentials): ListenerRequest
  answer?(answer: Answer, message: ListenerRequest): Answer
}

const bearing = (message: ListenerRequest, bearer: string): ListenerRequest => ({
  ...message,
  headers: { ...message.headers, authorization: `Bearer ${bearer}` },
})
const taken: Answer = {
  status: 202,
  raw: Buffer.from('{"receipt_status":"RECEIVED"}'),
}
/** Takes, before the real platform says anything about the case, what has that in it. */
const takes =
  (part: string): WebhookFault['answer'] =>
  (answer, { raw }) =>
    answer.status === 422 && raw.includes(part) ? taken : answer

export const webhookFaults: WebhookFault[] = [
  ...signatureFaults((_, { webhook }) => webhook.keys[0] ?? null),
  {
    name: 'takes signatures in capitals',
    check: 'signature.hexadecimal-in-capitals',
    request(message) {
      const signature = String(message.headers['x-signature'])
      return { ...message, headers: { ...message.headers, 'x-signature': signature.toLowerCase() } }
    },
  },
  {
    name: 'takes events without a credential',
    check: 'authentication.webhook.no-bearer',
    request: (message, { webhook }) => (message.headers.authorization ? message : bearing(message, webhook.bearer)),
  },
  {
    name: 'takes its own credential for that of the lender',
    check: 'authentication.webhook.own-bearer',
    request: (message, { bearer, webhook }) =>
      message.headers.authorization === `Bearer ${bearer}` ? bearing(message, webhook.bearer) : message,
  },
  { name: 'takes another version of events', check: 'envelope.version', answer: takes('"3.0"') },
  { name: 'takes a type that does not exist', check: 'envelope.type', answer: takes('LEAD_DREAMT') },
  {
    name: 'takes events of another sender',
    check: 'envelope.sender',
    answer: (answer, { raw }) => (raw.includes('SOMEBODY_ELSE') ? taken : answer),
  },
  {
    name: 'takes what is larger than 2 MiB',
    check: 'envelope.too-large',
    answer: (answer) => (answer.status === 413 ? taken : answer),
  },
  {
    name: 'refuses in plain words',
    check: 'envelope.json',
    answer: (answer) => (answer.status === 400 ? { ...answer, raw: Buffer.from('"that is wrong"') } : answer),
  },
  {
    name: 'does not say which field is wrong',
    check: 'event-content.loan-status',
    answer: (answer) =>
      answer.status === 422 ? overrideFields(({ error }) => ({ error: { ...error, fields: [] } }))(answer) : answer,
  },
  {
    name: 'refuses keys that it does not know',
    check: 'receiver.additions',
    answer: (answer, { raw }) => (raw.includes('"later"') ? { ...answer, status: 422 } : answer),
  },
]

/** The proxy of one fault before the platform's webhook; its own address. */
export async function startFaultyWebhook(fault: WebhookFault, credentials: PartnerCredentials, platformUrl: string) {
  const url = await startProxy(async (message) => {
    const answer = await forward(platformUrl, fault.request?.(message, credentials) ?? message)
    return fault.answer?.(answer, message) ?? answer
  })
  return `${url}/api/partner/webhook`
}

// A platform with one fault in its receiver: a proxy before the real one that breaks one thing, in what it takes or answers.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { PartnerCredentials } from '#contract/exchange/credentials.ts'
import { type Answer, ask, jsonOf, type Message, rewritten, signatureFaults } from './faulty-partner.ts'

export interface WebhookFault {
  /** What the platform does wrong. */
  name: string
  /** The check that tells it. */
  check: string
  request?(message: Message, credentials: PartnerCredentials): Message
  answer?(answer: Answer, message: Message): Answer
}

const bearing = (message: Message, bearer: string): Message => ({
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
      answer.status === 422 ? rewritten(({ error }) => Object.assign(error, { fields: [] }))(answer) : answer,
  },
  {
    name: 'refuses keys that it does not know',
    check: 'receiver.additions',
    answer: (answer, { raw }) =>
      raw.includes('"later"') ? { status: 422, raw: Buffer.from(JSON.stringify(jsonOf(answer.raw))) } : answer,
  },
]

/** The proxy of one fault before the platform's webhook; its own address. */
export async function startFaultyWebhook(fault: WebhookFault, credentials: PartnerCredentials, platformUrl: string) {
  const server = createServer(async (incoming, response) => {
    const raw = Buffer.concat(await incoming.toArray())
    const { method = 'GET', url: path = '/', headers } = incoming
    const message = { method, path, headers, raw }
    const { headers: sent } = fault.request?.(message, credentials) ?? message
    const answer = await ask(`${platformUrl}${path}`, method, sent, raw)
    const { status, raw: body } = fault.answer?.(answer, message) ?? answer
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/partner/webhook`
}

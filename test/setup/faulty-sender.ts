// A platform that sends wrongly: a proxy between it and its lending partner, with faults that do not hide each other.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { PartnerCredentials } from '#contract/exchange/credentials.ts'
import { exampleData } from '#contract/exchange/example/event.ts'
import { signedHeaders } from '#contract/exchange/signature.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { ask, jsonOf, type Message } from './faulty-partner.ts'
import type { Json } from './partner.ts'

/** What is wrong, by the check that has to find it. */
export const sendingFaults: Record<string, string> = {
  'platform-calls.key': 'a duplicate check has another Idempotency-Key than its request_id',
  'platform-calls.documents': 'an announced report comes as another type of document',
  'platform-calls.status': 'X-Request-Id is not a UUID',
  'lead.retried': 'the lead has other bytes when it comes again',
  'platform-events.unchanged': 'the same, found where all tries are compared',
  'failure.never-answered': 'a failure is answered by a failure',
  'offer.retry-after': 'Retry-After is not looked at',
  'platform-events.envelope': 'maximum_amount of the mandate is a number',
  'platform-events.signature': 'the signature of the agreement’s event is over other bytes',
  'claim.submitted': 'a claim names a file that nobody has stored',
  'offer.rejected': 'a KYC begins after the offer was rejected; this one takes a borrower who rejects it',
  'platform-events.order': 'the failure of a failure has a version of its own making',
  'platform-events.ids': 'and partner IDs that are not those of the case',
}

/** Between a platform and the run that plays its partner at `partnerUrl`; the run has to send its events to `webhookUrl`. */
export async function startFaultySender(credentials: PartnerCredentials, partnerUrl: string) {
  let platformUrl = ''
  let leads = 0
  const { keyId, secret } = credentials
  const signed = (raw: Buffer) => signedHeaders({ keyId, secret, at: new Date(), raw })

  const server = createServer(async (incoming, response) => {
    const raw = Buffer.concat(await incoming.toArray())
    const { method = 'GET', url: path = '/', headers } = incoming
    const message = { method, path, headers, raw }
    // A run that is over listens no more: what is sent then is tried again in vain.
    const answer = await (path.startsWith('/api/') ? fromPartner(message) : toPartner(message)).catch(() => away)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.raw)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  async function toPartner({ method, path, headers, raw }: Message) {
    const url = `${partnerUrl}${path}`
    if (path.startsWith('/dedupe')) return ask(url, method, { ...headers, 'idempotency-key': uuidv4() }, raw)
    if (path.startsWith('/documents')) return retyped(url, { method, path, headers, raw })
    if (path.startsWith('/status')) {
      const answer = await ask(url, method, { ...headers, 'x-request-id': 'a-read' }, raw)
      const body = Buffer.from(answer.raw.toString('utf8').replace('"a-read"', JSON.stringify(headers['x-request-id'])))
      return { ...answer, raw: body }
    }
    const event = changed(jsonOf(raw))
    const bytes = event ? Buffer.from(JSON.stringify(event)) : raw
    const mac = event ? signed(bytes) : {}
    const wrong = jsonOf(raw).event_type === 'ESIGN_UPDATED' ? signed(Buffer.from('other bytes')) : {}
    return ask(url, method, { ...headers, ...mac, ...wrong }, bytes)
  }

  /** The event as it is sent instead; null leaves it as it is. */
  function changed(event: Json): Json {
    if (event.event_type === 'LEAD_SUBMITTED' && ++leads > 1)
      return { ...event, occurred_at: new Date(Date.parse(event.occurred_at) + 1000).toISOString() }
    if (event.event_type === 'PAYMENT_CLAIM_SUBMITTED')
      return { ...event, data: { ...event.data, document_ids: ['NO-SUCH-FILE'] } }
    if (event.event_type !== 'MANDATE_UPDATED' || event.data.maximum_amount === null) return null
    return { ...event, data: { ...event.data, maximum_amount: Number(event.data.maximum_amount) } }
  }

  async function retyped(url: string, { method, headers, raw }: Message) {
    const [from, to] = ['BUREAU_REPORT', 'KYC_REPORT']
    const isReport = raw.includes(`\r\n\r\n${from}\r\n`)
    if (!isReport) return ask(url, method, headers, raw)
    const text = raw.toString('latin1').replace(`\r\n\r\n${from}\r\n`, `\r\n\r\n${to}\r\n`)
    return ask(url, method, headers, Buffer.from(text, 'latin1'))
  }

  async function fromPartner({ method, path, headers, raw }: Message) {
    const answer = await ask(`${platformUrl}${path}`, method, headers, raw)
    if (answer.status !== 202) return answer
    const event = jsonOf(raw)
    if (event.event_type === 'EVENT_PROCESSING_FAILED') await failureOf(event)
    if (event.event_type === 'OFFER_DECISION_CONFIRMED' && event.data.decision === 'REJECT')
      // The first result of a KYC is not answered: who waited for it would keep the partner from its own answer.
      void sendOwn({ ...event, event_type: 'KYC_UPDATED', data: exampleData('KYC_UPDATED') }).catch(() => {})
    return answer
  }

  const failureOf = (event: Json) => sendOwn({ ...event, data: { ...event.data, source_event_id: event.event_id } })

  /** An event of the platform's making, under an ID and a version that it never gave. */
  async function sendOwn(event: Json) {
    const made = { ...event, event_id: uuidv4(), sender: credentials.sender, entity_version: 100 }
    const body = Buffer.from(JSON.stringify(made))
    const authorization = `Bearer ${credentials.bearer}`
    const own = { authorization, 'content-type': 'application/json', 'idempotency-key': made.event_id }
    await ask(`${partnerUrl}/events`, 'POST', { ...own, ...signed(body) }, body)
  }

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    webhookUrl: `${url}/api/partner/webhook`,
    /** From now on this is the real platform. */
    standBefore(platform: string): void {
      platformUrl = platform
    },
  }
}

const away = { status: 503, raw: Buffer.from('{}') }

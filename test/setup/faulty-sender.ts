// A platform that sends wrongly: a proxy between it and its lending partner, with faults that do not hide each other.
import type { ListenerRequest } from '#conformance/exchange/listener.ts'
import type { PartnerCredentials } from '#contract/exchange/credentials.ts'
import { exampleData } from '#contract/exchange/example/event.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { bytesOf, forward, jsonOf, resign, startProxy } from './exchange-proxy.ts'
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
  const url = await startProxy(async (message) => {
    const { status, raw } = await (message.path.startsWith('/api/') ? fromPartner(message) : toPartner(message))
    // Without its Retry-After, which the platform then cannot look at.
    return { status, raw }
  })

  async function toPartner(message: ListenerRequest) {
    const { path, headers, raw } = message
    const passed = (changed: Partial<ListenerRequest>) => forward(partnerUrl, { ...message, ...changed })
    if (path === '/dedupe') return passed({ headers: { ...headers, 'idempotency-key': uuidv4() } })
    if (path === '/documents') return passed({ raw: retyped(raw) })
    if (path === '/status') {
      const answer = await passed({ headers: { ...headers, 'x-request-id': 'a-read' } })
      const body = answer.raw.toString('utf8').replace('"a-read"', JSON.stringify(headers['x-request-id']))
      return { ...answer, raw: Buffer.from(body) }
    }
    const event = changed(jsonOf(raw))
    if (event) return passed({ headers: resign(headers, bytesOf(event), credentials), raw: bytesOf(event) })
    const isWrong = jsonOf(raw).event_type === 'ESIGN_UPDATED'
    return passed(isWrong ? { headers: resign(headers, Buffer.from('other bytes'), credentials) } : {})
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

  /** A bureau's report as another type of document; anything else as it is. */
  function retyped(raw: Buffer): Buffer {
    const [from, to] = ['BUREAU_REPORT', 'KYC_REPORT']
    return Buffer.from(raw.toString('latin1').replace(`\r\n\r\n${from}\r\n`, `\r\n\r\n${to}\r\n`), 'latin1')
  }

  async function fromPartner(message: ListenerRequest) {
    const answer = await forward(platformUrl, message)
    if (answer.status !== 202) return answer
    const event = jsonOf(message.raw)
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
    const raw = bytesOf(made)
    const authorization = `Bearer ${credentials.bearer}`
    const own = { authorization, 'content-type': 'application/json', 'idempotency-key': made.event_id }
    await forward(partnerUrl, { method: 'POST', url: '/events', headers: resign(own, raw, credentials), raw })
  }

  return {
    url,
    webhookUrl: `${url}/api/partner/webhook`,
    /** From now on this is the real platform. */
    setPlatform(platform: string): void {
      platformUrl = platform
    },
  }
}

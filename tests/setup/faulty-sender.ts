// A proxy that injects faults into a platform's requests to its lending partner; no fault masks another.
import type { ListenerRequest } from '@lendloom/conformance/exchange/listener'
import { uuidv4 } from '@lendloom/seal/id'
import type { PartnerCredentials } from '@lendloom/wire/exchange/credentials'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { bytesOf, forward, jsonOf, resign, startProxy } from './exchange-proxy.ts'
import type { Json } from './partner.ts'

/** Injected faults, keyed by the check that must detect them. */
export const sendingFaults: Record<string, string> = {
  'platform-calls.key': 'a dedupe request has another Idempotency-Key than its request_id',
  'platform-calls.documents': 'an announced report is uploaded with another document type',
  'platform-calls.status': 'X-Request-Id is not a UUID',
  'lead.retried': 'a retried lead has other bytes',
  'platform-events.unchanged': 'a retried lead has other bytes, detected when all attempts are compared',
  'failure.never-answered': 'a failure event is answered with a failure event',
  'offer.retry-after': 'Retry-After is ignored',
  'platform-events.envelope': 'maximum_amount of the mandate is a number',
  'platform-events.signature': 'ESIGN_UPDATED is signed over other bytes',
  'claim.submitted': 'a claim names an unknown file',
  'offer.rejected': 'a KYC starts after the offer was rejected; needs a borrower who rejects it',
  'platform-events.order': 'the failure event about a failure event has an invented version',
  'platform-events.ids': 'the failure event about a failure event has partner IDs from another case',
}

/** Starts the proxy between a platform and the run that plays its partner at `partnerUrl` and sends events to `webhookUrl`. */
export async function startFaultySender(credentials: PartnerCredentials, partnerUrl: string) {
  let platformUrl = ''
  let leads = 0
  const url = await startProxy(async (message) => {
    const { status, raw } = await (message.path.startsWith('/api/') ? fromPartner(message) : toPartner(message))
    // Drops Retry-After, so that the platform cannot honour it.
    return { status, raw }
  })

  async function toPartner(message: ListenerRequest) {
    const { path, headers, raw } = message
    const forwardWith = (changed: Partial<ListenerRequest>) => forward(partnerUrl, { ...message, ...changed })
    if (path === '/dedupe') return forwardWith({ headers: { ...headers, 'idempotency-key': uuidv4() } })
    if (path === '/documents') return forwardWith({ raw: changeDocumentType(raw) })
    if (path === '/status') {
      const answer = await forwardWith({ headers: { ...headers, 'x-request-id': 'a-read' } })
      const body = answer.raw.toString('utf8').replace('"a-read"', JSON.stringify(headers['x-request-id']))
      return { ...answer, raw: Buffer.from(body) }
    }
    const event = tamperEvent(jsonOf(raw))
    if (event) return forwardWith({ headers: resign(headers, bytesOf(event), credentials), raw: bytesOf(event) })
    const needsWrongSignature = jsonOf(raw).event_type === 'ESIGN_UPDATED'
    return forwardWith(needsWrongSignature ? { headers: resign(headers, Buffer.from('other bytes'), credentials) } : {})
  }

  /** Returns a corrupted event, or null to forward it unchanged. */
  function tamperEvent(event: Json): Json {
    if (event.event_type === 'LEAD_SUBMITTED' && ++leads > 1)
      return { ...event, occurred_at: new Date(Date.parse(event.occurred_at) + 1000).toISOString() }
    if (event.event_type === 'PAYMENT_CLAIM_SUBMITTED')
      return { ...event, data: { ...event.data, document_ids: ['NO-SUCH-FILE'] } }
    if (event.event_type !== 'MANDATE_UPDATED' || event.data.maximum_amount === null) return null
    return { ...event, data: { ...event.data, maximum_amount: Number(event.data.maximum_amount) } }
  }

  /** Changes the document type of a bureau report. */
  function changeDocumentType(raw: Buffer): Buffer {
    const from = 'BUREAU_REPORT'
    const to = 'KYC_REPORT'
    return Buffer.from(raw.toString('latin1').replace(`\r\n\r\n${from}\r\n`, `\r\n\r\n${to}\r\n`), 'latin1')
  }

  async function fromPartner(message: ListenerRequest) {
    const answer = await forward(platformUrl, message)
    if (answer.status !== 202) return answer
    const event = jsonOf(message.raw)
    if (event.event_type === 'EVENT_PROCESSING_FAILED') await sendForgedFailure(event)
    if (event.event_type === 'OFFER_DECISION_CONFIRMED' && event.data.decision === 'REJECT')
      // Not awaited: the partner's answer to this event would otherwise wait for the forged one.
      void sendForgedEvent({ ...event, event_type: 'KYC_UPDATED', data: exampleData('KYC_UPDATED') }).catch(() => {})
    return answer
  }

  const sendForgedFailure = (event: Json) =>
    sendForgedEvent({ ...event, data: { ...event.data, source_event_id: event.event_id } })

  /** Sends an event that the platform never sent, with a new ID and version 100. */
  async function sendForgedEvent(event: Json) {
    const forgedEvent = { ...event, event_id: uuidv4(), sender: credentials.sender, entity_version: 100 }
    const raw = bytesOf(forgedEvent)
    const authorization = `Bearer ${credentials.bearer}`
    const own = { authorization, 'content-type': 'application/json', 'idempotency-key': forgedEvent.event_id }
    await forward(partnerUrl, { method: 'POST', url: '/events', headers: resign(own, raw, credentials), raw })
  }

  return {
    url,
    webhookUrl: `${url}/api/partner/webhook`,
    setPlatform(platform: string): void {
      platformUrl = platform
    },
  }
}

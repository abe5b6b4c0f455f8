// Sends events only to the platform that owns the case.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { independentPlatform, platform, startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import type { Envelope } from '@lendloom/wire/exchange/envelope'
import { verify } from '@lendloom/wire/exchange/signature'

interface ReceivedEvent {
  event: Envelope
  bearer: string | undefined
  /** Why the signature is invalid; null if it is valid. */
  signatureFault: string | null
}
const receivedEvents: ReceivedEvent[] = []
const webhook = { bearer: 'bearer-of-the-other-platform', keyId: 'partner-9', secret: 'secret-of-the-other-platform' }
const server = createServer(async (request, response) => {
  const raw = Buffer.concat(await request.toArray())
  const { 'x-key-id': keyId, 'x-sent-at': sentAt, 'x-signature': signature, authorization } = request.headers
  const claimed = { keyId: `${keyId}`, sentAt: `${sentAt}`, signature: `${signature}`, raw, at: new Date() }
  const signatureFault = verify({ secrets: { [webhook.keyId]: webhook.secret }, ...claimed })
  receivedEvents.push({ event: JSON.parse(raw.toString('utf8')), bearer: authorization, signatureFault })
  response.writeHead(202).end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close().closeAllConnections())

const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
const otherPlatform = { ...independentPlatform, webhook: { ...webhook, url } }
const partner = await startTestPartner({ PARTNER_CLIENTS: JSON.stringify([platform, otherPlatform]) })

/** Creates a case with a lead of the other platform; does not send the lead. */
async function caseOfOtherPlatform() {
  const loanCase = new TestCase(partner)
  const { pan, mobile, date_of_birth } = loanCase.lead.borrower
  const { body } = await partner.dedupe(loanCase.caseRef, { pan, mobile, date_of_birth }, { as: otherPlatform })
  loanCase.lead.dedupe_reference_id = body.dedupe_reference_id
  return { loanCase, event: loanCase.event('LEAD_SUBMITTED', loanCase.lead, { sender: otherPlatform.sender }) }
}
const eventsOf = (loanCase: TestCase) => receivedEvents.filter(({ event }) => loanCase.isMine(event))

test('D3 §5: each platform receives only events of its own cases, with its own credential and key', async () => {
  const { loanCase, event } = await caseOfOtherPlatform()
  assert.equal((await partner.post(event, {}, otherPlatform)).status, 202)
  await until('the registration and the offer of the case', () => eventsOf(loanCase).length >= 2)
  for (const { bearer, signatureFault, event } of eventsOf(loanCase)) {
    assert.equal(bearer, `Bearer ${webhook.bearer}`)
    assert.equal(signatureFault, null)
    assert.equal(event.sender, 'CELESTIUM')
  }
  const ownCase = new TestCase(partner)
  await ownCase.register()
  assert.deepEqual(partner.events.filter(loanCase.isMine), [])
  assert.deepEqual(eventsOf(ownCase), [])
})

test('D3 §6 rule 6: if an event fails before registration, the failure is reported to its sender', async () => {
  const { loanCase, event } = await caseOfOtherPlatform()
  const invalid = { ...event, data: { ...event.data, dedupe_reference_id: 'unknown' } }
  assert.equal((await partner.post(invalid, {}, otherPlatform)).status, 202)
  await until('the failure', () => eventsOf(loanCase).length >= 1)
  const [{ event: failure }] = eventsOf(loanCase) as [ReceivedEvent]
  assert.equal(failure.event_type, 'EVENT_PROCESSING_FAILED')
  assert.equal(failure.correlation.celestium_lead_id, null)
})

test('D3 §5: a lead for another platform’s case is rejected, and the owner of the case receives no event', async () => {
  const ownCase = new TestCase(partner)
  await ownCase.register()
  const countBefore = partner.events.filter(ownCase.isMine).length
  const event = new TestCase(partner).event('LEAD_SUBMITTED', ownCase.lead, {
    sender: otherPlatform.sender,
    entity_id: ownCase.caseRef,
    correlation: { external_reference_id: ownCase.caseRef, celestium_lead_id: null, celestium_loan_id: null },
  })
  assert.equal((await partner.post(event, {}, otherPlatform)).status, 403)
  assert.equal((await partner.dedupe(ownCase.caseRef, {}, { as: otherPlatform })).status, 403)
  await ownCase.waitForEvent('MANUAL_REVIEW_DECIDED')
  assert.equal(
    partner.events.filter((each) => ownCase.isMine(each) && each.event_type === 'EVENT_PROCESSING_FAILED').length,
    0,
  )
  assert.ok(countBefore >= 1)
})

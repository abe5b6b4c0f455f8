// Events are sent only to the platform that owns the case.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Envelope } from '#contract/exchange/envelope.ts'
import { verify } from '#contract/exchange/signature.ts'
import { independentPlatform, platform, startTestPartner } from '#test/setup/partner.ts'
import { TestCase } from '#test/setup/partner-case.ts'
import { until } from '#test/setup/programs.ts'

interface CaughtEvent {
  event: Envelope
  bearer: string | undefined
  mismatch: string | null
}
const caught: CaughtEvent[] = []
const webhook = { bearer: 'bearer-of-the-other-platform', keyId: 'partner-9', secret: 'secret-of-the-other-platform' }
const server = createServer(async (request, response) => {
  const raw = Buffer.concat(await request.toArray())
  const { 'x-key-id': keyId, 'x-sent-at': sentAt, 'x-signature': signature, authorization } = request.headers
  const claimed = { keyId: `${keyId}`, sentAt: `${sentAt}`, signature: `${signature}`, raw, at: new Date() }
  const mismatch = verify({ secrets: { [webhook.keyId]: webhook.secret }, ...claimed })
  caught.push({ event: JSON.parse(raw.toString('utf8')), bearer: authorization, mismatch })
  response.writeHead(202).end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close().closeAllConnections())

const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
const other = { ...independentPlatform, webhook: { ...webhook, url } }
const partner = await startTestPartner({ PARTNER_CLIENTS: JSON.stringify([platform, other]) })

/** Prepares a lead of the other platform. */
async function leadOfOther() {
  const loanCase = new TestCase(partner)
  const { pan, mobile, date_of_birth } = loanCase.lead.borrower
  const { body } = await partner.dedupe(loanCase.caseRef, { pan, mobile, date_of_birth }, { as: other })
  loanCase.lead.dedupe_reference_id = body.dedupe_reference_id
  return { loanCase, event: loanCase.event('LEAD_SUBMITTED', loanCase.lead, { sender: other.sender }) }
}
const messagesOf = (loanCase: TestCase) => caught.filter(({ event }) => loanCase.isMine(event))

test('D3 §5: each platform receives only events of its own cases, with its own credential and key', async () => {
  const { loanCase, event } = await leadOfOther()
  assert.equal((await partner.post(event, {}, other)).status, 202)
  await until('its registration and offer', () => messagesOf(loanCase).length >= 2)
  for (const { bearer, mismatch, event } of messagesOf(loanCase)) {
    assert.equal(bearer, `Bearer ${webhook.bearer}`)
    assert.equal(mismatch, null)
    assert.equal(event.sender, 'CELESTIUM')
  }
  const own = new TestCase(partner)
  await own.register()
  assert.deepEqual(partner.events.filter(loanCase.isMine), [])
  assert.deepEqual(messagesOf(own), [])
})

test('D3 §6 rule 6: a failure before registration is reported to the sender of the event', async () => {
  const { loanCase, event } = await leadOfOther()
  const invalid = { ...event, data: { ...event.data, dedupe_reference_id: 'unknown' } }
  assert.equal((await partner.post(invalid, {}, other)).status, 202)
  await until('the failure', () => messagesOf(loanCase).length >= 1)
  const [{ event: failure }] = messagesOf(loanCase) as [CaughtEvent]
  assert.equal(failure.event_type, 'EVENT_PROCESSING_FAILED')
  assert.equal(failure.correlation.celestium_lead_id, null)
})

test('D3 §5: a lead about another platform’s case is rejected, and the owner receives no event', async () => {
  const own = new TestCase(partner)
  await own.register()
  const before = partner.events.filter(own.isMine).length
  const event = new TestCase(partner).event('LEAD_SUBMITTED', own.lead, {
    sender: other.sender,
    entity_id: own.caseRef,
    correlation: { external_reference_id: own.caseRef, celestium_lead_id: null, celestium_loan_id: null },
  })
  assert.equal((await partner.post(event, {}, other)).status, 403)
  assert.equal((await partner.dedupe(own.caseRef, {}, { as: other })).status, 403)
  await own.waitForEvent('MANUAL_REVIEW_DECIDED')
  assert.equal(
    partner.events.filter((each) => own.isMine(each) && each.event_type === 'EVENT_PROCESSING_FAILED').length,
    0,
  )
  assert.ok(before >= 1)
})

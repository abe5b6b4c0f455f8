// The final offer and its decision: complete terms, pages, and rejected decisions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { readHtml } from '@lendloom/http/html'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { inconsistencies } from '@lendloom/wire/exchange/snapshot'
import { lapseOffers } from '#partner/origination/review/decide-offer.ts'
import { rejectCase } from '#partner/origination/review/review-case.ts'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off', PARTNER_OFFER_GRACE_MINUTES: '1' })

async function offeredCase() {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const offer = await loanCase.approve()
  const { data } = await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED')
  return { loanCase, offer, wireOffer: data.offer! }
}

test('D3 §2.4: an approval contains complete terms, computed from amount, rate and fees', async () => {
  const { loanCase, wireOffer } = await offeredCase()
  assert.equal(wireOffer.loan_amount, '100000.00')
  assert.equal(wireOffer.installment_amount, '4790.00')
  assert.equal(wireOffer.number_of_installments, 22)
  assert.equal(wireOffer.tenure_weeks, 22)
  assert.equal(wireOffer.processing_fee_amount, '2000.00')
  assert.equal(wireOffer.tax_amount, '360.00')
  assert.equal(wireOffer.net_disbursed_amount, '97640.00')
  assert.equal(wireOffer.total_payable_amount, '105379.00')
  assert.equal(wireOffer.apr_percent, '35.11')
  const status = await loanCase.status()
  assert.deepEqual(inconsistencies(status), [])
  assert.equal(status.case_status, 'OFFERED')
  assert.deepEqual(status.offer, {
    offer_id: wireOffer.offer_id,
    decision: 'PENDING',
    source_event_id: null,
    recorded_at: null,
  })
})

test('D3 §2.4: the pages of an offer have an unguessable address and show only this offer', async () => {
  const first = await offeredCase()
  const second = await offeredCase()
  assert.match(first.wireOffer.kfs_url, /\/offers\/[0-9A-Za-z]{43}\/key-facts$/)
  const path = (url: string) => new URL(url).pathname
  const page = await partner.ask('GET', path(first.wireOffer.kfs_url))
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-security-policy')!, /^default-src 'none'/)
  const text = readHtml(page.body).text()
  for (const fact of ['₹1,00,000', '₹4,790', '35.11%', '₹97,640', first.wireOffer.offer_id, '22 weeks'])
    assert.ok(text.includes(fact), fact)
  assert.equal(text.includes(second.wireOffer.offer_id), false)
  assert.equal(text.includes(first.loanCase.lead.borrower.pan) || text.includes('Asha'), false)
  const pdf = await fetch(`${partner.url}${path(first.wireOffer.kfs_url)}.pdf`)
  assert.equal(pdf.headers.get('content-type'), 'application/pdf')
  assert.equal(Buffer.from(await pdf.arrayBuffer()).toString('latin1', 0, 5), '%PDF-')
  assert.match((await partner.ask('GET', path(first.wireOffer.terms_url))).body, /Terms of the loan/)
  const guessed = path(first.wireOffer.kfs_url).replace(/.{43}(?=\/key)/, 'A'.repeat(43))
  assert.equal((await partner.ask('GET', guessed)).status, 404)
})

test('D3 §3: an acceptance is recorded once, confirmed, and contained in Status', async () => {
  const { loanCase, wireOffer } = await offeredCase()
  const eventId = await loanCase.decide()
  const { data } = await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED')
  assert.equal(data.source_event_id, eventId)
  assert.equal(data.offer_id, wireOffer.offer_id)
  assert.equal(data.decision, 'ACCEPT')
  const status = await loanCase.status()
  assert.deepEqual(inconsistencies(status), [])
  assert.equal(status.case_status, 'OFFER_ACCEPTED')
  assert.deepEqual(status.offer, {
    offer_id: wireOffer.offer_id,
    decision: 'ACCEPT',
    source_event_id: eventId,
    recorded_at: data.recorded_at,
  })
  const again = await loanCase.decide()
  const second = await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED', 2)
  assert.equal(second.data.source_event_id, again)
  assert.equal(second.data.recorded_at, data.recorded_at)
})

test('D3 §3: REJECT or EXPIRE after an acceptance fails, and the offer stays accepted', async () => {
  const { loanCase } = await offeredCase()
  await loanCase.decide()
  for (const decision of ['REJECT', 'EXPIRE'] as const)
    assert.equal((await loanCase.waitForFailure(await loanCase.decide(decision))).code, 'INVALID_STATE')
  const status = await loanCase.status()
  assert.equal(status.case_status, 'OFFER_ACCEPTED')
  assert.equal(status.offer!.decision, 'ACCEPT')
})

test('D3 §3: a rejected or expired offer ends the case, and cannot be accepted afterwards', async () => {
  for (const [decision, caseStatus, code] of [
    ['REJECT', 'REJECTED', 'INVALID_STATE'],
    ['EXPIRE', 'EXPIRED', 'STALE_OFFER'],
  ] as const) {
    const { loanCase } = await offeredCase()
    await loanCase.decide(decision)
    await loanCase.waitForStatus(caseStatus)
    assert.equal((await loanCase.waitForFailure(await loanCase.decide('ACCEPT'))).code, code)
    assert.equal((await loanCase.waitForFailure(await loanCase.send('KYC_UPDATED'))).code, 'INVALID_STATE')
    assert.deepEqual(inconsistencies(await loanCase.status()), [])
  }
})

test('D3 §2.4: changed terms get a new offer_id, and the old offer cannot be accepted', async () => {
  const { loanCase, wireOffer } = await offeredCase()
  const second = await loanCase.approve({ amountPaise: 80_000_00n })
  assert.notEqual(second.offerId, wireOffer.offer_id)
  assert.equal(second.version, 2)
  const eventId = await loanCase.decide()
  assert.deepEqual(
    { ...(await loanCase.waitForFailure(eventId)), message: '', failed_at: '' },
    { source_event_id: eventId, code: 'STALE_OFFER', message: '', retryable: false, failed_at: '' },
  )
  const { data } = await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED', 2)
  const at = new Date().toISOString()
  await loanCase.send('OFFER_DECISION_RECORDED', {
    offer_id: data.offer!.offer_id,
    decision: 'ACCEPT',
    decided_at: at,
    reason: null,
  })
  assert.equal((await loanCase.waitForStatus('OFFER_ACCEPTED')).offer!.offer_id, second.offerId)
  const [first] = await partner.db<{ terms: { amountPaise: string } }>`
    select terms from case_offer where case_ref = ${loanCase.caseRef} and version = 1`
  assert.equal(first!.terms.amountPaise, '10000000')
})

test('D3 §3: an acceptance counts by when the borrower decided, not by when its event arrives', async () => {
  const late = await offeredCase()
  const inTime = await offeredCase()
  await partner.db`
    update case_offer set created_at = now() - interval '2 hours', valid_until = now() - interval '20 seconds'
    where case_ref in (${late.loanCase.caseRef}, ${inTime.loanCase.caseRef})`
  const decision = (offerId: string, secondsAgo: number) => ({
    offer_id: offerId,
    decision: 'ACCEPT' as const,
    decided_at: new Date(Date.now() - secondsAgo * 1000).toISOString(),
    reason: null,
  })
  const eventId = await late.loanCase.send('OFFER_DECISION_RECORDED', decision(late.wireOffer.offer_id, 1))
  assert.equal((await late.loanCase.waitForFailure(eventId)).code, 'STALE_OFFER')
  await inTime.loanCase.send('OFFER_DECISION_RECORDED', decision(inTime.wireOffer.offer_id, 60))
  await inTime.loanCase.waitForStatus('OFFER_ACCEPTED')
})

test('D3 §3: a decision on a case without an offer fails', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  assert.equal((await loanCase.waitForFailure(await loanCase.send('OFFER_DECISION_RECORDED'))).code, 'STALE_OFFER')
})

test('D3 §3: an undecided offer expires after the grace period for late events', async () => {
  const { loanCase } = await offeredCase()
  await partner.db`update case_offer set valid_until = now() - interval '30 seconds' where case_ref = ${loanCase.caseRef}`
  await lapseOffers(partner.ctx, new Date())
  assert.equal((await loanCase.status()).case_status, 'OFFERED')
  await partner.db`update case_offer set valid_until = now() - interval '90 seconds' where case_ref = ${loanCase.caseRef}`
  const status = await loanCase.waitForStatus('EXPIRED')
  assert.equal(status.offer!.decision, 'EXPIRE')
  assert.equal(status.offer!.source_event_id, null)
  assert.deepEqual(inconsistencies(status), [])
})

test('D3 §1.1 rule 3: a rejection is reported with its reason and without an offer, and ends the case', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const rejection = { reviewerReference: 'staff-7', reasonCode: 'CREDIT_POLICY', reasonMessage: 'Turnover too low' }
  await loanCase.act((tx, row, at) => rejectCase(tx, partner.ctx, row, { ...rejection, at }))
  const { data } = await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED')
  assert.equal(data.decision, 'REJECTED')
  assert.equal(data.offer, null)
  assert.equal(data.reason_code, 'CREDIT_POLICY')
  assert.equal((await loanCase.status()).case_status, 'REJECTED')
})

test('D3 §1.1 rule 2: refuses an approval before all files are stored, or after the borrower’s decision', async () => {
  const incomplete = new TestCase(partner)
  incomplete.lead.documents_expected = [{ document_reference_id: 'DOC-1', document_type: 'BUREAU_REPORT' }]
  await incomplete.register()
  await assert.rejects(incomplete.approve(), Refusal)
  const accepted = new TestCase(partner)
  await accepted.runToAcceptedOffer()
  await assert.rejects(accepted.approve(), Refusal)
  assert.equal((await partner.db`select 1 from case_offer where case_ref = ${incomplete.caseRef}`).length, 0)
})

test('D3 §2.2: an event with ids that differ from the stored ones fails with IDENTITY_CONFLICT', async () => {
  const { loanCase, wireOffer } = await offeredCase()
  const at = new Date().toISOString()
  const data = { offer_id: wireOffer.offer_id, decision: 'ACCEPT' as const, decided_at: at, reason: null }
  for (const change of [{ celestium_lead_id: '1' }, { celestium_loan_id: '2' }]) {
    const correlation = {
      external_reference_id: loanCase.caseRef,
      celestium_lead_id: loanCase.leadId,
      celestium_loan_id: loanCase.loanId,
      ...change,
    }
    const eventId = await loanCase.send('OFFER_DECISION_RECORDED', data, { correlation })
    assert.equal((await loanCase.waitForFailure(eventId)).code, 'IDENTITY_CONFLICT')
  }
  assert.equal((await loanCase.status()).offer!.decision, 'PENDING')
})

test('D3 §6: an event about an unknown case fails with IDENTITY_CONFLICT', async () => {
  const loanCase = new TestCase(partner)
  loanCase.leadId = '1'
  loanCase.loanId = '2'
  const eventId = await loanCase.send('KYC_UPDATED', exampleData('KYC_UPDATED'))
  assert.equal((await loanCase.waitForFailure(eventId)).code, 'IDENTITY_CONFLICT')
})

test('D3 §8: an event that the platform rejects with 503 is sent again until it is delivered', async () => {
  const loanCase = new TestCase(partner)
  partner.answer.status = 503
  await loanCase.dedupe()
  await loanCase.send('LEAD_SUBMITTED', loanCase.lead)
  const countAttempts = async () =>
    (await partner.db<{ attempt: number }>`select attempt from outbox where case_ref = ${loanCase.caseRef}`)[0]
      ?.attempt ?? 0
  await until('the second attempt', async () => (await countAttempts()) >= 2)
  partner.answer.status = 202
  await loanCase.waitForEvent('LEAD_REGISTERED')
  await until('the event is delivered', async () => {
    const [row] = await partner.db<{ state: string }>`select state from outbox where case_ref = ${loanCase.caseRef}`
    return row!.state === 'DELIVERED'
  })
})

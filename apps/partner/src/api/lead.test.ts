// From LEAD_SUBMITTED to a case under review: registration, rejected leads, and encrypted storage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { freshPan, TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { inconsistencies } from '@lendloom/wire/exchange/snapshot'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })

test('D3 §3: a lead becomes exactly one case with numeric ids', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  assert.match(loanCase.leadId!, /^\d{18}$/)
  assert.match(loanCase.loanId!, /^\d{18}$/)
  assert.notEqual(loanCase.leadId, loanCase.loanId)
  const status = await loanCase.status()
  assert.deepEqual(inconsistencies(status), [])
  assert.equal(status.case_status, 'UNDER_REVIEW')
  assert.equal(status.loan_status, 'NOT_CREATED')
})

test('D3 §3: a second lead under another event id does not create a second case', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const { leadId, loanId } = loanCase
  loanCase.leadId = null
  loanCase.loanId = null
  const again = await loanCase.send('LEAD_SUBMITTED', loanCase.lead)
  assert.equal((await loanCase.waitForFailure(again)).code, 'IDENTITY_CONFLICT')
  const status = await loanCase.status()
  assert.equal(status.celestium_lead_id, leadId)
  assert.equal(status.celestium_loan_id, loanId)
})

test('D3 §1.1 rule 2: the review starts when the last file of the manifest is stored', async () => {
  const loanCase = new TestCase(partner)
  loanCase.lead.documents_expected = [
    { document_reference_id: 'DOC-1', document_type: 'BUREAU_REPORT' },
    { document_reference_id: 'DOC-2', document_type: 'BANK_STATEMENT' },
  ]
  await loanCase.register()
  const { data } = await loanCase.waitForEvent('LEAD_REGISTERED')
  assert.deepEqual(data, { status: 'DOCUMENTS_PENDING', documents_pending: ['DOC-1', 'DOC-2'] })
  assert.equal((await loanCase.upload('BUREAU_REPORT', 'DOC-1')).status, 201)
  const incomplete = await loanCase.status()
  assert.equal(incomplete.case_status, 'DOCUMENTS_PENDING')
  assert.deepEqual(incomplete.documents.pending, ['DOC-2'])
  assert.equal((await loanCase.upload('BANK_STATEMENT', 'DOC-2')).status, 201)
  const after = await loanCase.status()
  assert.equal(after.case_status, 'UNDER_REVIEW')
  assert.deepEqual(after.documents.pending, [])
  assert.ok(after.snapshot_version > incomplete.snapshot_version)
  assert.deepEqual(inconsistencies(after), [])
})

test('D3 §6 rule 6: a lead that cannot be applied fails with null partner ids and creates no case', async () => {
  const loanCase = new TestCase(partner)
  loanCase.lead.dedupe_reference_id = uuidv4()
  const eventId = await loanCase.send('LEAD_SUBMITTED', loanCase.lead)
  const failure = await loanCase.waitForFailure(eventId)
  assert.equal(failure.code, 'VALIDATION_ERROR')
  assert.match(failure.message, /dedupe_reference_id names no dedupe decision of this case/)
  const { correlation } = await loanCase.waitForEvent('EVENT_PROCESSING_FAILED')
  assert.equal(correlation.celestium_lead_id, null)
  assert.equal(correlation.celestium_loan_id, null)
  assert.equal((await partner.db`select 1 from case_file where case_ref = ${loanCase.caseRef}`).length, 0)
})

test('D3 §6 rule 6: a corrected lead under a new event id and version is accepted', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.dedupe()
  const invalidLead = structuredClone(loanCase.lead)
  invalidLead.dedupe_reference_id = 'unknown'
  await loanCase.waitForFailure(await loanCase.send('LEAD_SUBMITTED', invalidLead))
  await loanCase.send('LEAD_SUBMITTED', loanCase.lead)
  await loanCase.waitForEvent('LEAD_REGISTERED')
})

const failureOfChangedLead = async (change: (loanCase: TestCase) => unknown) => {
  const loanCase = new TestCase(partner)
  await loanCase.dedupe()
  await change(loanCase)
  return loanCase.waitForFailure(await loanCase.send('LEAD_SUBMITTED', loanCase.lead))
}

test('D3 §4.1: rejects a lead whose borrower is not the applicant of its dedupe decision', async () => {
  const other = await failureOfChangedLead(({ lead }) => Object.assign(lead.borrower, { pan: freshPan() }))
  assert.match(other.message, /another applicant/)
  assert.equal(other.retryable, false)
  const birthday = await failureOfChangedLead(({ lead }) =>
    Object.assign(lead.borrower, { date_of_birth: '1980-01-01' }),
  )
  assert.match(birthday.message, /another applicant/)
})

test('D3 §4.1: rejects a lead with the dedupe decision of another case', async () => {
  const other = new TestCase(partner)
  await other.dedupe()
  const { message } = await failureOfChangedLead(({ lead }) =>
    Object.assign(lead, { dedupe_reference_id: other.lead.dedupe_reference_id }),
  )
  assert.match(message, /no dedupe decision of this case/)
})

test('D3 §4.1: rejects a lead whose dedupe decision is DECLINE or REVIEW_REQUIRED', async () => {
  for (const decision of ['DECLINE', 'REVIEW_REQUIRED']) {
    const loanCase = new TestCase(partner)
    // Sandbox rules are off without the autopilot, so the test sets the decision.
    await loanCase.dedupe()
    await partner.db`update dedupe_check set decision = ${decision} where dedupe_reference_id = ${loanCase.lead.dedupe_reference_id}`
    const failure = await loanCase.waitForFailure(await loanCase.send('LEAD_SUBMITTED', loanCase.lead))
    assert.match(failure.message, new RegExp(decision))
  }
})

test('D3 §4.1: rejects a lead whose dedupe decision is older than 24 hours', async () => {
  const { message, retryable } = await failureOfChangedLead(async (loanCase) => {
    await partner.db`
      update dedupe_check set checked_at = now() - interval '25 hours'
      where dedupe_reference_id = ${loanCase.lead.dedupe_reference_id}`
  })
  assert.match(message, /older than 24 hours/)
  assert.ok(retryable, 'a new check would succeed')
})

test('D3 §2.1: a mobile with and without country code identifies the same borrower', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.dedupe()
  loanCase.lead.borrower.mobile = loanCase.lead.borrower.mobile.replace('+91', '')
  await loanCase.send('LEAD_SUBMITTED', loanCase.lead)
  await loanCase.waitForEvent('LEAD_REGISTERED')
})

test('D3 §4.4: before a lead is applied, Status is RECEIVED with null ids; an unknown reference gets 404', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.dedupe()
  // The lead gets version 2, so it waits for version 1.
  loanCase.version = 1
  await loanCase.send('LEAD_SUBMITTED', loanCase.lead)
  const status = await loanCase.status()
  assert.deepEqual(inconsistencies(status), [])
  assert.equal(status.case_status, 'RECEIVED')
  assert.equal(status.celestium_lead_id, null)
  assert.equal(status.celestium_loan_id, null)
  const unknown = await partner.status(`CASE-${uuidv4()}`)
  assert.equal(unknown.status, 404)
  assert.equal(unknown.body.error.code, 'NOT_FOUND')
  assert.equal((await partner.db`select 1 from case_file where case_ref = ${loanCase.caseRef}`).length, 0)
})

test('D3 §6: an event after a gap in the versions waits until the missing event arrives', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.dedupe()
  const first = loanCase.event('EVENT_PROCESSING_FAILED', {
    source_event_id: uuidv4(),
    code: 'PROCESSING_ERROR',
    message: 'an unknown event failed',
    retryable: false,
    failed_at: '2026-11-20T10:00:00Z',
  })
  await loanCase.send('LEAD_SUBMITTED', loanCase.lead)
  assert.equal((await loanCase.status()).case_status, 'RECEIVED')
  assert.equal((await partner.post(first)).status, 202)
  await loanCase.waitForEvent('LEAD_REGISTERED')
})

test('D3 §6 rule 6: a failure event is stored, and no failure event answers it', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const failure = { source_event_id: uuidv4(), code: 'INVALID_STATE', message: 'not now', retryable: false } as const
  const unknown = new TestCase(partner)
  const sent = [loanCase, unknown].map((each) =>
    each.send('EVENT_PROCESSING_FAILED', { ...failure, failed_at: '2026-11-20T10:00:00Z' }),
  )
  const eventIds = await Promise.all(sent)
  const settled = () => partner.db`select 1 from inbox_outcome where event_id = any(${eventIds}::uuid[])`
  await until('both are settled', async () => (await settled()).length === 2)
  await partner.waitForDeliveries()
  assert.equal((await partner.db`select 1 from failure_notice where case_ref = ${loanCase.caseRef}`).length, 1)
  const answered = partner.events.filter((event) => event.event_type === 'EVENT_PROCESSING_FAILED')
  assert.equal(answered.filter((event) => loanCase.isMine(event) || unknown.isMine(event)).length, 0)
})

test('D3 §2.1: personal data is never stored in plain text', async () => {
  const loanCase = new TestCase(partner)
  loanCase.lead.borrower.first_name = 'Unmistakable'
  await loanCase.register()
  const tables = ['case_file', 'case_lead', 'dedupe_check', 'inbox', 'outbox', 'job']
  for (const table of tables) {
    const rows = await partner.db.pool.query(`select t::text as row from ${table} t`)
    const text = rows.rows.map(({ row }) => row).join('\n')
    for (const secret of ['Unmistakable', loanCase.lead.borrower.pan, loanCase.lead.borrower.mobile])
      assert.equal(text.includes(secret), false, `${secret} in ${table}`)
  }
})

// POST /dedupe over HTTP: stored results, decisions and rejected requests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { independentPlatform, platform, startTestPartner } from '@lendloom/tests/setup/partner'
import { freshPan, TestCase } from '@lendloom/tests/setup/partner-case'
import { dedupeReplyFaults } from '@lendloom/wire/exchange/dedupe'

const partner = await startTestPartner()
const headers = (key: string, bearer = platform.bearer) => ({
  'content-type': 'application/json',
  authorization: `Bearer ${bearer}`,
  'idempotency-key': key,
})

test('D3 §4.1: a new applicant may proceed, with a response that matches the contract', async () => {
  const requestId = uuidv4()
  const { status, body } = await partner.dedupe('CASE-1', { pan: freshPan() }, { requestId })
  assert.equal(status, 200)
  assert.deepEqual(dedupeReplyFaults(body, { request_id: requestId, external_reference_id: 'CASE-1' }), [])
  assert.equal(body.match_status, 'NO_MATCH')
  assert.equal(body.decision, 'PROCEED')
  assert.equal(body.existing_celestium_lead_id, null)
})

test('D3 §4.1: a retry returns the stored result, but a new request_id starts a new check', async () => {
  const pan = freshPan()
  const requestId = uuidv4()
  const first = await partner.dedupe('CASE-2', { pan }, { requestId })
  const retry = await partner.dedupe('CASE-2', { pan }, { requestId })
  assert.deepEqual(retry.body, first.body)
  assert.equal(retry.headers.get('idempotent-replayed'), 'true')
  const fresh = await partner.dedupe('CASE-2', { pan })
  assert.notEqual(fresh.body.dedupe_reference_id, first.body.dedupe_reference_id)
})

test('D3 §2.1: concurrent identical requests cause one check and get the same response', async () => {
  const pan = freshPan()
  const requestId = uuidv4()
  const replies = await Promise.all(Array.from({ length: 20 }, () => partner.dedupe('CASE-3', { pan }, { requestId })))
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  assert.equal(new Set(replies.map(({ body }) => JSON.stringify(body))).size, 1)
})

test('D3 §7: a request_id that is reused with other content gets 409 CONFLICT', async () => {
  const pan = freshPan()
  const requestId = uuidv4()
  await partner.dedupe('CASE-4', { pan }, { requestId })
  for (const [caseRef, change] of [
    ['CASE-5', {}],
    ['CASE-4', { mobile: '+919999999999' }],
    ['CASE-4', { name: 'Another Name' }],
  ] as const) {
    const { status, body } = await partner.dedupe(caseRef, { pan, ...change }, { requestId })
    assert.equal(status, 409)
    assert.equal(body.error.code, 'CONFLICT')
    assert.equal(body.request_id, requestId)
  }
})

test('D3 §4.1: a known applicant is a MATCH, and only the platform that owns the case gets its ids', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const { pan } = loanCase.lead.borrower
  const ownReply = await partner.dedupe('CASE-6', { pan })
  assert.equal(ownReply.body.match_status, 'MATCH')
  assert.equal(ownReply.body.decision, 'PROCEED')
  assert.equal(ownReply.body.existing_celestium_lead_id, loanCase.leadId)
  assert.equal(ownReply.body.existing_celestium_loan_id, loanCase.loanId)
  const otherReply = await partner.dedupe('CASE-7', { pan }, { as: independentPlatform })
  assert.equal(otherReply.body.match_status, 'MATCH')
  assert.equal(otherReply.body.existing_celestium_lead_id, null)
  const sameCaseReply = await partner.dedupe(loanCase.caseRef, { pan })
  assert.equal(sameCaseReply.body.match_status, 'NO_MATCH')
})

test('D3 §4.1: the same PAN with another date of birth is AMBIGUOUS and needs a review', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const { pan, mobile, date_of_birth } = loanCase.lead.borrower
  const dedupeWith = async (change: object) => {
    const { body } = await partner.dedupe('CASE-14', { pan, mobile, date_of_birth, ...change })
    return { matchStatus: body.match_status, decision: body.decision, existingLeadId: body.existing_celestium_lead_id }
  }
  for (const change of [{ date_of_birth: '1971-01-01' }, { date_of_birth: '1971-01-01', mobile: '+919812345671' }])
    assert.deepEqual(await dedupeWith(change), {
      matchStatus: 'AMBIGUOUS',
      decision: 'REVIEW_REQUIRED',
      existingLeadId: loanCase.leadId,
    })
  assert.deepEqual(await dedupeWith({ mobile: '+919812345671' }), {
    matchStatus: 'MATCH',
    decision: 'PROCEED',
    existingLeadId: loanCase.leadId,
  })
})

test('D3 §4.1: the same mobile and date of birth with another PAN is AMBIGUOUS and needs a review', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const { mobile, date_of_birth } = loanCase.lead.borrower
  const { body } = await partner.dedupe('CASE-15', { pan: freshPan(), mobile, date_of_birth })
  assert.equal(body.match_status, 'AMBIGUOUS')
  assert.equal(body.decision, 'REVIEW_REQUIRED')
})

test('D3 §4.1: rejects the PAN of a company', async () => {
  const { status, body } = await partner.dedupe('CASE-15', { pan: 'AABCT1332L' })
  assert.equal(status, 422)
  assert.equal(body.error.fields[0].path, 'applicant.pan')
})

test('D3 §4.1: a DECLINE gets 200 like other decisions, and AMBIGUOUS requires a review', async () => {
  // The digits of a sandbox PAN choose the decision.
  const declined = await partner.dedupe('CASE-8', { pan: freshPan('9201') })
  assert.equal(declined.status, 200)
  assert.equal(declined.body.decision, 'DECLINE')
  const ambiguous = await partner.dedupe('CASE-9', { pan: freshPan('9202') })
  assert.equal(ambiguous.body.match_status, 'AMBIGUOUS')
  assert.equal(ambiguous.body.decision, 'REVIEW_REQUIRED')
})

test('D3 §4.1: an equal name alone is not a match', async () => {
  const { body } = await partner.dedupe('CASE-10', { pan: freshPan(), mobile: '+919812345670', name: 'Asha Kumar' })
  assert.equal(body.match_status, 'NO_MATCH')
})

test('D3 §5: a missing or unknown credential gets 401', async () => {
  for (const authorization of [
    '',
    'Bearer',
    'Bearer x',
    `Basic ${platform.bearer}`,
    `Bearer ${platform.webhook.bearer}`,
  ]) {
    const { status, body } = await partner.ask('POST', '/dedupe', { headers: { authorization }, body: '{}' })
    assert.equal(status, 401, authorization)
    assert.equal(body.error.code, 'UNAUTHORIZED')
  }
})

test('D3 §7: an error response lists the path of every invalid field', async () => {
  const requestId = uuidv4()
  const { status, body } = await partner.dedupe('CASE-11', { pan: 'ABCDE1234F', mobile: '123' }, { requestId })
  assert.equal(status, 422)
  assert.equal(body.error.code, 'VALIDATION_ERROR')
  assert.equal(body.request_id, requestId)
  assert.deepEqual(body.error.fields.map(({ path }: { path: string }) => path).sort(), [
    'applicant.mobile',
    'applicant.pan',
  ])
})

test('D3 §4.1: rejects an Idempotency-Key that differs from the request_id', async () => {
  const body = JSON.stringify({
    request_id: uuidv4(),
    external_reference_id: 'CASE-12',
    product: 'BUSINESS_LOAN',
    applicant: { pan: freshPan(), mobile: '+919812345678', date_of_birth: '1990-01-01', name: 'Asha' },
  })
  const reply = await partner.ask('POST', '/dedupe', { headers: headers(uuidv4()), body })
  assert.equal(reply.status, 422)
  assert.equal(reply.body.error.fields[0].path, 'Idempotency-Key')
})

test('D3 §7: invalid JSON gets 400, another media type 415 and an unknown path 404', async () => {
  const broken = await partner.ask('POST', '/dedupe', { headers: headers(uuidv4()), body: '{' })
  assert.equal(broken.status, 400)
  assert.equal(broken.body.error.code, 'VALIDATION_ERROR')
  const plainText = await partner.ask('POST', '/dedupe', {
    headers: { ...headers(uuidv4()), 'content-type': 'text/plain' },
    body: '{}',
  })
  assert.equal(plainText.status, 415)
  assert.equal(plainText.body.error.code, 'UNSUPPORTED_MEDIA')
  const unknownPath = await partner.ask('POST', '/dedupes', { body: '{}' })
  assert.equal(unknownPath.status, 404)
  assert.equal(unknownPath.body.error.code, 'NOT_FOUND')
})

test('D3 §9: additional keys are ignored', async () => {
  const requestId = uuidv4()
  const body = JSON.stringify({
    request_id: requestId,
    external_reference_id: 'CASE-13',
    product: 'BUSINESS_LOAN',
    applicant: { pan: freshPan(), mobile: '+919812345678', date_of_birth: '1990-01-01', name: 'Asha', more: 1 },
    extra: true,
  })
  assert.equal((await partner.ask('POST', '/dedupe', { headers: headers(requestId), body })).status, 200)
})

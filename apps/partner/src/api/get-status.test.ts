// GET /status: its parameters, lack of side effects and timestamps; also the error format of all routes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { faults } from '@lendloom/foundation/schema'
import { uuidv4 } from '@lendloom/seal/id'
import { disbursedOn, proposedTerms } from '@lendloom/tests/setup/account'
import { platform, startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { ErrorBody } from '@lendloom/wire/exchange/error'
import { inconsistencies } from '@lendloom/wire/exchange/snapshot'
import { finalTerms } from '#partner/origination/terms/terms.ts'
import { orderDisbursement } from '#partner/servicing/collection/transfer/order-disbursement.ts'
import { openLoan } from '#partner/servicing/loan/open-loan.ts'

let clockAheadSeconds = 0
const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' }, () => secondsAfter(new Date(), clockAheadSeconds))
const { ctx } = partner
const authorization = `Bearer ${platform.bearer}`
const countCases = async () => (await partner.db`select 1 from case_file`).length

test('D3 §4.4, §2.1: a request needs a UUID as X-Request-Id, which the response repeats', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const path = `/status?external_reference_id=${loanCase.caseRef}`
  const requestId = uuidv4()
  const reply = await partner.ask('GET', path, { headers: { authorization, 'x-request-id': requestId } })
  assert.equal(reply.status, 200)
  assert.equal(reply.body.request_id, requestId)
  const invalidHeaders: Record<string, string>[] = [{ authorization }, { authorization, 'x-request-id': '17' }]
  for (const headers of invalidHeaders) {
    const { status, body } = await partner.ask('GET', path, { headers })
    assert.equal(status, 422)
    assert.equal(body.error.fields[0].path, 'X-Request-Id')
    assert.equal(body.request_id, null)
  }
  const withoutQuery = await partner.ask('GET', '/status', { headers: { authorization, 'x-request-id': requestId } })
  assert.equal(withoutQuery.status, 422)
  assert.equal(withoutQuery.body.error.fields[0].path, 'external_reference_id')
  assert.equal(withoutQuery.body.request_id, requestId)
})

test('D3 §4.4: Status never creates a case for an unknown reference', async () => {
  const before = await countCases()
  const loanCase = new TestCase(partner)
  for (let i = 0; i < 3; i++) assert.equal((await partner.status(loanCase.caseRef)).status, 404)
  await loanCase.dedupe()
  assert.equal((await partner.status(loanCase.caseRef)).status, 404, 'a dedupe check does not create a case')
  assert.equal(await countCases(), before)
})

test('D3 §4.4: parts of a case that do not exist yet are null or empty', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const { offer, disbursement, soa, amortization_schedule, payments, loan_account_id, checks } = await loanCase.status()
  assert.equal(offer, null)
  assert.equal(disbursement, null)
  assert.equal(soa, null)
  assert.equal(amortization_schedule, null)
  assert.deepEqual(payments, [])
  assert.equal(loan_account_id, null)
  assert.deepEqual(Object.values(checks), ['NOT_STARTED', 'NOT_STARTED', 'NOT_STARTED', 'NOT_STARTED'])
})

test('D3 §4.4: the timestamp of each part is the time of its last change', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.runToAcceptedOffer()
  await loanCase.verify()
  await loanCase.waitForStatus('READY_TO_DISBURSE')
  await loanCase.act((tx, row, at) => orderDisbursement({ ...ctx, tx, at }, row))
  const terms = finalTerms(proposedTerms)
  const { caseRef, loanId } = loanCase
  const disbursal = { disbursedPaise: terms.netPaise, disbursedOn, bankReference: 'UTR-1' }
  await loanCase.act((tx, _, at) =>
    openLoan(tx, { caseRef, loanId: loanId!, loanAccountId: `LA-${loanId}`, terms, ...disbursal }, at),
  )
  const first = await loanCase.status()
  clockAheadSeconds += 7 * 60
  const later = await loanCase.status()
  assert.ok(Date.parse(later.snapshot_at) - Date.parse(first.snapshot_at) >= 7 * 60_000)
  for (const part of ['offer', 'disbursement', 'soa', 'amortization_schedule', 'documents'] as const) {
    assert.notEqual(first[part], null)
    assert.deepEqual(later[part], first[part], part)
  }
  assert.equal(later.snapshot_version, first.snapshot_version)
})

test('D3 §7: every error of every route has the exchange’s error format', async () => {
  const jsonHeaders = { authorization, 'content-type': 'application/json' }
  const large = Buffer.alloc(3 * 1024 * 1024, 0x20)
  const requests: [method: string, path: string, status: number, options?: Parameters<typeof partner.ask>[2]][] = [
    ...['/dedupe', '/events', '/documents'].flatMap((path): typeof requests => [
      ['POST', path, 401, { headers: { 'content-type': 'application/json' }, body: '{}' }],
      ['GET', path, 405, { headers: { authorization } }],
      ['PUT', path, 405, { headers: jsonHeaders, body: '{}' }],
    ]),
    ['GET', '/status?external_reference_id=1', 401],
    ['POST', '/status', 405, { headers: jsonHeaders, body: '{}' }],
    ['POST', '/dedupe', 413, { headers: jsonHeaders, body: large }],
    ['POST', '/events', 413, { headers: jsonHeaders, body: large }],
    ['POST', '/documents', 415, { headers: jsonHeaders, body: '{}' }],
    ['POST', '/grievances', 404, { headers: jsonHeaders, body: '{}' }],
    ['GET', '/nowhere', 404],
  ]
  for (const [method, path, status, options] of requests) {
    const reply = await partner.ask(method, path, options)
    assert.equal(reply.status, status, `${method} ${path} ${JSON.stringify(reply.body)}`)
    assert.deepEqual(faults(ErrorBody, reply.body), [], `${method} ${path}`)
  }
})

test('D3 §4.4: every snapshot from registration to READY_TO_DISBURSE is consistent', async () => {
  const loanCase = new TestCase(partner)
  const assertConsistent = async () => assert.deepEqual(inconsistencies(await loanCase.status()), [])
  await loanCase.register().then(assertConsistent)
  await loanCase.approve().then(assertConsistent)
  await loanCase.decide()
  await loanCase.waitForStatus('OFFER_ACCEPTED').then(assertConsistent)
  await loanCase.verify()
  await loanCase.waitForStatus('READY_TO_DISBURSE').then(assertConsistent)
})

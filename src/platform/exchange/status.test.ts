// Asking the partner where a case stands: which answers are believed, when it is asked again, and which are not believed at all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleStatus } from '#contract/exchange/example/answer.ts'
import { exampleIds } from '#contract/exchange/example/event.ts'
import type { SnapshotStatus } from '#contract/exchange/snapshot.ts'
import { isUuid } from '#kit/crypto/id.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { NoAnswer, WrongAnswer, withPartner } from './call.ts'
import { firstPartnerId } from './partner/store.ts'
import { fetchStatus, staleBecause } from './status.ts'

const lender = await startLenderExchange()
const { ctx } = await testPlatform(lender.env)
const speaking = await withPartner(ctx, { partnerId: firstPartnerId })
const application = { caseRef: exampleIds.caseRef, leadId: exampleIds.leadId, loanId: exampleIds.loanId }

function answers(status: Partial<SnapshotStatus>): void {
  lender.answer = ({ headers }) => ({
    status: 200,
    body: exampleStatus({ ...status, request_id: String(headers['x-request-id']) }),
  })
}

test('D3 §4.4, §2.1: asked with a request id of its own and no body, for the case alone', async () => {
  answers({})
  const status = await fetchStatus(speaking, application)
  assert.equal(status!.snapshot_version, 12)
  const request = lender.requests.at(-1)!
  assert.equal(request.method, 'GET')
  assert.equal(request.url, `/status?external_reference_id=${application.caseRef}`)
  assert.ok(isUuid(String(request.headers['x-request-id'])))
  assert.equal(request.raw.length, 0)
  await fetchStatus(speaking, application)
  assert.notEqual(lender.requests.at(-1)!.headers['x-request-id'], request.headers['x-request-id'])
})

test('D3 §4.4: a snapshot that contradicts itself is not believed, whatever else is right about it', async () => {
  const whole = exampleStatus()
  const wrong: [Partial<SnapshotStatus>, RegExp][] = [
    [{ soa: { ...whole.soa!, total_outstanding: '95671.00' } }, /soa\.total_outstanding/],
    [{ soa: { ...whole.soa!, total_overdue: '99999.00' } }, /soa\.total_overdue/],
    [{ amortization_schedule: null }, /amortization_schedule/],
    [{ disbursement: { ...whole.disbursement!, bank_reference: null } }, /bank_reference/],
    [{ checks: { ...whole.checks, kyc: 'REQUESTED' } }, /checks\.kyc/],
    [{ documents: { stored: [], pending: [] } }, /documents\.stored/],
    [{ loan_account_id: null }, /loan_account_id/],
    [{ celestium_lead_id: null }, /celestium_lead_id/],
  ]
  for (const [change, path] of wrong) {
    answers(change)
    await assert.rejects(
      fetchStatus(speaking, application),
      (error: Error) => error instanceof WrongAnswer && path.test(error.message),
    )
  }
})

test('D3 §4.4: a snapshot of another case, of other ids, or for another question is not taken for ours', async () => {
  for (const change of [
    { external_reference_id: 'CASE-OTHER' },
    { celestium_lead_id: '1' },
    { celestium_loan_id: '1' },
  ]) {
    answers(change)
    await assert.rejects(fetchStatus(speaking, application), WrongAnswer)
  }
  lender.answer = () => ({ status: 200, body: exampleStatus() })
  await assert.rejects(fetchStatus(speaking, application), /request_id/)
})

test('D3 §7: an unknown reference is no snapshot; what fails or is too busy is asked again; anything else is of no use', async () => {
  lender.answer = () => ({ status: 404, body: {} })
  assert.equal(await fetchStatus(speaking, application), null)
  lender.answer = () => ({ status: 503 })
  await assert.rejects(fetchStatus(speaking, application), NoAnswer)
  lender.answer = () => ({ status: 429, headers: { 'retry-after': '7' } })
  await assert.rejects(fetchStatus(speaking, application), (error: NoAnswer) => error.retryAfterSeconds === 7)
  lender.answer = () => ({ status: 403, body: {} })
  await assert.rejects(fetchStatus(speaking, application), WrongAnswer)
  lender.answer = () => ({ status: 200, body: 'nothing' })
  await assert.rejects(fetchStatus(speaking, application), WrongAnswer)
})

test('D3 §4.4: an older version is never taken over a newer one, nor an older look at the same version', () => {
  const at = (version: number, time: string) => exampleStatus({ snapshot_version: version, snapshot_at: time })
  const known = { snapshotVersion: 12, snapshotAt: new Date('2026-11-20T10:00:00.000Z') }
  assert.equal(staleBecause({ snapshotVersion: null, snapshotAt: null }, at(1, '2026-11-20T09:00:00Z')), null)
  assert.match(staleBecause(known, at(11, '2026-11-20T11:00:00Z'))!, /older/)
  assert.match(staleBecause(known, at(12, '2026-11-20T09:59:59Z'))!, /later/)
  assert.equal(staleBecause(known, at(12, '2026-11-20T10:00:01Z')), null)
  assert.equal(staleBecause(known, at(13, '2026-11-20T09:00:00Z')), null)
})

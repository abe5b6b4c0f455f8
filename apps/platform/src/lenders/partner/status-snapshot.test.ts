// Status requests to a partner, with valid, retryable, inconsistent and stale answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUuid } from '@lendloom/foundation/uuid'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { exampleStatus } from '@lendloom/wire/exchange/example/answer'
import { exampleIds } from '@lendloom/wire/exchange/example/event'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { RetryablePartnerError, UnusableAnswer, withPartner } from './call-partner.ts'
import { firstPartnerId } from './directory/lending-partner.ts'
import { fetchStatus, staleBecause } from './status-snapshot.ts'

const lender = await startLenderExchange()
const { ctx } = await testPlatform(lender.env)
const partnerCtx = await withPartner(ctx, { partnerId: firstPartnerId })
const loanCase = { caseRef: exampleIds.caseRef, leadId: exampleIds.leadId, loanId: exampleIds.loanId }

function setLenderStatus(status: Partial<SnapshotStatus>): void {
  lender.answer = ({ headers }) => ({
    status: 200,
    body: exampleStatus({ ...status, request_id: String(headers['x-request-id']) }),
  })
}

test('D3 §4.4, §2.1: a status request has a new request id, no body and only the case reference', async () => {
  setLenderStatus({})
  const status = await fetchStatus(partnerCtx, loanCase)
  assert.equal(status!.snapshot_version, 12)
  const request = lender.requests.at(-1)!
  assert.equal(request.method, 'GET')
  assert.equal(request.url, `/status?external_reference_id=${loanCase.caseRef}`)
  assert.ok(isUuid(String(request.headers['x-request-id'])))
  assert.equal(request.raw.length, 0)
  await fetchStatus(partnerCtx, loanCase)
  assert.notEqual(lender.requests.at(-1)!.headers['x-request-id'], request.headers['x-request-id'])
})

test('D3 §4.4: the platform rejects an inconsistent snapshot and names the field', async () => {
  const valid = exampleStatus()
  const inconsistent: [Partial<SnapshotStatus>, RegExp][] = [
    [{ soa: { ...valid.soa!, total_outstanding: '95671.00' } }, /soa\.total_outstanding/],
    [{ soa: { ...valid.soa!, total_overdue: '99999.00' } }, /soa\.total_overdue/],
    [{ amortization_schedule: null }, /amortization_schedule/],
    [{ disbursement: { ...valid.disbursement!, bank_reference: null } }, /bank_reference/],
    [{ checks: { ...valid.checks, kyc: 'REQUESTED' } }, /checks\.kyc/],
    [{ documents: { stored: [], pending: [] } }, /documents\.stored/],
    [{ loan_account_id: null }, /loan_account_id/],
    [{ celestium_lead_id: null }, /celestium_lead_id/],
  ]
  for (const [change, path] of inconsistent) {
    setLenderStatus(change)
    await assert.rejects(
      fetchStatus(partnerCtx, loanCase),
      (error: Error) => error instanceof UnusableAnswer && path.test(error.message),
    )
  }
})

test('D3 §4.4: the platform rejects a snapshot of another case, loan or request', async () => {
  for (const change of [
    { external_reference_id: 'CASE-OTHER' },
    { celestium_lead_id: '1' },
    { celestium_loan_id: '1' },
  ]) {
    setLenderStatus(change)
    await assert.rejects(fetchStatus(partnerCtx, loanCase), UnusableAnswer)
  }
  lender.answer = () => ({ status: 200, body: exampleStatus() })
  await assert.rejects(fetchStatus(partnerCtx, loanCase), /request_id/)
})

test('D3 §7: the HTTP status of the answer decides whether a status request is retried', async () => {
  lender.answer = () => ({ status: 404, body: {} })
  assert.equal(await fetchStatus(partnerCtx, loanCase), null)
  lender.answer = () => ({ status: 503 })
  await assert.rejects(fetchStatus(partnerCtx, loanCase), RetryablePartnerError)
  lender.answer = () => ({ status: 429, headers: { 'retry-after': '7' } })
  await assert.rejects(
    fetchStatus(partnerCtx, loanCase),
    (error: RetryablePartnerError) => error.retryAfterSeconds === 7,
  )
  lender.answer = () => ({ status: 403, body: {} })
  await assert.rejects(fetchStatus(partnerCtx, loanCase), UnusableAnswer)
  lender.answer = () => ({ status: 200, body: 'nothing' })
  await assert.rejects(fetchStatus(partnerCtx, loanCase), UnusableAnswer)
})

test('D3 §4.4: a snapshot with an older version, or an earlier time of the same version, is stale', () => {
  const at = (version: number, time: string) => exampleStatus({ snapshot_version: version, snapshot_at: time })
  const stored = { snapshotVersion: 12, snapshotAt: new Date('2026-11-20T10:00:00.000Z') }
  assert.equal(staleBecause({ snapshotVersion: null, snapshotAt: null }, at(1, '2026-11-20T09:00:00Z')), null)
  assert.match(staleBecause(stored, at(11, '2026-11-20T11:00:00Z'))!, /older/)
  assert.match(staleBecause(stored, at(12, '2026-11-20T09:59:59Z'))!, /later/)
  assert.equal(staleBecause(stored, at(12, '2026-11-20T10:00:01Z')), null)
  assert.equal(staleBecause(stored, at(13, '2026-11-20T09:00:00Z')), null)
})

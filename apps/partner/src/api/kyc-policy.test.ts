// The lender's policy for a rejected KYC: the application ends, or the borrower may repeat the KYC.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { decideKyc } from '#partner/origination/review/review-case.ts'

const strictPartner = await startTestPartner({ PARTNER_AUTOPILOT: 'off', PARTNER_KYC_REJECTED: 'end' })
const lenientPartner = await startTestPartner({ PARTNER_AUTOPILOT: 'off', PARTNER_KYC_REVIEW: 'always' })

const kyc = (providerReferenceId: string, change = {}) => ({
  ...exampleData('KYC_UPDATED'),
  provider_reference_id: providerReferenceId,
  document_ids: [],
  ...change,
})
const rejected = { status: 'REJECTED', verified: false, reason_code: 'FACE_MISMATCH' } as const

test('D3 §1.1 rule 5: a rejected KYC ends the case if PARTNER_KYC_REJECTED is `end`', async () => {
  const loanCase = new TestCase(strictPartner)
  await loanCase.runToAcceptedOffer()
  await loanCase.send('KYC_UPDATED', kyc('K-1', rejected))
  assert.equal((await loanCase.waitForStatus('REJECTED')).loan_status, 'NOT_CREATED')
  const { data } = await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED', 2)
  assert.equal(data.decision, 'REJECTED')
  assert.equal(data.reason_code, 'KYC_REJECTED')
  const laterEvent = await loanCase.send('KYC_UPDATED', kyc('K-2'))
  assert.equal((await loanCase.waitForFailure(laterEvent)).code, 'INVALID_STATE')
})

test('D3 §6 rule 2: by default the borrower may repeat a KYC that the provider or the lender rejected', async () => {
  const loanCase = new TestCase(lenientPartner)
  await loanCase.runToAcceptedOffer()
  await loanCase.send('KYC_UPDATED', kyc('K-1', rejected))
  await loanCase.send('KYC_UPDATED', kyc('K-2'))
  await until('KYC is approved', async () => (await loanCase.status()).checks.kyc === 'APPROVED')
  const review = { decision: 'REJECTED', reviewerReference: 'S-7', reasonCode: 'OTHER', reasonMessage: null } as const
  await loanCase.act((tx, row, at) => decideKyc({ ...lenientPartner.ctx, tx, at }, row, review))
  assert.equal((await loanCase.status()).case_status, 'KYC_PENDING')
  await loanCase.send('KYC_UPDATED', kyc('K-3'))
  const snapshot = await until('a new review is required', async () => {
    const current = await loanCase.status()
    return current.checks.lender_kyc_review === 'NOT_STARTED' && current
  })
  assert.equal(snapshot.checks.kyc, 'APPROVED')
  assert.equal(snapshot.case_status, 'KYC_PENDING')
})

// KYC, mandate and signature events, and the lender's KYC review.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataOf } from '#contract/exchange/envelope.ts'
import { exampleData } from '#contract/exchange/example/event.ts'
import { inconsistencies } from '#contract/exchange/snapshot.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { orderDisbursement } from '#partner/collection/order-disbursement.ts'
import { decideKyc } from '#partner/review/decide.ts'
import { startTestPartner } from '#test/setup/partner.ts'
import { TestCase } from '#test/setup/partner-case.ts'
import { until } from '#test/setup/programs.ts'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })

const kyc = (change: Partial<DataOf<'KYC_UPDATED'>> = {}) => ({
  ...exampleData('KYC_UPDATED'),
  document_ids: [],
  ...change,
})
const requestedReport = { status: 'REQUESTED', verified: false } as const
const mandate = (change: Partial<DataOf<'MANDATE_UPDATED'>> = {}) => ({ ...exampleData('MANDATE_UPDATED'), ...change })
const esign = (change: Partial<DataOf<'ESIGN_UPDATED'>> = {}) => ({ ...exampleData('ESIGN_UPDATED'), ...change })

const review = (loanCase: TestCase, decision: 'APPROVED' | 'REJECTED') => {
  const kycReview = { decision, reviewerReference: 'staff-7', reasonCode: 'CHECKED', reasonMessage: null }
  return loanCase.act((tx, row, at) => decideKyc({ ...partner.ctx, tx, at }, row, kycReview))
}
const acceptedCase = async () => {
  const loanCase = new TestCase(partner)
  await loanCase.runToAcceptedOffer()
  return loanCase
}
const waitForSignature = (loanCase: TestCase) =>
  until('the signature is recorded', async () => {
    const snapshot = await loanCase.status()
    return snapshot.checks.esign === 'COMPLETED' && snapshot
  })
const failureCode = async (loanCase: TestCase, sent: Promise<string>) =>
  (await loanCase.waitForFailure(await sent)).code

test('D3 §1.1 rule 5: each completed check with its file advances the case, up to READY_TO_DISBURSE', async () => {
  const loanCase = await acceptedCase()
  await loanCase.send('KYC_UPDATED', kyc(requestedReport))
  await loanCase.waitForStatus('KYC_PENDING')
  const { body } = await loanCase.upload('KYC_REPORT')
  await loanCase.send('KYC_UPDATED', kyc({ document_ids: [body.document_id] }))
  await loanCase.waitForStatus('MANDATE_PENDING')
  await loanCase.send('MANDATE_UPDATED')
  await loanCase.waitForStatus('ESIGN_PENDING')
  await loanCase.send('ESIGN_UPDATED')
  assert.equal((await waitForSignature(loanCase)).case_status, 'ESIGN_PENDING')
  await loanCase.upload('SIGNED_LOAN_AGREEMENT')
  const status = await loanCase.waitForStatus('READY_TO_DISBURSE')
  assert.deepEqual(inconsistencies(status), [])
  assert.deepEqual(status.checks, {
    kyc: 'APPROVED',
    lender_kyc_review: 'NOT_REQUIRED',
    mandate: 'ACTIVE',
    esign: 'COMPLETED',
  })
  assert.deepEqual(
    status.documents.stored.map(({ document_type }) => document_type),
    ['KYC_REPORT', 'SIGNED_LOAN_AGREEMENT'],
  )
})

test('D3 §6 rule 1: after a completed signature, Status lists the missing signed file by its type', async () => {
  const loanCase = await acceptedCase()
  await loanCase.send('KYC_UPDATED', kyc())
  await loanCase.send('MANDATE_UPDATED')
  await loanCase.send('ESIGN_UPDATED')
  const status = await waitForSignature(loanCase)
  assert.equal(status.case_status, 'ESIGN_PENDING')
  assert.deepEqual(status.documents.pending.toSorted(), ['KYC_REPORT', 'SIGNED_LOAN_AGREEMENT'])
  assert.deepEqual(inconsistencies(status), [])
  // The platform repeats the result, now with the id of the file.
  const { body } = await loanCase.upload('SIGNED_LOAN_AGREEMENT')
  await loanCase.send('ESIGN_UPDATED', esign({ document_ids: [body.document_id] }))
  await loanCase.upload('KYC_REPORT')
  await loanCase.waitForStatus('READY_TO_DISBURSE')
})

test('D3 §3: KYC starts only after an accepted decision is recorded', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  assert.equal(await failureCode(loanCase, loanCase.send('KYC_UPDATED', kyc())), 'INVALID_STATE')
  await loanCase.approve()
  assert.equal(await failureCode(loanCase, loanCase.send('KYC_UPDATED', kyc())), 'INVALID_STATE')
  assert.equal((await loanCase.status()).checks.kyc, 'NOT_STARTED')
})

test('D3 §1.1: a KYC that is ready for review permits neither mandate nor signature', async () => {
  const loanCase = await acceptedCase()
  await loanCase.send('KYC_UPDATED', kyc({ mode: 'VIDEO_AND_MANUAL_REVIEW', status: 'REVIEW_READY', verified: false }))
  assert.equal(await failureCode(loanCase, loanCase.send('MANDATE_UPDATED', mandate(requestedReport))), 'INVALID_STATE')
  assert.equal(await failureCode(loanCase, loanCase.send('ESIGN_UPDATED', esign(requestedReport))), 'INVALID_STATE')
  const { checks, case_status } = await loanCase.status()
  assert.equal(case_status, 'KYC_PENDING')
  assert.equal(checks.mandate, 'NOT_STARTED')
  assert.equal(checks.esign, 'NOT_STARTED')
})

test('D3 §6 rule 2: a KYC approval that is not verified permits no mandate', async () => {
  const loanCase = await acceptedCase()
  await loanCase.send('KYC_UPDATED', kyc({ verified: false }))
  assert.equal(await failureCode(loanCase, loanCase.send('MANDATE_UPDATED', mandate(requestedReport))), 'INVALID_STATE')
  assert.equal((await loanCase.status()).case_status, 'KYC_PENDING')
})

test('D3 §1.1: a case stays MANDATE_PENDING until its mandate is active and verified', async () => {
  const loanCase = await acceptedCase()
  await loanCase.send('KYC_UPDATED', kyc())
  for (const change of [requestedReport, { status: 'PENDING', verified: false }, { verified: false }] as const) {
    await loanCase.send('MANDATE_UPDATED', mandate(change))
    const expected = mandate(change).status
    const status = await until(expected, async () => {
      const snapshot = await loanCase.status()
      return snapshot.checks.mandate === expected && snapshot
    })
    assert.equal(status.case_status, 'MANDATE_PENDING')
  }
  await loanCase.send('MANDATE_UPDATED')
  await loanCase.waitForStatus('ESIGN_PENDING')
})

test('D3 §1.1: a case stays MANDATE_PENDING while its mandate allows less than the instalment', async () => {
  const loanCase = await acceptedCase()
  await loanCase.send('KYC_UPDATED', kyc())
  await loanCase.send('MANDATE_UPDATED', mandate({ maximum_amount: '100.00' }))
  const status = await until('the mandate is recorded', async () => {
    const snapshot = await loanCase.status()
    return snapshot.checks.mandate === 'ACTIVE' && snapshot
  })
  assert.equal(status.case_status, 'MANDATE_PENDING')
})

test('D3 §1.1: a cancelled mandate returns a READY_TO_DISBURSE case to MANDATE_PENDING', async () => {
  const loanCase = await acceptedCase()
  await loanCase.verify()
  await loanCase.waitForStatus('READY_TO_DISBURSE')
  await loanCase.send('MANDATE_UPDATED', mandate({ status: 'CANCELLED', verified: false, reason_code: 'CUSTOMER' }))
  await loanCase.waitForStatus('MANDATE_PENDING')
  await loanCase.send('MANDATE_UPDATED', mandate({ provider_reference_id: 'prov-ref-2' }))
  await loanCase.waitForStatus('READY_TO_DISBURSE')
})

test('D3 §6 rule 2: rejects KYC events after an APPROVED KYC, under the same or another reference', async () => {
  const loanCase = await acceptedCase()
  await loanCase.send('KYC_UPDATED', kyc())
  const rejected = { status: 'REJECTED', verified: false, reason_code: 'NAME_MISMATCH' } as const
  assert.equal(await failureCode(loanCase, loanCase.send('KYC_UPDATED', kyc(rejected))), 'INVALID_STATE')
  assert.equal(
    await failureCode(
      loanCase,
      loanCase.send('KYC_UPDATED', kyc({ ...requestedReport, provider_reference_id: 'again' })),
    ),
    'INVALID_STATE',
  )
  assert.equal((await loanCase.status()).checks.kyc, 'APPROVED')
})

test('D3 §3: a failed KYC may be repeated under a new reference', async () => {
  const loanCase = await acceptedCase()
  await loanCase.send('KYC_UPDATED', kyc({ status: 'EXPIRED', verified: false, reason_code: 'LINK_EXPIRED' }))
  assert.equal(await failureCode(loanCase, loanCase.send('KYC_UPDATED', kyc())), 'INVALID_STATE')
  await loanCase.send('KYC_UPDATED', kyc({ ...requestedReport, provider_reference_id: 'second' }))
  await loanCase.send('KYC_UPDATED', kyc({ provider_reference_id: 'second' }))
  await loanCase.waitForStatus('MANDATE_PENDING')
})

const video = (change: Partial<DataOf<'KYC_UPDATED'>> = {}) => kyc({ mode: 'VIDEO_AND_MANUAL_REVIEW', ...change })

test('D3 §6 rule 2: a video KYC also needs the lender’s review, which the platform receives as an event', async () => {
  const loanCase = await acceptedCase()
  await loanCase.send('KYC_UPDATED', video())
  const pending = await loanCase.waitForStatus('KYC_PENDING')
  assert.equal(pending.checks.kyc, 'APPROVED')
  assert.equal(pending.checks.lender_kyc_review, 'NOT_STARTED')
  await review(loanCase, 'APPROVED')
  const { data } = await loanCase.waitForEvent('KYC_REVIEW_DECIDED')
  assert.equal(data.decision, 'APPROVED')
  assert.equal(data.provider_reference_id, 'prov-ref-1')
  assert.equal(data.reviewer_reference, 'staff-7')
  const status = await loanCase.waitForStatus('MANDATE_PENDING')
  assert.equal(status.checks.lender_kyc_review, 'APPROVED')
})

test('D3 §6 rule 2: a video KYC stays pending until the provider and the lender both approve it', async () => {
  const unapproved = await acceptedCase()
  await unapproved.send('KYC_UPDATED', video({ status: 'REVIEW_READY', verified: false }))
  await unapproved.waitForStatus('KYC_PENDING')
  await review(unapproved, 'APPROVED')
  assert.equal((await unapproved.status()).case_status, 'KYC_PENDING')
  const rejectedByLender = await acceptedCase()
  await rejectedByLender.send('KYC_UPDATED', video())
  await rejectedByLender.waitForStatus('KYC_PENDING')
  await review(rejectedByLender, 'REJECTED')
  const status = await rejectedByLender.status()
  assert.equal(status.case_status, 'KYC_PENDING')
  assert.equal(status.checks.lender_kyc_review, 'REJECTED')
  await review(rejectedByLender, 'APPROVED')
  await rejectedByLender.waitForStatus('MANDATE_PENDING')
})

test('D3 §6: a mandate event that arrives before the lender’s KYC review is applied after the review', async () => {
  const loanCase = await acceptedCase()
  await loanCase.send('KYC_UPDATED', video())
  await loanCase.waitForStatus('KYC_PENDING')
  await loanCase.send('MANDATE_UPDATED')
  assert.equal((await loanCase.status()).checks.mandate, 'NOT_STARTED')
  await review(loanCase, 'APPROVED')
  await loanCase.waitForStatus('ESIGN_PENDING')
  assert.equal(
    partner.events.filter((event) => loanCase.isMine(event) && event.event_type === 'EVENT_PROCESSING_FAILED').length,
    0,
  )
})

test('D3 §6 rule 2: refuses a review before the KYC, of a KYC that needs none, and after an approval', async () => {
  const withoutKyc = await acceptedCase()
  await assert.rejects(review(withoutKyc, 'APPROVED'), Refusal)
  const standard = await acceptedCase()
  await standard.send('KYC_UPDATED', kyc())
  await standard.waitForStatus('MANDATE_PENDING')
  await assert.rejects(review(standard, 'APPROVED'), /needs no review/)
  const reviewed = await acceptedCase()
  await reviewed.send('KYC_UPDATED', video())
  await reviewed.waitForStatus('KYC_PENDING')
  await review(reviewed, 'APPROVED')
  await assert.rejects(review(reviewed, 'REJECTED'), /already approved/)
})

test('D3 §1.1 rule 6: a disbursement order is refused with the list of everything that blocks it', async () => {
  const loanCase = await acceptedCase()
  const order = () => loanCase.act((tx, row, at) => orderDisbursement({ ...partner.ctx, tx, at }, row))
  await assert.rejects(order(), (error: Refusal) => {
    assert.deepEqual(error.details.blockers, [
      'KYC_NOT_VERIFIED',
      'LENDER_KYC_REVIEW_OUTSTANDING',
      'MANDATE_NOT_ACTIVE',
      'AGREEMENT_NOT_SIGNED',
      'SIGNED_AGREEMENT_MISSING',
    ])
    return true
  })
  await loanCase.verify()
  await loanCase.waitForStatus('READY_TO_DISBURSE')
  assert.equal((await loanCase.status()).disbursement, null)
  await order()
  const status = await loanCase.status()
  assert.equal(status.case_status, 'DISBURSEMENT_PENDING')
  assert.equal(status.disbursement!.status, 'PENDING')
  assert.equal(status.disbursement!.bank_reference, null)
  await assert.rejects(order(), Refusal)
})

test('D3 §4.4: the snapshot version increases only when the snapshot changes', async () => {
  const loanCase = await acceptedCase()
  const snapshots = [await loanCase.status()]
  const addSnapshot = async () => snapshots.push(await loanCase.status())
  await loanCase.send('KYC_UPDATED', kyc(requestedReport))
  await loanCase.waitForStatus('KYC_PENDING').then(addSnapshot)
  await loanCase.upload('KYC_REPORT').then(addSnapshot)
  await loanCase.send('KYC_UPDATED', kyc())
  await loanCase.waitForStatus('MANDATE_PENDING').then(addSnapshot)
  const versions = snapshots.map(({ snapshot_version }) => snapshot_version)
  assert.deepEqual(
    versions,
    versions.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(versions).size, versions.length)
  const first = await loanCase.status()
  const second = await loanCase.status()
  assert.equal(first.snapshot_version, second.snapshot_version)
})

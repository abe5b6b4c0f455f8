// KYC, mandate and signature events, and the lender's KYC review.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import type { DataOf, EventType } from '@lendloom/wire/exchange/envelope'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { inconsistencies, type SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { checksOf } from '#partner/origination/case/stored-checks.ts'
import { decideKyc } from '#partner/origination/review/review-case.ts'
import { orderDisbursement } from '#partner/servicing/collection/transfer/order-disbursement.ts'

const migrations = new URL('../migrations/', import.meta.url)
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

/** Sends an event, waits until it is applied without a failure, and returns the snapshot afterwards. */
async function applied<T extends EventType>(loanCase: TestCase, type: T, data: DataOf<T>) {
  const eventId = await loanCase.send(type, data)
  await until(`${type} is applied`, async () => {
    const [row] = await partner.ctx.db<{ outcome: string }>`
      select outcome from inbox_outcome where event_id = ${eventId}`
    if (row) assert.equal(row.outcome, 'APPLIED')
    return row
  })
  return loanCase.status()
}

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
  for (const change of [requestedReport, { status: 'PENDING', verified: false }] as const) {
    await loanCase.send('MANDATE_UPDATED', mandate(change))
    const expected = mandate(change).status
    const status = await until(expected, async () => {
      const snapshot = await loanCase.status()
      return snapshot.checks.mandate === expected && snapshot
    })
    assert.equal(status.case_status, 'MANDATE_PENDING')
  }
  const { checks, case_status } = await applied(loanCase, 'MANDATE_UPDATED', mandate({ verified: false }))
  assert.equal(checks.mandate, 'PENDING')
  assert.equal(case_status, 'MANDATE_PENDING')
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

/** A check whose success counts only when the provider confirmed it, in a case that waits for the check. */
interface ConfirmedCheck {
  name: 'kyc' | 'mandate' | 'esign'
  success: string
  /** Starts a case in which the check is due. */
  start(): Promise<TestCase>
  /** Sends the success, or the change of it, and returns the snapshot after it was applied. */
  report(
    loanCase: TestCase,
    reference: string,
    change: { status?: string; verified?: boolean },
  ): Promise<SnapshotStatus>
}

const afterKyc = async () => {
  const loanCase = await acceptedCase()
  await applied(loanCase, 'KYC_UPDATED', kyc())
  return loanCase
}
const reason_code = 'OTHER'
const confirmedChecks: ConfirmedCheck[] = [
  {
    name: 'kyc',
    success: 'APPROVED',
    start: acceptedCase,
    report: (loanCase, provider_reference_id, change) =>
      applied(loanCase, 'KYC_UPDATED', kyc({ provider_reference_id, reason_code, ...change } as object)),
  },
  {
    name: 'mandate',
    success: 'ACTIVE',
    start: afterKyc,
    report: (loanCase, provider_reference_id, change) =>
      applied(loanCase, 'MANDATE_UPDATED', mandate({ provider_reference_id, reason_code, ...change } as object)),
  },
  {
    name: 'esign',
    success: 'COMPLETED',
    start: afterKyc,
    report: (loanCase, provider_reference_id, change) =>
      applied(loanCase, 'ESIGN_UPDATED', esign({ provider_reference_id, reason_code, ...change } as object)),
  },
]
const unconfirmed = { verified: false }
const requested = { status: 'REQUESTED', verified: false }

for (const { name, success, start, report } of confirmedChecks) {
  const shown = async (sent: Promise<SnapshotStatus>) => {
    const snapshot = await sent
    assert.deepEqual(inconsistencies(snapshot), [])
    return snapshot.checks[name]
  }

  test(`D3 §2.5, §6: Status does not show an unconfirmed ${success} of ${name}, whatever was reported before`, async () => {
    const loanCase = await start()
    assert.equal(await shown(report(loanCase, 'first', unconfirmed)), 'NOT_STARTED')
    assert.equal(await shown(report(loanCase, 'first', requested)), 'REQUESTED', 'it does not end the request either')
    assert.equal(await shown(report(loanCase, 'first', unconfirmed)), 'REQUESTED')
    assert.equal(await shown(report(loanCase, 'first', unconfirmed)), 'REQUESTED', 'an event that comes twice')
    assert.equal(await shown(report(loanCase, 'first', { verified: true })), success)
  })

  test(`D3 §6: an unconfirmed ${success} of ${name} does not lock out a confirmed one of another request`, async () => {
    const loanCase = await start()
    await report(loanCase, 'first', requested)
    await report(loanCase, 'first', unconfirmed)
    assert.equal(await shown(report(loanCase, 'second', requested)), 'REQUESTED')
    assert.equal(await shown(report(loanCase, 'second', { verified: true })), success)
    const [row] = await partner.ctx.db<{ verified: boolean }>`
      select verified from case_check where case_ref = ${loanCase.caseRef} and name = ${name}`
    assert.equal(row!.verified, true)
  })

  test(`D3 §6: a failure may follow an unconfirmed ${success} of the same ${name}`, async () => {
    const loanCase = await start()
    await report(loanCase, 'first', unconfirmed)
    assert.equal(await shown(report(loanCase, 'first', { status: 'EXPIRED', verified: false })), 'EXPIRED')
    assert.equal(await shown(report(loanCase, 'second', unconfirmed)), 'EXPIRED', 'nor does it hide a failure')
    assert.equal(await shown(report(loanCase, 'second', { verified: true })), success)
  })

  test(`D3 §6: an unconfirmed ${success} of ${name} does not undo a confirmed one`, async () => {
    const loanCase = await start()
    const before = await report(loanCase, 'first', { verified: true })
    const after = await report(loanCase, 'first', unconfirmed)
    assert.equal(after.case_status, before.case_status)
    assert.equal(after.checks[name], success)
    const [row] = await partner.ctx.db<{ verified: boolean }>`
      select verified from case_check where case_ref = ${loanCase.caseRef} and name = ${name}`
    assert.equal(row!.verified, true)
  })
}

test('D3 §6: an unconfirmed mandate does not replace the active one, and another confirmed one does', async () => {
  const loanCase = await acceptedCase()
  await loanCase.verify()
  await loanCase.waitForStatus('READY_TO_DISBURSE')
  const other = { provider_reference_id: 'prov-ref-2', umrn: 'HDFC0000000000000002' }
  const umrnOf = async () => {
    const { mandate: current } = await checksOf(partner.ctx.db, partner.ctx.seal, loanCase.caseRef)
    return current.facts!.umrn
  }
  const first = await umrnOf()
  const unchanged = await applied(loanCase, 'MANDATE_UPDATED', mandate({ ...other, verified: false }))
  assert.equal(unchanged.case_status, 'READY_TO_DISBURSE')
  assert.equal(await umrnOf(), first)
  await applied(loanCase, 'MANDATE_UPDATED', mandate(other))
  assert.equal(await umrnOf(), other.umrn)
})

test('D3 §6 rule 2: an unconfirmed KYC of another request does not restart the lender’s review', async () => {
  const loanCase = await acceptedCase()
  await applied(loanCase, 'KYC_UPDATED', video({ status: 'REVIEW_READY', verified: false }))
  await review(loanCase, 'APPROVED')
  const { checks } = await applied(loanCase, 'KYC_UPDATED', video({ provider_reference_id: 'second', verified: false }))
  assert.equal(checks.kyc, 'REVIEW_READY')
  assert.equal(checks.lender_kyc_review, 'APPROVED')
  assert.equal((await applied(loanCase, 'KYC_UPDATED', video())).case_status, 'MANDATE_PENDING')
})

test('D3 §2.5: the migration returns unconfirmed successes of earlier versions to their requests', async () => {
  const { db } = partner.ctx
  const standard = await acceptedCase()
  await applied(standard, 'KYC_UPDATED', kyc())
  await applied(standard, 'MANDATE_UPDATED', mandate())
  const reviewed = await acceptedCase()
  await applied(reviewed, 'KYC_UPDATED', video())
  await db`update case_check set verified = false
    where (case_ref = ${standard.caseRef} and name = 'mandate') or (case_ref = ${reviewed.caseRef} and name = 'kyc')`
  const before = await standard.status()
  const [statement] = (await readdir(migrations)).filter((name) => name.endsWith('unconfirmed-results.sql'))
  await db.pool.query(await readFile(new URL(statement!, migrations), 'utf8'))
  const after = await standard.status()
  assert.equal(after.checks.kyc, 'APPROVED')
  assert.equal(after.checks.mandate, 'REQUESTED')
  assert.ok(after.snapshot_version > before.snapshot_version)
  assert.equal((await reviewed.status()).checks.kyc, 'REVIEW_READY')
  assert.equal((await applied(standard, 'MANDATE_UPDATED', mandate())).checks.mandate, 'ACTIVE')
})

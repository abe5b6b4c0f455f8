// Tests that a snapshot has the effect of lost events, and that an outdated snapshot is ignored.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate } from '@lendloom/lending/calendar'
import { openSession } from '@lendloom/tests/setup/borrower'
import { untilJobsHaveRun } from '@lendloom/tests/setup/idle'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { approvedVideoKyc, caseAt } from '@lendloom/tests/setup/platform-case'
import { until } from '@lendloom/tests/setup/programs'
import { exampleStatus } from '@lendloom/wire/exchange/example/answer'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { readLoanState } from '#platform/api/loan/loan-state.ts'
import { paymentViews } from '#platform/api/page/payment-view.ts'
import { askStatus, statusKind } from '#platform/lenders/partner/status-snapshot.ts'
import { newestCheck, storeCheck } from '#platform/lenders/partner/store.ts'
import { expireJourney } from '#platform/lending/journey/advance.ts'
import { findEvents, lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { paymentUrlOf } from '#platform/lending/servicing/operation.ts'
import { requestServicing, requestStatusRefresh } from '#platform/lending/servicing/request-servicing.ts'
import { listServicing, moveServicing } from '#platform/lending/servicing/store.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { storeKycReview } from './checks/apply-check-report.ts'
import { receiveClaim } from './claim-with-proof.ts'
import { lockCase } from './lock-case.ts'
import { statusWorker } from './refresh-status.ts'

const lender = await startLenderExchange()
/** The clock of the platform starts on the day after the example messages. */
const startedAt = Date.now()
const clock = () => new Date(Date.parse('2026-11-21T10:00:00.000Z') + Date.now() - startedAt)
const platform = await testPlatform({ ...lender.env, PARTNER_STATUS_SECONDS: '1' }, clock)
const { ctx } = platform
const worker = statusWorker(ctx)
after(() => worker.stop())

type Case = Awaited<ReturnType<typeof caseAt>>
const snapshots = new Map<string, () => Partial<SnapshotStatus>>()
lender.answer = ({ query, headers }) => {
  const caseRef = query.get('external_reference_id')!
  const snapshot = snapshots.get(caseRef)
  if (!snapshot) return { status: 404, body: {} }
  const now = clock().toISOString()
  return {
    status: 200,
    body: exampleStatus({
      snapshot_at: now,
      external_reference_id: caseRef,
      ...snapshot(),
      request_id: String(headers['x-request-id']),
    }),
  }
}

async function refreshWith(testCase: Case, status: Partial<SnapshotStatus>): Promise<void> {
  const { leadId, loanId } = testCase.ids
  snapshots.set(testCase.ids.caseRef, () => ({ celestium_lead_id: leadId, celestium_loan_id: loanId, ...status }))
  const at = ctx.clock()
  await ctx.db.tx(async (tx) => askStatus(tx, await testCase.loanCase(), crypto.randomUUID(), at))
}
const waitForStage = (testCase: Case, stage: string) =>
  until(stage, async () => (await testCase.loanCase()).stage === stage)
const waitForSnapshot = (testCase: Case, version: number) =>
  until(`version ${version}`, async () => (await testCase.loanCase()).snapshotVersion === version)

const beforeLoan = {
  case_status: 'UNDER_REVIEW',
  loan_status: 'NOT_CREATED',
  loan_account_id: null,
  offer: null,
  checks: { kyc: 'NOT_STARTED', lender_kyc_review: 'NOT_STARTED', mandate: 'NOT_STARTED', esign: 'NOT_STARTED' },
  disbursement: null,
  soa: null,
  amortization_schedule: null,
  payments: [],
} satisfies Partial<SnapshotStatus>

test('D3 §4.3: a snapshot with the partner’s ids registers a case whose LEAD_REGISTERED was lost', async () => {
  const testCase = await caseAt(platform, 'SUBMITTED')
  await refreshWith(testCase, { ...beforeLoan, celestium_lead_id: '501', celestium_loan_id: '701' })
  await waitForStage(testCase, 'REGISTERED')
  const { leadId, loanId } = await testCase.loanCase()
  assert.equal(leadId, '501')
  assert.equal(loanId, '701')
})

test('D3 §6 rule 3: Status confirms the decision only with the id of our decision event', async () => {
  const testCase = await caseAt(platform, 'DECIDED')
  const { decisionEventId } = await testCase.loanCase()
  const offer = {
    offer_id: 'F-1',
    decision: 'ACCEPT',
    source_event_id: decisionEventId,
    recorded_at: '2026-11-20T09:00:00.000Z',
  } as const
  const accepted = { ...beforeLoan, case_status: 'KYC_PENDING' } as const
  await refreshWith(testCase, {
    ...accepted,
    snapshot_version: 1,
    offer: { ...offer, source_event_id: crypto.randomUUID() },
  })
  await waitForSnapshot(testCase, 1)
  assert.equal((await testCase.loanCase()).stage, 'DECIDED')
  await refreshWith(testCase, { ...accepted, snapshot_version: 2, offer })
  await waitForStage(testCase, 'ACCEPTED')
})

for (const decision of ['APPROVED', 'REJECTED'] as const)
  test(`D3 §4.4, §6 rule 2: a snapshot brings the review ${decision} whose KYC_REVIEW_DECIDED was lost`, async () => {
    const testCase = await caseAt(platform, 'ACCEPTED')
    const { tenantId, ids } = testCase
    const caseKey = { tenantId, caseRef: ids.caseRef }
    await ctx.db.tx((tx) => storeCheck(tx, approvedVideoKyc(ctx, caseKey)))
    const checks = { ...beforeLoan.checks, lender_kyc_review: decision }
    await refreshWith(testCase, { ...beforeLoan, snapshot_version: 1, checks: { ...checks, kyc: 'TERMINATED' } })
    await waitForSnapshot(testCase, 1)
    const review = async () => (await newestCheck(ctx.db, caseKey, 'kyc'))!.lenderReview
    assert.equal(await review(), null, 'the partner reports on an earlier attempt')
    await refreshWith(testCase, { ...beforeLoan, snapshot_version: 2, checks: { ...checks, kyc: 'APPROVED' } })
    await waitForSnapshot(testCase, 2)
    assert.equal(await review(), decision)
    const step = await findStep(ctx.db, testCase, 'kyc')
    assert.equal(step.status, decision === 'APPROVED' ? 'SUCCESS' : 'PENDING')
  })

test('D3 §6 rule 2: an older snapshot does not overrule a newer review, nor an older review a newer snapshot', async () => {
  const testCase = await caseAt(platform, 'ACCEPTED')
  const { tenantId, ids } = testCase
  const caseKey = { tenantId, caseRef: ids.caseRef }
  await ctx.db.tx((tx) => storeCheck(tx, approvedVideoKyc(ctx, caseKey)))
  const review = (decision: 'APPROVED' | 'REJECTED', at: Date) =>
    ctx.db.tx(async (tx) => {
      const caseAndJourney = (await lockCase(tx, tenantId, ids.caseRef))!
      const check = (await newestCheck(tx, caseKey, 'kyc'))!
      await storeKycReview({ ...ctx, tx, at: ctx.clock() }, caseAndJourney, check, { decision, at })
    })
  const snapshotOf = (decision: 'APPROVED' | 'REJECTED', version: number, at: Date) =>
    refreshWith(testCase, {
      ...beforeLoan,
      snapshot_version: version,
      snapshot_at: at.toISOString(),
      checks: { ...beforeLoan.checks, kyc: 'APPROVED', lender_kyc_review: decision },
    }).then(() => waitForSnapshot(testCase, version))
  const decided = async () => (await newestCheck(ctx.db, caseKey, 'kyc'))!.lenderReview
  const at = clock()
  await review('REJECTED', at)
  await snapshotOf('APPROVED', 1, secondsAfter(at, -60))
  assert.equal(await decided(), 'REJECTED')
  await snapshotOf('REJECTED', 2, secondsAfter(at, 1))
  await review('APPROVED', secondsAfter(at, -120))
  assert.equal(await decided(), 'REJECTED')
  assert.equal((await findStep(ctx.db, testCase, 'kyc')).status, 'PENDING')
})

test('D3 §8, §4.4: a snapshot older than fifteen minutes does not record the disbursal', async () => {
  const testCase = await caseAt(platform, 'ACCEPTED')
  const old = new Date(clock().getTime() - 16 * 60_000).toISOString()
  await refreshWith(testCase, { snapshot_at: old })
  const requestCount = () => lender.requests.filter(({ url }) => url.includes(testCase.ids.caseRef)).length
  await until('the request after the answer with the old snapshot', () => requestCount() >= 2)
  assert.equal((await testCase.journey()).status, 'LENDER_REDIRECTED')
  assert.equal((await testCase.loanCase()).snapshotVersion, null)
  snapshots.set(testCase.ids.caseRef, () => ({
    celestium_lead_id: testCase.ids.leadId,
    celestium_loan_id: testCase.ids.loanId,
  }))
  await waitForStage(testCase, 'DISBURSED')
  assert.equal((await testCase.journey()).status, 'DISBURSED')
  const { installments } = await testCase.offer()
  assert.equal(installments.length, 22)
  assert.equal(installments[0]!.status, 'PAID')
  assert.equal(installments[21]!.amount, '478900')
})

test('D1 §3: a payout that the partner reports after the expiry is recorded, and the app learns it', async () => {
  const testCase = await caseAt(platform, 'ACCEPTED')
  await ctx.db.tx(async (tx) => expireJourney(tx, await testCase.journey(), 'NOT_CONTINUED', ctx.clock()))
  await refreshWith(testCase, {})
  await waitForStage(testCase, 'DISBURSED')
  const { tenantId, journeyId, status, active, endReason } = await testCase.journey()
  assert.equal(status, 'DISBURSED')
  assert.equal(active, true)
  assert.equal(endReason, null)
  assert.equal((await findEvents(ctx.db, tenantId, journeyId, 0)).at(-1)!.status, 'DISBURSED')
})

test('D3 §4.4: a snapshot with an older version than the stored snapshot changes nothing', async () => {
  const testCase = await caseAt(platform, 'ACCEPTED')
  await refreshWith(testCase, { snapshot_version: 20 })
  await waitForStage(testCase, 'DISBURSED')
  const closed = {
    snapshot_version: 19,
    loan_status: 'CLOSED',
    soa: {
      ...exampleStatus().soa!,
      principal_outstanding: '0.00',
      interest_outstanding: '0.00',
      total_outstanding: '0.00',
    },
  } as const
  await refreshWith(testCase, closed)
  await untilJobsHaveRun(ctx, statusKind)
  const loanCase = await testCase.loanCase()
  assert.equal(loanCase.stage, 'DISBURSED')
  assert.equal(loanCase.snapshotVersion, 20)
})

const repaid = {
  ...exampleStatus().soa!,
  principal_outstanding: '0.00',
  interest_outstanding: '0.00',
  total_outstanding: '0.00',
}

test('D3 §3, D2 CLOSED: a newer snapshot after a reversal reopens a closed journey', async () => {
  const testCase = await caseAt(platform, 'ACCEPTED')
  await refreshWith(testCase, { snapshot_version: 1 })
  await waitForStage(testCase, 'DISBURSED')
  await refreshWith(testCase, { snapshot_version: 2, loan_status: 'CLOSED', soa: repaid })
  await waitForStage(testCase, 'CLOSED')
  const closed = await testCase.journey()
  assert.equal(closed.active, false)
  assert.notEqual(closed.closedAt, null)
  await refreshWith(testCase, { snapshot_version: 3 })
  await waitForStage(testCase, 'DISBURSED')
  const reopened = await testCase.journey()
  assert.equal(reopened.active, true)
  assert.equal(reopened.closedAt, null)
})

test('D3 §3: a loan reopens beside another application of the borrower, and is told as owed again', async () => {
  const testCase = await caseAt(platform, 'ACCEPTED')
  await refreshWith(testCase, { snapshot_version: 1 })
  await waitForStage(testCase, 'DISBURSED')
  await refreshWith(testCase, { snapshot_version: 2, loan_status: 'CLOSED', soa: repaid })
  await waitForStage(testCase, 'CLOSED')
  const journey = await testCase.journey()
  const { person } = await readProfile(ctx.db, ctx, journey)
  const [borrower] = await ctx.db<{ externalId: string }>`
    select external_id from borrower where borrower_id = ${journey.borrowerId}`
  const again = await openSession(platform.url, platform.tenant, {
    borrowerProviderID: borrower!.externalId,
    profile: { contactNumber: person.personal.mobile },
  })
  assert.equal(again.status, 201)
  await refreshWith(testCase, {
    snapshot_version: 3,
    soa: { ...exampleStatus().soa!, total_overdue: '4500.00' },
  })
  await waitForStage(testCase, 'DISBURSED')
  const reopened = await testCase.journey()
  assert.equal(reopened.active, false, 'the newer application stays the active one')
  assert.equal(reopened.closedAt, null)
  const { state, outstanding, overdue } = await readLoanState(ctx, reopened, clock())
  assert.equal(state, 'OVERDUE')
  assert.equal(outstanding!.total, exampleStatus().soa!.total_outstanding)
  assert.equal(overdue!.amount, '4500.00')
})

test('D3 §3: a loan whose payout the bank gave back is closed with the reason, and its journey stays disbursed', async () => {
  const testCase = await caseAt(platform, 'ACCEPTED')
  await refreshWith(testCase, { snapshot_version: 1 })
  await waitForStage(testCase, 'DISBURSED')
  const { disbursement } = exampleStatus()
  await refreshWith(testCase, {
    snapshot_version: 2,
    case_status: 'EXPIRED',
    loan_status: 'CANCELLED',
    disbursement: { ...disbursement!, status: 'FAILED', reason_code: 'ACCOUNT_CLOSED' },
  })
  await waitForStage(testCase, 'ENDED')
  const { status, active, endReason } = await testCase.journey()
  assert.equal(status, 'DISBURSED')
  assert.equal(active, false)
  assert.equal(endReason, 'PAYOUT_RETURNED')
})

test('D3 §6: a rejected or expired case ends the journey', async () => {
  for (const case_status of ['REJECTED', 'EXPIRED'] as const) {
    const testCase = await caseAt(platform, 'OFFERED')
    await refreshWith(testCase, { ...beforeLoan, case_status })
    await waitForStage(testCase, 'ENDED')
    assert.equal((await testCase.journey()).status, 'REJECTED')
  }
})

test('D3 §3: the end reason of a loan cancelled before disbursal depends on the completed steps', async () => {
  const { checks } = exampleStatus()
  for (const [case_status, reason, esign, mandate] of [
    ['REJECTED', 'APPLICATION_CANCELLED', 'NOT_STARTED', 'NOT_STARTED'],
    ['EXPIRED', 'STEPS_NOT_FINISHED', 'REQUESTED', 'ACTIVE'],
    ['EXPIRED', 'STEPS_NOT_FINISHED', 'REQUESTED', 'CANCELLED'],
    ['EXPIRED', 'PAYOUT_NOT_MADE', 'COMPLETED', 'ACTIVE'],
    ['EXPIRED', 'PAYOUT_NOT_MADE', 'COMPLETED', 'CANCELLED'],
  ] as const) {
    const testCase = await caseAt(platform, 'ACCEPTED')
    const ended = {
      ...beforeLoan,
      case_status,
      loan_status: 'CANCELLED',
      checks: { ...checks, mandate, esign },
    } as const
    await refreshWith(testCase, ended)
    await waitForStage(testCase, 'ENDED')
    const { status, endReason } = await testCase.journey()
    assert.equal(status, 'REJECTED')
    assert.equal(endReason, reason)
  }
})

test('D3 §8: a payment requested with an old snapshot receives its amount from the next one', async () => {
  const testCase = await caseAt(platform, 'ACCEPTED')
  await refreshWith(testCase, { snapshot_version: 1 })
  await waitForStage(testCase, 'DISBURSED')
  const { dueAt, serialNumber } = (await testCase.offer()).installments[1]!
  const at = new Date(Date.parse(dueAt) + 2 * 86_400_000)
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, testCase.tenantId, testCase.journeyId))!
    await requestServicing({ ...ctx, tx, at }, journey, 'MISSED_EMI_PAYMENT', {})
  })
  const payment = async () => (await listServicing(ctx.db, testCase)).at(-1)!
  const requested = await payment()
  assert.equal(requested.serialNumber, serialNumber)
  assert.equal(requested.amountPaise, null)
  await refreshWith(testCase, { snapshot_version: 2 })
  await until('the amount', async () => (await payment()).amountPaise === 479_000n)
  assert.equal((await payment()).status, 'LINK_READY')
  const soa = { ...exampleStatus().soa!, total_overdue: '1790.00' }
  await refreshWith(testCase, { snapshot_version: 3, soa, payments: [] })
  await until('the rest after a part', async () => (await payment()).amountPaise === 179_000n)
})

test('D3 §6 rule 4: a claim is sent once and settled by the payment with its reference', async () => {
  const testCase = await caseAt(platform, 'ACCEPTED')
  await refreshWith(testCase, { snapshot_version: 1 })
  await waitForStage(testCase, 'DISBURSED')
  const inTx = <T>(work: Parameters<typeof ctx.db.tx<T>>[0]) => ctx.db.tx(work)
  const at = ctx.clock()
  const lock = async (tx: Parameters<typeof lockJourney>[0]) =>
    (await lockJourney(tx, testCase.tenantId, testCase.journeyId))!
  await assert.rejects(
    inTx(async (tx) => requestServicing({ ...ctx, tx, at }, await lock(tx), 'FORECLOSURE', {})),
    (error) => error instanceof Refusal && error.kind === 'wrong-state',
  )
  const { operationId } = await inTx(async (tx) =>
    requestServicing({ ...ctx, tx, at }, await lock(tx), 'PRE_PART_PAYMENT', { amount: 500_000n }),
  )
  const operation = async () =>
    (await listServicing(ctx.db, testCase)).find((each) => each.operationId === operationId)!
  assert.equal((await operation()).status, 'LINK_READY')
  const reportedClaim = {
    amount: 500_000n,
    method: 'UPI',
    transactionReference: '433912345678',
    paidOn: businessDate(at),
  } as const
  const claimPayment = (change: object) =>
    inTx(async (tx) =>
      receiveClaim({ ...ctx, tx, at }, { journey: await lock(tx), loanCase: await testCase.loanCase() }, operationId, {
        claim: { ...reportedClaim, ...change },
        proof: null,
      }),
    )
  for (const wrong of [
    { amount: 0n },
    { transactionReference: '?' },
    { paidOn: '2020-01-01' },
    { paidOn: '9999-12-31' },
    { paidOn: '2026-02-31' },
    { amount: 10n ** 15n },
  ])
    await assert.rejects(claimPayment(wrong), (error) => error instanceof Refusal && error.kind === 'invalid')
  await claimPayment({})
  await claimPayment({ transactionReference: 'SECOND-TIME' })
  const sent =
    await ctx.db`select 1 from outbox where case_ref = ${testCase.ids.caseRef} and event_type = 'PAYMENT_CLAIM_SUBMITTED'`
  assert.equal(sent.length, 1)
  const page = await fetch(paymentUrlOf(ctx.seal, await operation())!)
  assert.match(await page.text(), /verifying your payment.*Date of payment/s)
  const payment = {
    ...exampleData('PAYMENT_UPDATED'),
    payment_id: 'PAY-9',
    claim_reference: operationId,
    collection_id: null,
    amount: '5000.00',
  }
  await refreshWith(testCase, { snapshot_version: 2, payments: [{ ...payment, status: 'PENDING_VERIFICATION' }] })
  await waitForSnapshot(testCase, 2)
  assert.equal((await operation()).status, 'LINK_READY', 'a claim under verification does not count as paid')
  await refreshWith(testCase, { snapshot_version: 3, payments: [payment] })
  await until('the operation is PAID', async () => (await operation()).status === 'PAID')
})

async function reportPage() {
  const testCase = await caseAt(platform, 'ACCEPTED')
  await refreshWith(testCase, { snapshot_version: 1 })
  await waitForStage(testCase, 'DISBURSED')
  const at = ctx.clock()
  const { operationId } = await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, testCase.tenantId, testCase.journeyId))!
    return requestServicing({ ...ctx, tx, at }, journey, 'PRE_PART_PAYMENT', { amount: 500_000n })
  })
  const operations = () => listServicing(ctx.db, testCase)
  const url = paymentUrlOf(ctx.seal, (await operations())[0]!)!
  const report = (transactionReference: string) => {
    const body = new FormData()
    const fields = { amount: '4,000.00', method: 'NEFT', transactionReference, paidOn: businessDate(at) }
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    return fetch(url, { method: 'POST', body })
  }
  const payment = {
    ...exampleData('PAYMENT_UPDATED'),
    payment_id: 'PAY-9',
    claim_reference: operationId,
    collection_id: null,
    amount: '4000.00',
  }
  const missing = { ...payment, status: 'FAILED' as const, reason_code: 'NOT_FOUND', bank_reference: null }
  const loseReport = async () => {
    await refreshWith(testCase, { snapshot_version: 2, payments: [missing] })
    await until('the payment is not found', async () => (await operations())[0]!.status === 'FAILED')
  }
  const show = async (query = '') => (await fetch(url + query)).text()
  return { testCase, at, operations, report, payment, missing, loseReport, show }
}

test('D3 §6 rule 4: a payment that was not found is reported again on its page, once', async () => {
  const { testCase, at, operations, report, loseReport, show } = await reportPage()
  assert.match(await (await report('433912345678')).text(), /class="tick".*You need not pay again.*433912345678/s)
  await loseReport()
  const form = await show()
  for (const value of ['4,000', '433912345678', businessDate(at)]) assert.ok(form.includes(`value="${value}"`), value)
  assert.match(form, /Amount to pay.*₹5,000/s, 'what was reported is not what there is to pay')
  assert.match(form, /<select [^>]*required><option><\/option><option>UPI/, 'the method is chosen again')
  assert.equal((await report('?')).status, 422)
  assert.equal((await operations()).length, 1, 'a wrong report changes nothing')
  await Promise.all([report('433912345679'), report('433912345679')])
  const [first, again, ...others] = await operations()
  assert.deepEqual(others, [], 'not twice')
  assert.equal(first!.status, 'FAILED')
  assert.equal(again!.kind, 'PRE_PART_PAYMENT')
  assert.equal(again!.status, 'LINK_READY')
  assert.equal(again!.transactionId, '433912345679')
  assert.equal(again!.amountPaise, 400_000n)
  assert.match(await show(), /433912345679/, 'the link shows the newest report')
  const claims = await ctx.db`
    select 1 from outbox where case_ref = ${testCase.ids.caseRef} and event_type = 'PAYMENT_CLAIM_SUBMITTED'`
  assert.equal(claims.length, 2)
})

test('D3 §6 rule 4: the link of a report shows the payment that the lender found, and does not ask for it again', async () => {
  const { testCase, operations, report, payment, missing, loseReport, show } = await reportPage()
  await report('433912345678')
  await loseReport()
  await report('43391234-567a')
  const again = { ...missing, payment_id: 'PAY-10', claim_reference: (await operations())[1]!.operationId }
  await refreshWith(testCase, { snapshot_version: 3, payments: [missing, again] })
  await until('the second report fails', async () => (await operations())[1]!.status === 'FAILED')
  assert.match(await show(), /value="43391234-567a"/, 'the form has the newest report')
  const found = { ...payment, bank_reference: '43391234567A' }
  await refreshWith(testCase, { snapshot_version: 4, payments: [found, again] })
  await until('the first report is paid', async () => (await operations())[0]!.status === 'PAID')
  assert.match(await show(), /class="tick".*The lender has received your payment.*43391234567A/s)
  const shown = paymentViews(await operations(), ctx.clock(), { payTo: '', reportUrlOf: () => '/repay' })
  assert.deepEqual(
    shown.map(({ status, problem }) => ({ status, problem })),
    [{ status: 'PAID', problem: null }],
  )
})

test('D3 §6 rule 4: an expired page still reports a payment', async () => {
  const { testCase, at, operations, report, show } = await reportPage()
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, testCase.tenantId, testCase.journeyId))!
    const [operation] = await listServicing(tx, journey)
    await moveServicing({ tx, at }, journey, operation!, { move: 'expired', reason: 'PAYMENT_NOT_MADE' })
  })
  assert.match(await show(), /<form/)
  await report('433912345678')
  assert.deepEqual(
    (await operations()).map(({ status, transactionId }) => ({ status, transactionId })),
    [
      { status: 'EXPIRED', transactionId: null },
      { status: 'LINK_READY', transactionId: '433912345678' },
    ],
  )
})

test('D3 §6 rule 4: the page of a payment that was not found says what to do after the loan is repaid', async () => {
  const { testCase, operations, report, loseReport, show } = await reportPage()
  await report('433912345678')
  await loseReport()
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, testCase.tenantId, testCase.journeyId))!
    await updateJourney(tx, journey, { active: false, closedAt: ctx.clock() }, ctx.clock())
  })
  for (const page of [await show(), await (await report('433912345678')).text()]) {
    assert.match(page, /cannot report it again.*complain.*433912345678/s)
    assert.doesNotMatch(page, /<form|class="tick"/)
  }
  assert.equal((await operations()).length, 1)
  const cutLink = await (await fetch(new URL('/repay/cut?lang=hi', platform.url))).text()
  assert.match(cutLink, /<html lang="hi"/, 'a refusal has the language of the link')
})

test('D2 §4: the next snapshot completes a status refresh', async () => {
  const testCase = await caseAt(platform, 'ACCEPTED')
  await refreshWith(testCase, { snapshot_version: 1 })
  await waitForStage(testCase, 'DISBURSED')
  const at = ctx.clock()
  await ctx.db.tx(async (tx) =>
    requestStatusRefresh({ ...ctx, tx, at }, (await lockJourney(tx, testCase.tenantId, testCase.journeyId))!),
  )
  await until('the refresh is DONE', async () => (await listServicing(ctx.db, testCase))[0]?.status === 'DONE')
})

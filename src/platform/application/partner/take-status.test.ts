// Status takes the place of events that never came: registered, confirmed, paid out, paid back; never from an old snapshot.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { exampleStatus } from '#contract/exchange/example/answer.ts'
import { exampleData } from '#contract/exchange/example/event.ts'
import type { SnapshotStatus } from '#contract/exchange/snapshot.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { askStatus } from '#platform/exchange/status.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { requestServicing, requestStatusRefresh } from '#platform/servicing/request.ts'
import { listServicing } from '#platform/servicing/store.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { caseAt } from '#test/setup/platform-case.ts'
import { until } from '#test/setup/programs.ts'
import { claim } from './claiming.ts'
import { refreshing } from './refresh.ts'

const lender = await startLenderExchange()
/** The day after everything in the examples. */
const began = Date.now()
const clock = () => new Date(Date.parse('2026-11-21T10:00:00.000Z') + Date.now() - began)
const platform = await testPlatform({ ...lender.env, PARTNER_STATUS_SECONDS: '1' }, clock)
const { ctx } = platform
const worker = refreshing(ctx)
after(() => worker.stop())

type Case = Awaited<ReturnType<typeof caseAt>>
const snapshots = new Map<string, () => Partial<SnapshotStatus>>()
lender.answer = ({ query, headers }) => {
  const caseRef = query.get('external_reference_id')!
  const given = snapshots.get(caseRef)
  if (!given) return { status: 404, body: {} }
  const now = clock().toISOString()
  return {
    status: 200,
    body: exampleStatus({
      snapshot_at: now,
      external_reference_id: caseRef,
      ...given(),
      request_id: String(headers['x-request-id']),
    }),
  }
}

/** Has Status asked, with this to be found there. */
async function refreshed(of: Case, status: Partial<SnapshotStatus>): Promise<void> {
  const { leadId, loanId } = of.ids
  snapshots.set(of.ids.caseRef, () => ({ celestium_lead_id: leadId, celestium_loan_id: loanId, ...status }))
  const at = ctx.clock()
  await ctx.db.tx(async (tx) => askStatus(tx, await of.application(), crypto.randomUUID(), at))
}
const reaches = (of: Case, stage: string) => until(stage, async () => (await of.application()).stage === stage)
const snapshotOf = (of: Case, version: number) =>
  until(`version ${version}`, async () => (await of.application()).snapshotVersion === version)

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

test('D3 §4.3: files may be sent when Status gives the ids, although LEAD_REGISTERED never came', async () => {
  const of = await caseAt(platform, 'SUBMITTED')
  await refreshed(of, { ...beforeLoan, celestium_lead_id: '501', celestium_loan_id: '701' })
  await reaches(of, 'REGISTERED')
  const { leadId, loanId } = await of.application()
  assert.deepEqual([leadId, loanId], ['501', '701'])
})

test('D3 §6 rule 3: the decision in Status confirms as the event does; another decision or event does not', async () => {
  const of = await caseAt(platform, 'DECIDED')
  const { decisionEventId } = await of.application()
  const offer = {
    offer_id: 'F-1',
    decision: 'ACCEPT',
    source_event_id: decisionEventId,
    recorded_at: '2026-11-20T09:00:00.000Z',
  } as const
  const accepted = { ...beforeLoan, case_status: 'KYC_PENDING' } as const
  await refreshed(of, { ...accepted, snapshot_version: 1, offer: { ...offer, source_event_id: crypto.randomUUID() } })
  await snapshotOf(of, 1)
  assert.equal((await of.application()).stage, 'DECIDED')
  await refreshed(of, { ...accepted, snapshot_version: 2, offer })
  await reaches(of, 'ACCEPTED')
})

test('D3 §8, §4.4: an old snapshot pays nothing out; a fresh one does, with all 22 instalments', async () => {
  const of = await caseAt(platform, 'ACCEPTED')
  const old = new Date(clock().getTime() - 16 * 60_000).toISOString()
  await refreshed(of, { snapshot_at: old })
  const requestCount = () => lender.requests.filter(({ url }) => url.includes(of.ids.caseRef)).length
  await until('it was asked', async () => requestCount() >= 1)
  // Long enough to apply the snapshot, which must not be.
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.deepEqual([(await of.journey()).status, (await of.application()).snapshotVersion], ['LENDER_REDIRECTED', null])
  snapshots.set(of.ids.caseRef, () => ({ celestium_lead_id: of.ids.leadId, celestium_loan_id: of.ids.loanId }))
  await reaches(of, 'DISBURSED')
  assert.equal((await of.journey()).status, 'DISBURSED')
  const { installments } = await of.offer()
  assert.deepEqual([installments.length, installments[0]!.status, installments[21]!.amount], [22, 'PAID', '478900'])
})

test('D3 §4.4: a version that is older than the known one changes nothing', async () => {
  const of = await caseAt(platform, 'ACCEPTED')
  await refreshed(of, { snapshot_version: 20 })
  await reaches(of, 'DISBURSED')
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
  await refreshed(of, closed)
  // Long enough to apply the snapshot, which must not be.
  await new Promise((resolve) => setTimeout(resolve, 500))
  assert.deepEqual([(await of.application()).stage, (await of.application()).snapshotVersion], ['DISBURSED', 20])
})

test('D3 §3, D2 CLOSED: a repaid loan closes the journey; a reversal reopens it by a newer state', async () => {
  const of = await caseAt(platform, 'ACCEPTED')
  await refreshed(of, { snapshot_version: 1 })
  await reaches(of, 'DISBURSED')
  const soa = {
    ...exampleStatus().soa!,
    principal_outstanding: '0.00',
    interest_outstanding: '0.00',
    total_outstanding: '0.00',
  }
  await refreshed(of, { snapshot_version: 2, loan_status: 'CLOSED', soa })
  await reaches(of, 'CLOSED')
  const closed = await of.journey()
  assert.deepEqual([closed.active, closed.closedAt !== null], [false, true])
  await refreshed(of, { snapshot_version: 3 })
  await reaches(of, 'DISBURSED')
  const reopened = await of.journey()
  assert.deepEqual([reopened.active, reopened.closedAt], [true, null])
})

test('D3 §6: what the partner has rejected or let expire is over here too', async () => {
  for (const case_status of ['REJECTED', 'EXPIRED'] as const) {
    const of = await caseAt(platform, 'OFFERED')
    await refreshed(of, { ...beforeLoan, case_status })
    await reaches(of, 'ENDED')
    assert.equal((await of.journey()).status, 'REJECTED')
  }
})

test('D3 §3: a loan that was cancelled before it was paid out ends the journey, and the borrower reads whether time did it', async () => {
  const { checks } = exampleStatus()
  for (const [case_status, reason, esign, mandate] of [
    ['REJECTED', 'APPLICATION_CANCELLED', 'NOT_STARTED', 'NOT_STARTED'],
    ['EXPIRED', 'STEPS_NOT_FINISHED', 'REQUESTED', 'ACTIVE'],
    ['EXPIRED', 'STEPS_NOT_FINISHED', 'REQUESTED', 'CANCELLED'],
    ['EXPIRED', 'PAYOUT_NOT_MADE', 'COMPLETED', 'ACTIVE'],
    ['EXPIRED', 'PAYOUT_NOT_MADE', 'COMPLETED', 'CANCELLED'],
  ] as const) {
    const of = await caseAt(platform, 'ACCEPTED')
    const ended = {
      ...beforeLoan,
      case_status,
      loan_status: 'CANCELLED',
      checks: { ...checks, mandate, esign },
    } as const
    await refreshed(of, ended)
    await reaches(of, 'ENDED')
    const { status, endReason } = await of.journey()
    assert.deepEqual([status, endReason], ['REJECTED', reason])
  }
})

test('D3 §6 rule 4: a claim is sent once, with the operation as its reference, and settled by the payment that names it', async () => {
  const of = await caseAt(platform, 'ACCEPTED')
  await refreshed(of, { snapshot_version: 1 })
  await reaches(of, 'DISBURSED')
  const act = <T>(work: Parameters<typeof ctx.db.tx<T>>[0]) => ctx.db.tx(work)
  const at = ctx.clock()
  const lock = async (tx: Parameters<typeof lockJourney>[0]) => (await lockJourney(tx, of.tenantId, of.journeyId))!
  await assert.rejects(
    act(async (tx) => requestServicing({ ...ctx, tx, at }, await lock(tx), 'FORECLOSURE', {})),
    (error) => error instanceof Refusal && error.kind === 'wrong-state',
  )
  const { operationId } = await act(async (tx) =>
    requestServicing({ ...ctx, tx, at }, await lock(tx), 'PRE_PART_PAYMENT', { amount: 500_000n }),
  )
  const operation = async () => (await listServicing(ctx.db, of)).find((each) => each.operationId === operationId)!
  assert.equal((await operation()).status, 'LINK_READY')
  const reportedClaim = {
    amount: 500_000n,
    method: 'UPI',
    transactionReference: '433912345678',
    paidOn: businessDate(at),
  } as const
  const send = (change: object) =>
    act(async (tx) =>
      claim({ ...ctx, tx, at }, { journey: await lock(tx), application: await of.application() }, operationId, {
        claim: { ...reportedClaim, ...change },
        proof: null,
      }),
    )
  for (const wrong of [
    { amount: 0n },
    { transactionReference: '?' },
    { paidOn: '2020-01-01' },
    { paidOn: '9999-12-31' },
  ])
    await assert.rejects(send(wrong), (error) => error instanceof Refusal && error.kind === 'invalid')
  await send({})
  await send({ transactionReference: 'SECOND-TIME' })
  const sent =
    await ctx.db`select 1 from outbox where case_ref = ${of.ids.caseRef} and event_type = 'PAYMENT_CLAIM_SUBMITTED'`
  assert.equal(sent.length, 1)
  const page = await fetch((await operation()).url!)
  assert.match(await page.text(), /verifying your payment/)
  const payment = {
    ...exampleData('PAYMENT_UPDATED'),
    payment_id: 'PAY-9',
    claim_reference: operationId,
    collection_id: null,
    amount: '5000.00',
  }
  await refreshed(of, { snapshot_version: 2, payments: [{ ...payment, status: 'PENDING_VERIFICATION' }] })
  await snapshotOf(of, 2)
  assert.equal((await operation()).status, 'LINK_READY', 'a claim under verification is no payment')
  await refreshed(of, { snapshot_version: 3, payments: [payment] })
  await until('paid', async () => (await operation()).status === 'PAID')
})

test('D2 §4: a refresh is answered by the next snapshot', async () => {
  const of = await caseAt(platform, 'ACCEPTED')
  await refreshed(of, { snapshot_version: 1 })
  await reaches(of, 'DISBURSED')
  const at = ctx.clock()
  await ctx.db.tx(async (tx) =>
    requestStatusRefresh({ ...ctx, tx, at }, (await lockJourney(tx, of.tenantId, of.journeyId))!),
  )
  await until('the answer', async () => (await listServicing(ctx.db, of))[0]?.status === 'DONE')
})

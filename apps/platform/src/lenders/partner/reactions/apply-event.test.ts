// Tests the effect of each partner event on a journey, and which events are deferred or refused.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { PrerequisiteError } from '@lendloom/event-log/inbox'
import { sentEvents } from '@lendloom/event-log/outbox'
import { Refusal } from '@lendloom/foundation/refusal'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { approvedVideoKyc, caseAt } from '@lendloom/tests/setup/platform-case'
import type { Envelope } from '@lendloom/wire/exchange/envelope'
import { failureCodeOf } from '@lendloom/wire/exchange/event/event-processing-failed'
import { exampleStatus } from '@lendloom/wire/exchange/example/answer'
import { exampleData, exampleOffer } from '@lendloom/wire/exchange/example/event'
import { newestCheck, storeCheck } from '#platform/lenders/partner/store.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { eraseJourneyRows } from '#platform/records/privacy/erase/store.ts'
import { applyEvent } from './apply-event.ts'

const lender = await startLenderExchange()
const platform = await testPlatform(lender.env)
const { ctx } = platform

type Case = Awaited<ReturnType<typeof caseAt>>

/** Applies an event as the worker does. Returns null if it was applied, `NOT_YET` if deferred, or the failure code. */
async function applyTo(testCase: Case, event: Envelope): Promise<string | null> {
  const received = { tenantId: testCase.tenantId, partitionKey: testCase.ids.caseRef, body: event } as Parameters<
    typeof applyEvent
  >[1]
  try {
    await ctx.db.tx((tx) => applyEvent({ ...ctx, tx, at: ctx.clock() }, received))
    return null
  } catch (error) {
    if (error instanceof PrerequisiteError) return 'NOT_YET'
    if (error instanceof Refusal) return failureCodeOf(error)
    throw error
  }
}
const sentEventsOf = async ({ tenantId, ids: { caseRef } }: Case) =>
  (await sentEvents(ctx.db, ctx.seal, { tenantId, partitionKey: caseRef })).map(({ raw }) =>
    JSON.parse(raw.toString('utf8')),
  )
const jobCount = async (testCase: Case, kind: string): Promise<number> =>
  (await ctx.db`select 1 from job where kind = ${kind} and payload->>'caseRef' = ${testCase.ids.caseRef}`).length

const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString()
const reviewWithOffer = (change: object = {}) => ({
  ...exampleData('MANUAL_REVIEW_DECIDED'),
  offer: { ...exampleOffer(), valid_until: inOneHour(), ...change },
})

test('D3 §3 LEAD_REGISTERED: rejects ids that differ from the stored ids', async () => {
  const testCase = await caseAt(platform, 'SUBMITTED')
  const ids = { caseRef: testCase.ids.caseRef, leadId: '61', loanId: '71' }
  const data = { status: 'UNDER_REVIEW' as const, documents_pending: [] }
  assert.equal(await applyTo(testCase, lender.event('LEAD_REGISTERED', ids, 1, data)), null)
  const { stage, leadId, loanId } = await testCase.loanCase()
  assert.equal(stage, 'REGISTERED')
  assert.equal(leadId, '61')
  assert.equal(loanId, '71')
  assert.equal(await applyTo(testCase, lender.event('LEAD_REGISTERED', ids, 2, data)), null)
  const otherIds = lender.event('LEAD_REGISTERED', { ...ids, loanId: '72' }, 3, data)
  assert.equal(await applyTo(testCase, otherIds), 'IDENTITY_CONFLICT')
  const early = await caseAt(platform, 'RECOMMENDED')
  const premature = lender.event('LEAD_REGISTERED', { ...early.ids, leadId: '1', loanId: '2' }, 1, data)
  assert.equal(await applyTo(early, premature), 'INVALID_STATE', 'no lead was submitted')
})

test('D3 §2.4 MANUAL_REVIEW_DECIDED: accepts changed terms only with a new offer id', async () => {
  const testCase = await caseAt(platform, 'REGISTERED')
  assert.equal(await applyTo(testCase, lender.event('MANUAL_REVIEW_DECIDED', testCase.ids, 2, reviewWithOffer())), null)
  assert.equal((await testCase.loanCase()).offerId, exampleOffer().offer_id)
  const first = await testCase.offer()
  assert.equal(first.finalTerms, true)
  assert.equal(first.terms!.principal, '10000000')
  assert.equal((await testCase.journey()).changeInOffer, true)
  assert.equal((await findStep(ctx.db, testCase, 'kyc')).status, 'READY')
  const sameId = lender.event(
    'MANUAL_REVIEW_DECIDED',
    testCase.ids,
    3,
    reviewWithOffer({ processing_fee_amount: '1.00' }),
  )
  assert.equal(await applyTo(testCase, sameId), 'STALE_OFFER', 'terms do not change under the same id')
  const newOffer = lender.event(
    'MANUAL_REVIEW_DECIDED',
    testCase.ids,
    3,
    reviewWithOffer({ offer_id: 'F-2', loan_amount: '98000.00' }),
  )
  assert.equal(await applyTo(testCase, newOffer), null)
  assert.equal((await testCase.loanCase()).offerId, 'F-2')
  assert.equal((await testCase.offer()).terms!.principal, '9800000')
})

test('D3 §2.3, §2.4: rejects an offer above the recommendation or with an APR that does not match its payments', async () => {
  const testCase = await caseAt(platform, 'REGISTERED')
  const recommended = (await testCase.journey()).preferredAmountPaise! / 100n
  for (const change of [{ apr_percent: '1.00' }, { loan_amount: `${recommended + 1n}.00` }]) {
    const event = lender.event('MANUAL_REVIEW_DECIDED', testCase.ids, 2, reviewWithOffer(change))
    assert.equal(await applyTo(testCase, event), 'VALIDATION_ERROR')
  }
  assert.equal((await testCase.loanCase()).offerId, null)
  assert.equal((await testCase.offer()).finalTerms, false)
  assert.equal(
    await applyTo(testCase, lender.event('MANUAL_REVIEW_DECIDED', testCase.ids, 2, reviewWithOffer())),
    null,
    'a corrected offer is accepted',
  )
})

test('D3 §3: rejects an expired offer and an offer after the decision', async () => {
  const testCase = await caseAt(platform, 'REGISTERED')
  const past = {
    ...reviewWithOffer({ valid_until: new Date(Date.now() - 1000).toISOString() }),
    reviewed_at: '2020-11-01T10:00:00.000Z',
  }
  assert.equal(await applyTo(testCase, lender.event('MANUAL_REVIEW_DECIDED', testCase.ids, 2, past)), 'STALE_OFFER')
  assert.equal((await testCase.loanCase()).offerId, null)
  const decided = await caseAt(platform, 'DECIDED')
  const late = lender.event('MANUAL_REVIEW_DECIDED', decided.ids, 3, reviewWithOffer({ offer_id: 'F-9' }))
  assert.equal(await applyTo(decided, late), 'INVALID_STATE')
  assert.equal((await decided.loanCase()).offerId, 'F-1')
})

test('D3 §6: rejects the first offer for an ended case with OFFER_DECISION_RECORDED and refuses later offers', async () => {
  const testCase = await caseAt(platform, 'REGISTERED')
  await ctx.db`update partner_case set stage = 'ENDED' where case_ref = ${testCase.ids.caseRef}`
  assert.equal(await applyTo(testCase, lender.event('MANUAL_REVIEW_DECIDED', testCase.ids, 2, reviewWithOffer())), null)
  const [reply] = await sentEventsOf(testCase)
  assert.equal(reply.event_type, 'OFFER_DECISION_RECORDED')
  assert.equal(reply.data.decision, 'REJECT')
  const repeated = lender.event('MANUAL_REVIEW_DECIDED', testCase.ids, 3, reviewWithOffer({ offer_id: 'F-3' }))
  assert.equal(await applyTo(testCase, repeated), 'INVALID_STATE')
  assert.equal((await sentEventsOf(testCase)).length, 1)
})

test('D3 §6: a rejection ends the journey and the case', async () => {
  const testCase = await caseAt(platform, 'REGISTERED')
  const rejection = {
    decision: 'REJECTED',
    reason_code: 'P',
    reason_message: 'Policy',
    reviewed_at: inOneHour(),
    offer: null,
  } as const
  assert.equal(await applyTo(testCase, lender.event('MANUAL_REVIEW_DECIDED', testCase.ids, 2, rejection)), null)
  assert.equal((await testCase.loanCase()).stage, 'ENDED')
  assert.equal((await testCase.journey()).status, 'REJECTED')
  const endedCase = await caseAt(platform, 'ENDED')
  const registeredIds = { ...endedCase.ids, leadId: '62', loanId: '72' }
  await ctx.db`update partner_case set lead_id = '62', loan_id = '72' where case_ref = ${registeredIds.caseRef}`
  assert.equal(
    await applyTo(endedCase, lender.event('MANUAL_REVIEW_DECIDED', registeredIds, 2, rejection)),
    null,
    'a case that Status has already ended accepts the late rejection',
  )
})

test('D3 §2.4: a rejection that mentions the credit report ends the journey as REJECTED_ON_CREDIT_REPORT', async () => {
  const rejectedBy = async (reason_code: string, reason_message: string) => {
    const testCase = await caseAt(platform, 'REGISTERED')
    const rejection = {
      decision: 'REJECTED',
      reason_code,
      reason_message,
      reviewed_at: inOneHour(),
      offer: null,
    } as const
    assert.equal(await applyTo(testCase, lender.event('MANUAL_REVIEW_DECIDED', testCase.ids, 2, rejection)), null)
    return {
      endReason: (await testCase.journey()).endReason,
      endedBecause: (await testCase.loanCase()).endedBecause,
    }
  }
  const onCreditReport = 'REJECTED_ON_CREDIT_REPORT'
  assert.deepEqual(await rejectedBy('BUREAU_HISTORY', 'Overdue'), {
    endReason: onCreditReport,
    endedBecause: 'rejected: BUREAU_HISTORY',
  })
  assert.deepEqual(await rejectedBy('LOW_CIBIL_SCORE', 'No'), {
    endReason: onCreditReport,
    endedBecause: 'rejected: LOW_CIBIL_SCORE, by CIBIL',
  })
  assert.deepEqual(await rejectedBy('OTHER', 'Experian shows a default'), {
    endReason: onCreditReport,
    endedBecause: 'rejected: OTHER, by EXPERIAN',
  })
  assert.deepEqual(await rejectedBy('CREDIT_POLICY', 'Turnover too low'), {
    endReason: 'APPLICATION_REJECTED',
    endedBecause: 'rejected: CREDIT_POLICY',
  })
})

test('D3 §6 rule 3 OFFER_DECISION_CONFIRMED: accepts only the confirmation of our own decision', async () => {
  const testCase = await caseAt(platform, 'DECIDED')
  const { decisionEventId } = await testCase.loanCase()
  const data = { ...exampleData('OFFER_DECISION_CONFIRMED'), source_event_id: decisionEventId!, offer_id: 'F-1' }
  const confirm = (change: object) =>
    applyTo(testCase, lender.event('OFFER_DECISION_CONFIRMED', testCase.ids, 3, { ...data, ...change }))
  assert.equal(await confirm({ source_event_id: randomUUID() }), 'IDENTITY_CONFLICT')
  assert.equal(await confirm({ offer_id: 'F-0' }), 'STALE_OFFER')
  assert.equal(await confirm({ decision: 'REJECT' }), 'STALE_OFFER')
  assert.equal((await testCase.loanCase()).stage, 'DECIDED')
  assert.equal(await confirm({}), null)
  assert.equal((await testCase.loanCase()).stage, 'ACCEPTED')
  assert.equal(await confirm({}), null, 'a repeated confirmation is accepted')
})

test('D3 §1.1 rule 6 DISBURSEMENT_UPDATED: does not record the disbursal before Status returns the schedule', async () => {
  const data = exampleData('DISBURSEMENT_UPDATED')
  const unconfirmed = await caseAt(platform, 'DECIDED')
  assert.equal(await applyTo(unconfirmed, lender.event('DISBURSEMENT_UPDATED', unconfirmed.ids, 4, data)), 'NOT_YET')
  const early = await caseAt(platform, 'OFFERED')
  assert.equal(await applyTo(early, lender.event('DISBURSEMENT_UPDATED', early.ids, 4, data)), 'INVALID_STATE')
  const testCase = await caseAt(platform, 'ACCEPTED')
  const pending = { ...data, status: 'PENDING' as const, bank_reference: null }
  assert.equal(await applyTo(testCase, lender.event('DISBURSEMENT_UPDATED', testCase.ids, 4, pending)), null)
  assert.equal((await testCase.journey()).decision, 'APPROVED')
  assert.equal(await jobCount(testCase, 'partner-status'), 1)
  await ctx.db`update journey set active = false where journey_id = ${testCase.journeyId}`
  assert.equal(await applyTo(testCase, lender.event('DISBURSEMENT_UPDATED', testCase.ids, 5, pending)), null, 'expired')
  await ctx.db`update journey set active = true where journey_id = ${testCase.journeyId}`
  const failed = { ...data, status: 'FAILED' as const, reason_code: 'ACCOUNT_CLOSED' }
  assert.equal(await applyTo(testCase, lender.event('DISBURSEMENT_UPDATED', testCase.ids, 5, failed)), null)
  assert.equal((await findStep(ctx.db, testCase, 'disbursal')).status, 'FAILURE')
  assert.equal(await applyTo(testCase, lender.event('DISBURSEMENT_UPDATED', testCase.ids, 6, data)), null)
  assert.equal(
    (await testCase.journey()).status,
    'LENDER_REDIRECTED',
    'not DISBURSED before Status returns the schedule',
  )
  assert.equal(await jobCount(testCase, 'partner-status'), 4, 'one Status request per event')
})

test('D3 §4.4: ignores a transfer event older than the snapshot, and of newer ones accepts only a failure', async () => {
  const data = { ...exampleData('DISBURSEMENT_UPDATED'), updated_at: '2026-11-20T09:00:00.000Z' }
  const testCase = await caseAt(platform, 'DISBURSED')
  const status = exampleStatus({ disbursement: data })
  const context = `partner_case.snapshot:${testCase.tenantId}:${testCase.ids.caseRef}`
  await ctx.db`update partner_case set snapshot_sealed = ${ctx.seal.json(status, context)} where case_ref = ${testCase.ids.caseRef}`
  const transfer = (status: 'PENDING' | 'FAILED', updated_at: string) =>
    lender.event('DISBURSEMENT_UPDATED', testCase.ids, 6, {
      ...data,
      status,
      updated_at,
      bank_reference: null,
      reason_code: status === 'FAILED' ? 'ACCOUNT_CLOSED' : null,
    })
  for (const status of ['PENDING', 'FAILED'] as const)
    assert.equal(await applyTo(testCase, transfer(status, '2026-11-20T08:59:59.000Z')), null, status)
  assert.equal(await applyTo(testCase, transfer('PENDING', '2026-11-20T09:00:01.000Z')), 'INVALID_STATE')
  const before = await jobCount(testCase, 'partner-status')
  assert.equal(await applyTo(testCase, transfer('FAILED', '2026-11-20T09:00:01.000Z')), null)
  const asked = (await jobCount(testCase, 'partner-status')) - before
  assert.equal(asked, 1, 'the bank gave the payout back: Status tells what became of the loan')
  assert.notEqual((await findStep(ctx.db, testCase, 'disbursal')).status, 'FAILURE')
})

test('D3 §6 rule 5: a payment or loan event requests Status only after the disbursal', async () => {
  const testCase = await caseAt(platform, 'DISBURSED')
  assert.equal(
    await applyTo(testCase, lender.event('PAYMENT_UPDATED', testCase.ids, 1, exampleData('PAYMENT_UPDATED'))),
    null,
  )
  assert.equal(
    await applyTo(testCase, lender.event('LOAN_STATUS_UPDATED', testCase.ids, 7, exampleData('LOAN_STATUS_UPDATED'))),
    null,
  )
  assert.equal(await jobCount(testCase, 'partner-status'), 2)
  const exit = {
    ...exampleData('LOAN_STATUS_UPDATED'),
    loan_status: 'CLOSED' as const,
    reason_code: 'COOLING_OFF_EXIT',
  }
  assert.equal(await applyTo(testCase, lender.event('LOAN_STATUS_UPDATED', testCase.ids, 8, exit)), null)
  const exits =
    await ctx.db`select 1 from job where kind = 'loan-closed' and payload->>'journeyId' = ${testCase.journeyId}`
  assert.equal(exits.length, 1, 'the request to cancel is closed once the loan is')
  const applyPayment = (target: Case, ids = target.ids) =>
    applyTo(target, lender.event('PAYMENT_UPDATED', ids, 1, exampleData('PAYMENT_UPDATED')))
  for (const stage of ['REGISTERED', 'DECIDED', 'ACCEPTED'] as const)
    assert.equal(
      await applyPayment(await caseAt(platform, stage)),
      'NOT_YET',
      'deferred, because the events before the disbursal may still arrive',
    )
  const submitted = await caseAt(platform, 'SUBMITTED')
  assert.equal(await applyPayment(submitted, { ...submitted.ids, leadId: '1', loanId: '2' }), 'NOT_YET')
  const endedCase = await caseAt(platform, 'REGISTERED')
  await ctx.db`update partner_case set stage = 'ENDED' where case_ref = ${endedCase.ids.caseRef}`
  assert.equal(await applyPayment(endedCase), 'INVALID_STATE')
})

test('DPDP §12: an event of an erased case is refused and changes nothing; the worker then empties it', async () => {
  const testCase = await caseAt(platform, 'CLOSED')
  await ctx.db.tx((tx) =>
    eraseJourneyRows(tx, testCase, {
      profileSealed: Buffer.alloc(0),
      networkTransactionId: uuidv4(bucketOf(testCase.journeyId)),
      erasedAt: ctx.clock(),
    }),
  )
  const erased = await testCase.loanCase()
  for (const type of ['PAYMENT_UPDATED', 'LOAN_STATUS_UPDATED'] as const)
    assert.equal(await applyTo(testCase, lender.event(type, testCase.ids, 9, exampleData(type))), 'INVALID_STATE', type)
  const registered = { status: 'UNDER_REVIEW' as const, documents_pending: [] }
  const event = lender.event('LEAD_REGISTERED', testCase.ids, 10, registered)
  assert.equal(await applyTo(testCase, event), 'INVALID_STATE')
  assert.deepEqual(await testCase.loanCase(), erased)
  assert.equal(await jobCount(testCase, 'partner-status'), 0)
})

test('D3 §6 rule 6 EVENT_PROCESSING_FAILED: a failed lead ends the journey even before the partner has sent ids', async () => {
  const testCase = await caseAt(platform, 'SUBMITTED')
  const { leadEventId } = await testCase.loanCase()
  await ctx.db`insert into outbox (tenant_id, case_ref, event_id, event_type, entity_type, entity_id, entity_version, body_sealed, state, created_at)
    values (${testCase.tenantId}, ${testCase.ids.caseRef}, ${leadEventId}, 'LEAD_SUBMITTED', 'CASE', ${testCase.ids.caseRef}, 1, ''::bytea, 'DELIVERED', now())`
  const failure = { ...exampleData('EVENT_PROCESSING_FAILED'), source_event_id: leadEventId! }
  assert.equal(await applyTo(testCase, lender.event('EVENT_PROCESSING_FAILED', testCase.ids, 1, failure)), null)
  assert.equal((await testCase.loanCase()).stage, 'ENDED')
  assert.equal((await testCase.journey()).status, 'REJECTED')
  const other = await caseAt(platform, 'ACCEPTED')
  const unrelatedFailure = lender.event('EVENT_PROCESSING_FAILED', other.ids, 4, failure)
  assert.equal(await applyTo(other, unrelatedFailure), null)
  assert.equal((await other.loanCase()).stage, 'ACCEPTED', 'a failure of another event does not end the case')
})

test('D3 §6 rule 6: a lead with a retryable failure is rebuilt at most twice', async () => {
  const testCase = await caseAt(platform, 'SUBMITTED')
  const { ids, tenantId } = testCase
  const failLead = async (version: number) => {
    const leadEventId = randomUUID()
    await ctx.db`insert into outbox (tenant_id, case_ref, event_id, event_type, entity_type, entity_id, entity_version, body_sealed, state, created_at)
      values (${tenantId}, ${ids.caseRef}, ${leadEventId}, 'LEAD_SUBMITTED', 'CASE', ${ids.caseRef}, ${version}, ''::bytea, 'DELIVERED', now())`
    await ctx.db`update partner_case set stage = 'SUBMITTED', lead_event_id = ${leadEventId} where case_ref = ${ids.caseRef}`
    const failure = { ...exampleData('EVENT_PROCESSING_FAILED'), source_event_id: leadEventId, retryable: true }
    assert.equal(await applyTo(testCase, lender.event('EVENT_PROCESSING_FAILED', ids, version, failure)), null)
    return testCase.loanCase()
  }
  const { dedupeRequestId } = await testCase.loanCase()
  const corrected = await failLead(1)
  assert.equal(corrected.stage, 'CHOSEN')
  assert.equal(corrected.leadEventId, null)
  assert.equal(corrected.dedupeCheckedAt, null)
  assert.notEqual(corrected.dedupeRequestId, dedupeRequestId)
  assert.equal(await jobCount(testCase, 'partner-lead'), 1)
  assert.equal((await failLead(2)).stage, 'CHOSEN')
  assert.equal((await failLead(3)).stage, 'ENDED')
  assert.equal((await testCase.journey()).status, 'REJECTED')
})

test('D3 §6 rule 2 KYC_REVIEW_DECIDED: video KYC needs the approval of both the lender and the provider', async () => {
  const testCase = await caseAt(platform, 'ACCEPTED')
  const { tenantId, ids } = testCase
  const review = (version: number, change: object = {}) =>
    applyTo(
      testCase,
      lender.event('KYC_REVIEW_DECIDED', ids, version, { ...exampleData('KYC_REVIEW_DECIDED'), ...change }),
    )
  assert.equal(await review(4), 'INVALID_STATE', 'KYC has not begun')
  await ctx.db.tx((tx) => storeCheck(tx, approvedVideoKyc(ctx, { tenantId, caseRef: ids.caseRef })))
  assert.equal(await review(4, { provider_reference_id: 'another' }), 'INVALID_STATE')
  assert.equal(await review(4, { decision: 'REJECTED' }), null)
  assert.equal(
    (await findStep(ctx.db, testCase, 'kyc')).status,
    'PENDING',
    'KYC stays pending after the lender’s rejection',
  )
  const { caseRef } = ids
  const followUps = await ctx.db`
    select 1 from job where kind = 'partner-status' and payload->>'caseRef' = ${caseRef} and payload ? 'followUp'`
  assert.equal(followUps.length, 1, 'the partner is asked until both agree')
  assert.equal(await review(5), null)
  assert.equal((await newestCheck(ctx.db, await testCase.loanCase(), 'kyc'))!.lenderReview, 'APPROVED')
  assert.equal((await findStep(ctx.db, testCase, 'kyc')).status, 'SUCCESS')
  assert.equal((await findStep(ctx.db, testCase, 'eMandate')).status, 'READY')
})

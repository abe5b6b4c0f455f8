// What each event of the partner does to a journey: where it fits, where it waits, and where it is refused.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Envelope } from '#contract/exchange/envelope.ts'
import { exampleStatus } from '#contract/exchange/example/answer.ts'
import { exampleData, exampleOffer } from '#contract/exchange/example/event.ts'
import { failureCodeOf } from '#contract/exchange/failure.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { NotYet } from '#kit/messaging/inbox.ts'
import { sentEvents } from '#kit/messaging/outbox.ts'
import { keepCheck, newestCheck } from '#platform/exchange/store.ts'
import { findStep } from '#platform/step/store.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { caseAt } from '#test/setup/platform-case.ts'
import { applyEvent } from './apply.ts'

const lender = await startLenderExchange()
const platform = await testPlatform(lender.env)
const { ctx } = platform

type Case = Awaited<ReturnType<typeof caseAt>>

/** Applies an event as the worker does; gives what it was refused with. */
async function applied(of: Case, event: Envelope): Promise<string | null> {
  const received = { tenantId: of.tenantId, partitionKey: of.ids.caseRef, body: event } as Parameters<
    typeof applyEvent
  >[1]
  try {
    await ctx.db.tx((tx) => applyEvent({ ...ctx, tx, at: ctx.clock() }, received))
    return null
  } catch (error) {
    if (error instanceof NotYet) return 'NOT_YET'
    if (error instanceof Refusal) return failureCodeOf(error)
    throw error
  }
}
const sent = async ({ tenantId, ids: { caseRef } }: Case) =>
  (await sentEvents(ctx.db, ctx.seal, { tenantId, partitionKey: caseRef })).map(({ raw }) =>
    JSON.parse(raw.toString('utf8')),
  )
const jobs = async (of: Case, kind: string): Promise<number> =>
  (await ctx.db`select 1 from job where kind = ${kind} and payload->>'caseRef' = ${of.ids.caseRef}`).length

const soon = () => new Date(Date.now() + 3_600_000).toISOString()
const offered = (change: object = {}) => ({
  ...exampleData('MANUAL_REVIEW_DECIDED'),
  offer: { ...exampleOffer(), valid_until: soon(), ...change },
})

test('D3 §3 LEAD_REGISTERED: the ids are saved once; the same again changes nothing, others are a conflict', async () => {
  const of = await caseAt(platform, 'SUBMITTED')
  const ids = { caseRef: of.ids.caseRef, leadId: '61', loanId: '71' }
  const data = { status: 'UNDER_REVIEW' as const, documents_pending: [] }
  assert.equal(await applied(of, lender.event('LEAD_REGISTERED', ids, 1, data)), null)
  const { stage, leadId, loanId } = await of.application()
  assert.deepEqual([stage, leadId, loanId], ['REGISTERED', '61', '71'])
  assert.equal(await applied(of, lender.event('LEAD_REGISTERED', ids, 2, data)), null)
  const others = lender.event('LEAD_REGISTERED', { ...ids, loanId: '72' }, 3, data)
  assert.equal(await applied(of, others), 'IDENTITY_CONFLICT')
  const early = await caseAt(platform, 'RECOMMENDED')
  const never = lender.event('LEAD_REGISTERED', { ...early.ids, leadId: '1', loanId: '2' }, 1, data)
  assert.equal(await applied(early, never), 'INVALID_STATE', 'no lead was submitted')
})

test('D3 §2.4 MANUAL_REVIEW_DECIDED: final terms are shown and may be accepted; changed ones come under a new id', async () => {
  const of = await caseAt(platform, 'REGISTERED')
  assert.equal(await applied(of, lender.event('MANUAL_REVIEW_DECIDED', of.ids, 2, offered())), null)
  assert.equal((await of.application()).offerId, exampleOffer().offer_id)
  const first = await of.offer()
  assert.deepEqual([first.finalTerms, first.terms!.principal], [true, '10000000'])
  assert.equal((await of.journey()).changeInOffer, true)
  assert.equal((await findStep(ctx.db, of, 'kyc')).status, 'READY')
  const same = lender.event('MANUAL_REVIEW_DECIDED', of.ids, 3, offered({ processing_fee_amount: '1.00' }))
  assert.equal(await applied(of, same), 'STALE_OFFER', 'terms are never edited under an old id')
  const fresh = lender.event('MANUAL_REVIEW_DECIDED', of.ids, 3, offered({ offer_id: 'F-2', loan_amount: '98000.00' }))
  assert.equal(await applied(of, fresh), null)
  assert.deepEqual([(await of.application()).offerId, (await of.offer()).terms!.principal], ['F-2', '9800000'])
})

test('D3 §2.3, §2.4: an offer whose APR is not that of its payments, or above the recommendation, is not shown', async () => {
  const of = await caseAt(platform, 'REGISTERED')
  const recommended = (await of.journey()).preferredAmountPaise! / 100n
  for (const change of [{ apr_percent: '1.00' }, { loan_amount: `${recommended + 1n}.00` }]) {
    const event = lender.event('MANUAL_REVIEW_DECIDED', of.ids, 2, offered(change))
    assert.equal(await applied(of, event), 'VALIDATION_ERROR')
  }
  assert.deepEqual([(await of.application()).offerId, (await of.offer()).finalTerms], [null, false])
  assert.equal(await applied(of, lender.event('MANUAL_REVIEW_DECIDED', of.ids, 2, offered())), null, 'a corrected one')
})

test('D3 §3: an offer that has expired, that comes too early, or after the decision unlocks nothing', async () => {
  const of = await caseAt(platform, 'REGISTERED')
  const past = {
    ...offered({ valid_until: new Date(Date.now() - 1000).toISOString() }),
    reviewed_at: '2020-11-01T10:00:00.000Z',
  }
  assert.equal(await applied(of, lender.event('MANUAL_REVIEW_DECIDED', of.ids, 2, past)), 'STALE_OFFER')
  assert.equal((await of.application()).offerId, null)
  const decided = await caseAt(platform, 'DECIDED')
  const late = lender.event('MANUAL_REVIEW_DECIDED', decided.ids, 3, offered({ offer_id: 'F-9' }))
  assert.equal(await applied(decided, late), 'INVALID_STATE')
  assert.equal((await decided.application()).offerId, 'F-1')
})

test('D3 §6: an offer for a borrower who has gone is answered with REJECT, once', async () => {
  const of = await caseAt(platform, 'REGISTERED')
  await ctx.db`update partner_case set stage = 'ENDED' where case_ref = ${of.ids.caseRef}`
  assert.equal(await applied(of, lender.event('MANUAL_REVIEW_DECIDED', of.ids, 2, offered())), null)
  const [word] = await sent(of)
  assert.deepEqual([word.event_type, word.data.decision], ['OFFER_DECISION_RECORDED', 'REJECT'])
  const again = lender.event('MANUAL_REVIEW_DECIDED', of.ids, 3, offered({ offer_id: 'F-3' }))
  assert.equal(await applied(of, again), 'INVALID_STATE')
  assert.equal((await sent(of)).length, 1)
})

test('D3 §6: a rejection ends journey and case', async () => {
  const of = await caseAt(platform, 'REGISTERED')
  const no = {
    decision: 'REJECTED',
    reason_code: 'P',
    reason_message: 'Policy',
    reviewed_at: soon(),
    offer: null,
  } as const
  assert.equal(await applied(of, lender.event('MANUAL_REVIEW_DECIDED', of.ids, 2, no)), null)
  assert.deepEqual([(await of.application()).stage, (await of.journey()).status], ['ENDED', 'REJECTED'])
  const over = await caseAt(platform, 'ENDED')
  const known = { ...over.ids, leadId: '62', loanId: '72' }
  await ctx.db`update partner_case set lead_id = '62', loan_id = '72' where case_ref = ${known.caseRef}`
  assert.equal(await applied(over, lender.event('MANUAL_REVIEW_DECIDED', known, 2, no)), null, 'Status told it before')
})

test('D3 §2.4: a rejection by the credit report says so, and keeps the bureau that the lender names', async () => {
  const rejectedBy = async (reason_code: string, reason_message: string) => {
    const of = await caseAt(platform, 'REGISTERED')
    const no = { decision: 'REJECTED', reason_code, reason_message, reviewed_at: soon(), offer: null } as const
    assert.equal(await applied(of, lender.event('MANUAL_REVIEW_DECIDED', of.ids, 2, no)), null)
    return [(await of.journey()).endReason, (await of.application()).endedBecause]
  }
  const onReport = 'REJECTED_ON_CREDIT_REPORT'
  assert.deepEqual(await rejectedBy('BUREAU_HISTORY', 'Overdue'), [onReport, 'rejected: BUREAU_HISTORY'])
  assert.deepEqual(await rejectedBy('LOW_CIBIL_SCORE', 'No'), [onReport, 'rejected: LOW_CIBIL_SCORE, by CIBIL'])
  assert.deepEqual(await rejectedBy('OTHER', 'Experian shows a default'), [onReport, 'rejected: OTHER, by EXPERIAN'])
  const plain = ['APPLICATION_REJECTED', 'rejected: CREDIT_POLICY']
  assert.deepEqual(await rejectedBy('CREDIT_POLICY', 'Turnover too low'), plain)
})

test('D3 §6 rule 3 OFFER_DECISION_CONFIRMED: only our own decision is confirmed', async () => {
  const of = await caseAt(platform, 'DECIDED')
  const { decisionEventId } = await of.application()
  const data = { ...exampleData('OFFER_DECISION_CONFIRMED'), source_event_id: decisionEventId!, offer_id: 'F-1' }
  const confirm = (change: object) =>
    applied(of, lender.event('OFFER_DECISION_CONFIRMED', of.ids, 3, { ...data, ...change }))
  assert.equal(await confirm({ source_event_id: randomUUID() }), 'IDENTITY_CONFLICT')
  assert.equal(await confirm({ offer_id: 'F-0' }), 'STALE_OFFER')
  assert.equal(await confirm({ decision: 'REJECT' }), 'STALE_OFFER')
  assert.equal((await of.application()).stage, 'DECIDED')
  assert.equal(await confirm({}), null)
  assert.equal((await of.application()).stage, 'ACCEPTED')
  assert.equal(await confirm({}), null, 'told twice')
})

test('D3 §1.1 rule 6 DISBURSEMENT_UPDATED: never before acceptance; the money is shown with its schedule from Status', async () => {
  const data = exampleData('DISBURSEMENT_UPDATED')
  const waiting = await caseAt(platform, 'DECIDED')
  assert.equal(await applied(waiting, lender.event('DISBURSEMENT_UPDATED', waiting.ids, 4, data)), 'NOT_YET')
  const early = await caseAt(platform, 'OFFERED')
  assert.equal(await applied(early, lender.event('DISBURSEMENT_UPDATED', early.ids, 4, data)), 'INVALID_STATE')
  const of = await caseAt(platform, 'ACCEPTED')
  const pending = { ...data, status: 'PENDING' as const, bank_reference: null }
  assert.equal(await applied(of, lender.event('DISBURSEMENT_UPDATED', of.ids, 4, pending)), null)
  assert.deepEqual([(await of.journey()).decision, await jobs(of, 'partner-status')], ['APPROVED', 1])
  const failed = { ...data, status: 'FAILED' as const, reason_code: 'ACCOUNT_CLOSED' }
  assert.equal(await applied(of, lender.event('DISBURSEMENT_UPDATED', of.ids, 5, failed)), null)
  assert.equal((await findStep(ctx.db, of, 'disbursal')).status, 'FAILURE')
  assert.equal(await applied(of, lender.event('DISBURSEMENT_UPDATED', of.ids, 6, data)), null)
  assert.equal((await of.journey()).status, 'LENDER_REDIRECTED', 'not yet: Status has the schedule')
  assert.equal(await jobs(of, 'partner-status'), 3, 'after each of them')
})

test('D3 §4.4: what a snapshot has overtaken is no contradiction; what comes after it is', async () => {
  const data = { ...exampleData('DISBURSEMENT_UPDATED'), updated_at: '2026-11-20T09:00:00.000Z' }
  const of = await caseAt(platform, 'DISBURSED')
  const status = exampleStatus({ disbursement: data })
  const context = `partner_case.snapshot:${of.tenantId}:${of.ids.caseRef}`
  await ctx.db`update partner_case set snapshot_sealed = ${ctx.seal.json(status, context)} where case_ref = ${of.ids.caseRef}`
  const transfer = (status: 'PENDING' | 'FAILED', updated_at: string) =>
    lender.event('DISBURSEMENT_UPDATED', of.ids, 6, {
      ...{ ...data, status, updated_at, bank_reference: null },
      reason_code: status === 'FAILED' ? 'ACCOUNT_CLOSED' : null,
    })
  for (const status of ['PENDING', 'FAILED'] as const) {
    assert.equal(await applied(of, transfer(status, '2026-11-20T08:59:59.000Z')), null, status)
    assert.equal(await applied(of, transfer(status, '2026-11-20T09:00:01.000Z')), 'INVALID_STATE', status)
  }
  assert.notEqual((await findStep(ctx.db, of, 'disbursal')).status, 'FAILURE')
})

test('D3 §6 rule 5: after a payment or loan event Status is asked; before the loan they wait or are refused', async () => {
  const of = await caseAt(platform, 'DISBURSED')
  assert.equal(await applied(of, lender.event('PAYMENT_UPDATED', of.ids, 1, exampleData('PAYMENT_UPDATED'))), null)
  assert.equal(
    await applied(of, lender.event('LOAN_STATUS_UPDATED', of.ids, 7, exampleData('LOAN_STATUS_UPDATED'))),
    null,
  )
  assert.equal(await jobs(of, 'partner-status'), 2)
  const paid = (one: Case, ids = one.ids) =>
    applied(one, lender.event('PAYMENT_UPDATED', ids, 1, exampleData('PAYMENT_UPDATED')))
  for (const stage of ['REGISTERED', 'DECIDED', 'ACCEPTED'] as const)
    assert.equal(await paid(await caseAt(platform, stage)), 'NOT_YET', 'what led to it may be on the way')
  const submitted = await caseAt(platform, 'SUBMITTED')
  assert.equal(await paid(submitted, { ...submitted.ids, leadId: '1', loanId: '2' }), 'NOT_YET')
  const over = await caseAt(platform, 'REGISTERED')
  await ctx.db`update partner_case set stage = 'ENDED' where case_ref = ${over.ids.caseRef}`
  assert.equal(await paid(over), 'INVALID_STATE')
})

test('D3 §6 rule 6 EVENT_PROCESSING_FAILED: a lead that cannot be applied ends the journey; it is correlated without ids', async () => {
  const of = await caseAt(platform, 'SUBMITTED')
  const { leadEventId } = await of.application()
  await ctx.db`insert into outbox (tenant_id, case_ref, event_id, event_type, entity_type, entity_id, entity_version, body_sealed, state, created_at)
    values (${of.tenantId}, ${of.ids.caseRef}, ${leadEventId}, 'LEAD_SUBMITTED', 'CASE', ${of.ids.caseRef}, 1, ''::bytea, 'DELIVERED', now())`
  const failure = { ...exampleData('EVENT_PROCESSING_FAILED'), source_event_id: leadEventId! }
  assert.equal(await applied(of, lender.event('EVENT_PROCESSING_FAILED', of.ids, 1, failure)), null)
  assert.deepEqual([(await of.application()).stage, (await of.journey()).status], ['ENDED', 'REJECTED'])
  const other = await caseAt(platform, 'ACCEPTED')
  const harmless = lender.event('EVENT_PROCESSING_FAILED', other.ids, 4, failure)
  assert.equal(await applied(other, harmless), null)
  assert.equal((await other.application()).stage, 'ACCEPTED', 'what concerns nothing vital is for operators')
})

test('D3 §6 rule 6: a lead that would be taken in another form is made anew, on a fresh check, and not for ever', async () => {
  const of = await caseAt(platform, 'SUBMITTED')
  const { ids, tenantId } = of
  const lead = async (version: number) => {
    const leadEventId = randomUUID()
    await ctx.db`insert into outbox (tenant_id, case_ref, event_id, event_type, entity_type, entity_id, entity_version, body_sealed, state, created_at)
      values (${tenantId}, ${ids.caseRef}, ${leadEventId}, 'LEAD_SUBMITTED', 'CASE', ${ids.caseRef}, ${version}, ''::bytea, 'DELIVERED', now())`
    await ctx.db`update partner_case set stage = 'SUBMITTED', lead_event_id = ${leadEventId} where case_ref = ${ids.caseRef}`
    const failure = { ...exampleData('EVENT_PROCESSING_FAILED'), source_event_id: leadEventId, retryable: true }
    assert.equal(await applied(of, lender.event('EVENT_PROCESSING_FAILED', ids, version, failure)), null)
    return of.application()
  }
  const { dedupeRequestId } = await of.application()
  const corrected = await lead(1)
  assert.deepEqual([corrected.stage, corrected.leadEventId, corrected.dedupeCheckedAt], ['CHOSEN', null, null])
  assert.notEqual(corrected.dedupeRequestId, dedupeRequestId)
  assert.equal(await jobs(of, 'partner-lead'), 1)
  assert.equal((await lead(2)).stage, 'CHOSEN')
  assert.equal((await lead(3)).stage, 'ENDED')
  assert.equal((await of.journey()).status, 'REJECTED')
})

test('D3 §6 rule 2 KYC_REVIEW_DECIDED: by video the lender’s review and the provider’s word must agree', async () => {
  const of = await caseAt(platform, 'ACCEPTED')
  const { tenantId, ids } = of
  const review = (version: number, change: object = {}) =>
    applied(of, lender.event('KYC_REVIEW_DECIDED', ids, version, { ...exampleData('KYC_REVIEW_DECIDED'), ...change }))
  assert.equal(await review(4), 'INVALID_STATE', 'KYC has not begun')
  const at = ctx.clock()
  const place = { tenantId, caseRef: ids.caseRef, kind: 'kyc', attempt: 1 } as const
  const telling = { type: 'KYC_UPDATED', data: { ...exampleData('KYC_UPDATED'), mode: 'VIDEO_AND_MANUAL_REVIEW' } }
  await ctx.db.tx((tx) =>
    keepCheck(tx, {
      ...place,
      ...{
        adapter: 'lendloom',
        provider: 'SETU',
        providerReference: 'prov-ref-1',
        urlSealed: Buffer.from('x'),
        status: 'APPROVED',
        verified: true,
      },
      resultSealed: ctx.seal.json(telling, `partner_check.result:${tenantId}:${ids.caseRef}:kyc:1`),
      ...{ lenderReview: null, providerUpdatedAt: at, createdAt: at, updatedAt: at },
    }),
  )
  assert.equal(await review(4, { provider_reference_id: 'another' }), 'INVALID_STATE')
  assert.equal(await review(4, { decision: 'REJECTED' }), null)
  assert.equal((await findStep(ctx.db, of, 'kyc')).status, 'PENDING', 'they disagree: it stays pending')
  assert.equal(await review(5), null)
  assert.equal((await newestCheck(ctx.db, await of.application(), 'kyc'))!.lenderReview, 'APPROVED')
  assert.equal((await findStep(ctx.db, of, 'kyc')).status, 'SUCCESS')
  assert.equal((await findStep(ctx.db, of, 'eMandate')).status, 'READY')
})

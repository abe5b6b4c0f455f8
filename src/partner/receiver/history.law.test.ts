// Property: a loan from the lead to its third week ends in the same state in whatever order its messages arrive.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { DataOf } from '#contract/exchange/envelope.ts'
import { exampleData } from '#contract/exchange/example/event.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import { readCase } from '#partner/case/store.ts'
import { collect } from '#partner/collection/collect.ts'
import { orderDisbursement } from '#partner/collection/order-disbursement.ts'
import { findReceipt, readPayments } from '#partner/collection/store.ts'
import { dayEnd } from '#partner/loan/day-end.ts'
import { decideKyc } from '#partner/review/decide.ts'
import { reportDayEnd } from '#partner/work.ts'
import { startBank } from '#test/setup/bank.ts'
import { type Disorder, disorderOf, normalized } from '#test/setup/disorder.ts'
import { startTestPartner } from '#test/setup/partner.ts'
import { LoanHistory } from '#test/setup/partner-history.ts'
import { until } from '#test/setup/programs.ts'

/** Starts on a Monday morning in India; the bank takes an hour for every result. */
const startedAt = Date.now()
let clockAheadMs = 0
const clock = () => new Date(Date.parse('2026-11-23T04:30:00.000Z') + Date.now() - startedAt + clockAheadMs)
async function advanceClock({ days = 0, hours = 0 }): Promise<void> {
  clockAheadMs += (days * 24 + hours) * 3_600_000
  bank.db.wakeAll()
  await partner.wakeWorkers()
}
const bank = await startBank({ settleSeconds: 3600 }, clock)
const settings = { PARTNER_AUTOPILOT: 'off', PARTNER_KYC_REVIEW: 'always', PARTNER_REQUESTS_PER_SECOND: '100000' }
const partner = await startTestPartner(
  { ...settings, PARTNER_BURST: '100000', BANK_URL: bank.url, BANK_BEARER: bank.bearer, BANK_POLL_SECONDS: '1' },
  clock,
)
const { ctx } = partner

type Claim = DataOf<'PAYMENT_CLAIM_SUBMITTED'>
const now = () => clock().toISOString()
const payIn = (amount: string) => bank.payIn({ method: 'UPI', amount, payer_name: 'Asha Kumar', remark: null })

/** Plays the history of all loans concurrently under one clock; returns the final state of each. */
async function playAll(plays: LoanHistory[]) {
  const each = (act: (play: LoanHistory) => Promise<unknown>) => Promise.all(plays.map(act))
  const staff = (act: Parameters<LoanHistory['loanCase']['act']>[0]) => each(({ loanCase }) => loanCase.act(act))
  const waitForDebits = (...statuses: string[]) =>
    each(({ loanCase }) =>
      until(`${statuses}`, async () => {
        const debits = (await readPayments(ctx.db, loanCase.caseRef)).filter(({ method }) => method === 'ENACH')
        return `${debits.map(({ status }) => status)}` === `${statuses}`
      }),
    )
  const waitForStatus = (status: string) =>
    each(({ loanCase }) => until(status, async () => (await readCase(ctx.db, loanCase.caseRef))?.status === status))
  const week = async () => {
    await advanceClock({ days: 7 })
    await dayEnd(ctx, plusDays(businessDate(clock()), -1), reportDayEnd(ctx))
  }
  const debits = () => each(({ loanCase }) => collect(ctx, loanCase.caseRef, clock()))

  await each(lead)
  await waitForStatus('UNDER_REVIEW')
  await each(({ loanCase }) => loanCase.approve())
  await each(({ loanCase }) => loanCase.approve({ amountPaise: 9_000_000n }))
  await each(decisionsAndChecks)
  await staff((tx, loanCase, at) => orderDisbursement({ ...ctx, tx, at }, loanCase))
  await until('the transfers are with the bank', async () => (await transfers()) >= plays.length)
  await advanceClock({ hours: 1 })
  await waitForStatus('DISBURSED')

  await week()
  await debits()
  await waitForDebits('SUBMITTED')
  await advanceClock({ hours: 1 })
  await waitForDebits('POSTED')
  await advanceClock({ hours: 3 })
  await waitForDebits('TAKEN_BACK', 'REVERSED')
  await week()
  await each(claims)
  await debits()
  await waitForDebits('TAKEN_BACK', 'REVERSED', 'SUBMITTED')
  await advanceClock({ hours: 1 })
  await waitForDebits('TAKEN_BACK', 'REVERSED', 'POSTED')
  await week()
  await each(({ loanCase }) => until('the last claim has failed', () => areClaimsDecided(loanCase.caseRef)))
  await debits()
  await waitForDebits('TAKEN_BACK', 'REVERSED', 'POSTED', 'SUBMITTED')
  await advanceClock({ hours: 1 })
  await waitForDebits('TAKEN_BACK', 'REVERSED', 'POSTED', 'POSTED')
  await each((play) => play.contradict())
  for (const { channel } of plays) channel.checkReceipts()
  return Promise.all(plays.map(async (play) => normalized(await play.snapshot())))
}

const areClaimsDecided = async (caseRef: string): Promise<boolean> =>
  (await readPayments(ctx.db, caseRef)).every(({ status }) => status !== 'PENDING_VERIFICATION')
const transfers = async () => (await ctx.db`select 1 from disbursement where status = 'SENT'`).length

async function lead(play: LoanHistory): Promise<void> {
  const { loanCase } = play
  loanCase.lead.documents_expected = exampleData('LEAD_SUBMITTED').documents_expected
  await loanCase.dedupe()
  play.event('LEAD_SUBMITTED', loanCase.lead)
  await play.deliver()
  const { correlation } = await loanCase.waitForEvent('LEAD_REGISTERED')
  loanCase.leadId = correlation.celestium_lead_id
  loanCase.loanId = correlation.celestium_loan_id
  play.file('BUREAU_REPORT', 'DOC-1')
  play.file('BANK_ANALYSIS_REPORT', 'DOC-2')
  await play.deliver()
}

/** Sends all events of decisions and checks at once, including those that the partner must reject. */
async function decisionsAndChecks(play: LoanHistory): Promise<void> {
  const [stale, current] = [1, 2].map((count) => play.loanCase.waitForEvent('MANUAL_REVIEW_DECIDED', count))
  const decision = { decision: 'ACCEPT', decided_at: now(), reason: null } as const
  const accept = async (offer: typeof stale) => ({ ...decision, offer_id: (await offer)!.data.offer!.offer_id })
  play.event('OFFER_DECISION_RECORDED', await accept(stale))
  play.event('OFFER_DECISION_RECORDED', await accept(current))
  const kyc = { ...exampleData('KYC_UPDATED'), document_ids: [] }
  const open = { verified: false, provider_event_id: null }
  play.event('KYC_UPDATED', { ...kyc, ...open, status: 'REQUESTED' })
  play.event('OFFER_DECISION_RECORDED', { ...(await accept(current)), decision: 'REJECT' })
  play.event('KYC_UPDATED', { ...kyc, ...open, status: 'REVIEW_READY' })
  play.event('MANDATE_UPDATED', { ...exampleData('MANDATE_UPDATED'), status: 'PENDING', verified: false })
  play.event('KYC_UPDATED', kyc)
  const again = play.event('KYC_UPDATED', { ...kyc, ...open, status: 'REQUESTED' })
  play.event('ESIGN_UPDATED', { ...exampleData('ESIGN_UPDATED'), status: 'REQUESTED', verified: false })
  play.event('MANDATE_UPDATED', exampleData('MANDATE_UPDATED'))
  play.event('ESIGN_UPDATED', exampleData('ESIGN_UPDATED'))
  play.event('OFFER_DECISION_RECORDED', await accept(current))
  play.event('PAYMENT_CLAIM_SUBMITTED', { ...exampleData('PAYMENT_CLAIM_SUBMITTED'), payment_date: today() })
  play.file('KYC_REPORT', 'DOC-3')
  play.file('SIGNED_LOAN_AGREEMENT', 'DOC-4')
  await Promise.all([play.deliver(), reviewKyc(play, again)])
}

/** An officer reviews the KYC once all KYC events have arrived; later events wait for the review. */
async function reviewKyc({ loanCase, isSettled }: LoanHistory, last: string): Promise<void> {
  await until('KYC can be reviewed', () => isSettled(last))
  const review = {
    decision: 'APPROVED',
    reviewerReference: 'staff-7',
    reasonCode: 'LOOKED',
    reasonMessage: null,
  } as const
  await loanCase.act((tx, row, at) => decideKyc({ ...ctx, tx, at }, row, { ...review }))
}

const today = () => businessDate(clock())

/**
 * Sends six claims. One is valid; the others are repeated, contradictory, of another amount, unpaid, or above the loan.
 */
async function claims(play: LoanHistory): Promise<void> {
  const claim = (reference: string, amount: string, transaction: string): Claim => ({
    ...{ claim_reference: reference, service_type: 'PRE_PART_PAYMENT', amount, currency: 'INR' },
    ...{ payment_date: today(), method: 'UPI', transaction_reference: transaction, document_ids: [] },
  })
  const [real, other] = [await payIn('3000.00'), await payIn('700.00')]
  for (const { receipt_id } of [real, other])
    await until('the receipt is read', () => findReceipt(ctx.db, ctx.config.BANK_NAME, receipt_id))
  play.event('PAYMENT_CLAIM_SUBMITTED', claim('CLAIM-1', '3000.00', real.transaction_reference))
  play.event('PAYMENT_CLAIM_SUBMITTED', claim('CLAIM-2', '100.00', `NEVER${play.loanCase.loanId}`))
  play.event('PAYMENT_CLAIM_SUBMITTED', claim('CLAIM-1', '3000.00', real.transaction_reference))
  play.event('PAYMENT_CLAIM_SUBMITTED', claim('CLAIM-1', '3500.00', real.transaction_reference))
  play.event('PAYMENT_CLAIM_SUBMITTED', claim('CLAIM-3', '800.00', other.transaction_reference))
  play.event('MANDATE_UPDATED', {
    ...exampleData('MANDATE_UPDATED'),
    ...{ provider_reference_id: 'prov-ref-2', umrn: 'HDFC7021106230099999', provider_updated_at: now() },
  })
  play.event('PAYMENT_CLAIM_SUBMITTED', claim('CLAIM-4', '500000.00', 'WHOLE00000001'))
  play.event('PAYMENT_CLAIM_SUBMITTED', claim('CLAIM-5', '3000.00', real.transaction_reference))
  await play.deliver()
}

/** PAN digits for which the first debit is returned after its confirmation. */
const newPlay = (disorder: Disorder | null) => new LoanHistory(partner, disorder, '9316')

test('property, D3 §2.2, §6: reordered, repeated and delayed messages lead to the same state as ordered ones', async () => {
  const law = fc.asyncProperty(fc.array(fc.integer(), { minLength: 8, maxLength: 8 }), async (seeds) => {
    const [ordered, ...others] = await playAll([null, ...seeds.map(disorderOf)].map(newPlay))
    const failed = ordered!.settled.flatMap(({ outcome }, i) => (outcome === 'FAILED' ? [i + 1] : []))
    assert.deepEqual(failed, [2, 5, 7, 9, 14, 18], 'the history contains events that the partner rejects')
    assert.deepEqual([ordered!.status.payments.length, ordered!.status.loan_status], [9, 'ACTIVE'])
    for (const other of others) assert.deepEqual(other, ordered)
  })
  // One run plays eight disordered histories next to the ordered one.
  await fc.assert(law, { numRuns: 1, endOnFailure: true })
})

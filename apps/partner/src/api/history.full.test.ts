// Property: from the lead to a loan's third week, the arrival order of messages does not change the final state.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { startBank } from '@lendloom/tests/setup/bank'
import { type Disorder, disorderOf, normalized } from '@lendloom/tests/setup/disorder'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { LoanHistory } from '@lendloom/tests/setup/partner-history'
import { until } from '@lendloom/tests/setup/programs'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import fc from 'fast-check'
import { readCase } from '#partner/origination/case/store.ts'
import { decideKyc } from '#partner/origination/review/review-case.ts'
import { prepareDebit } from '#partner/servicing/collection/debit/prepare-debit.ts'
import { readPayments } from '#partner/servicing/collection/payment-store.ts'
import { findReceipt } from '#partner/servicing/collection/receipt/store.ts'
import { orderDisbursement } from '#partner/servicing/collection/transfer/order-disbursement.ts'
import { dayEnd } from '#partner/servicing/loan/day-end.ts'
import { reportDayEnd } from '#partner/work.ts'

/** The clock starts on a Monday morning in India. The bank reports every result after an hour. */
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

/** Plays all histories concurrently under one clock. Returns the final state of each loan. */
async function playAll(histories: LoanHistory[]) {
  const each = (act: (history: LoanHistory) => Promise<unknown>) => Promise.all(histories.map(act))
  const actAsStaff = (act: Parameters<LoanHistory['loanCase']['act']>[0]) => each(({ loanCase }) => loanCase.act(act))
  const waitForDebits = (...statuses: string[]) =>
    each(({ loanCase }) =>
      until(`${statuses}`, async () => {
        const debits = (await readPayments(ctx.db, loanCase.caseRef)).filter(({ method }) => method === 'ENACH')
        return `${debits.map(({ status }) => status)}` === `${statuses}`
      }),
    )
  const waitForStatus = (status: string) =>
    each(({ loanCase }) => until(status, async () => (await readCase(ctx.db, loanCase.caseRef))?.status === status))
  const advanceWeek = async () => {
    await advanceClock({ days: 7 })
    await dayEnd(ctx, plusDays(businessDate(clock()), -1), reportDayEnd(ctx))
  }
  const collectDebits = () => each(({ loanCase }) => prepareDebit(ctx, loanCase.caseRef, clock()))

  await each(sendLead)
  await waitForStatus('UNDER_REVIEW')
  await each(({ loanCase }) => loanCase.approve())
  await each(({ loanCase }) => loanCase.approve({ amountPaise: 9_000_000n }))
  await each(sendDecisionsAndChecks)
  await actAsStaff((tx, loanCase, at) => orderDisbursement({ ...ctx, tx, at }, loanCase))
  await until('the transfers are with the bank', async () => (await countTransfers()) >= histories.length)
  await advanceClock({ hours: 1 })
  await waitForStatus('DISBURSED')

  await advanceWeek()
  await collectDebits()
  await waitForDebits('SUBMITTED')
  await advanceClock({ hours: 1 })
  await waitForDebits('POSTED')
  await advanceClock({ hours: 3 })
  await waitForDebits('TAKEN_BACK', 'REVERSED')
  await advanceWeek()
  await each(sendClaims)
  await collectDebits()
  await waitForDebits('TAKEN_BACK', 'REVERSED', 'SUBMITTED')
  await advanceClock({ hours: 1 })
  await waitForDebits('TAKEN_BACK', 'REVERSED', 'POSTED')
  await advanceWeek()
  await each(({ loanCase }) => until('the last claim has failed', () => areClaimsDecided(loanCase.caseRef)))
  await collectDebits()
  await waitForDebits('TAKEN_BACK', 'REVERSED', 'POSTED', 'SUBMITTED')
  await advanceClock({ hours: 1 })
  await waitForDebits('TAKEN_BACK', 'REVERSED', 'POSTED', 'POSTED')
  await each((history) => history.contradict())
  for (const { channel } of histories) channel.checkReceipts()
  return Promise.all(histories.map(async (history) => normalized(await history.snapshot())))
}

const areClaimsDecided = async (caseRef: string): Promise<boolean> =>
  (await readPayments(ctx.db, caseRef)).every(({ status }) => status !== 'PENDING_VERIFICATION')
const countTransfers = async () => (await ctx.db`select 1 from disbursement where status = 'SENT'`).length

async function sendLead(history: LoanHistory): Promise<void> {
  const { loanCase } = history
  loanCase.lead.documents_expected = exampleData('LEAD_SUBMITTED').documents_expected
  await loanCase.dedupe()
  history.event('LEAD_SUBMITTED', loanCase.lead)
  await history.deliver()
  const { correlation } = await loanCase.waitForEvent('LEAD_REGISTERED')
  loanCase.leadId = correlation.celestium_lead_id
  loanCase.loanId = correlation.celestium_loan_id
  history.file('BUREAU_REPORT', 'DOC-1')
  history.file('BANK_ANALYSIS_REPORT', 'DOC-2')
  await history.deliver()
}

/** Sends all events of decisions and checks at once, including events that the partner must reject. */
async function sendDecisionsAndChecks(history: LoanHistory): Promise<void> {
  const stale = history.loanCase.waitForEvent('MANUAL_REVIEW_DECIDED', 1)
  const current = history.loanCase.waitForEvent('MANUAL_REVIEW_DECIDED', 2)
  const decision = { decision: 'ACCEPT', decided_at: now(), reason: null } as const
  const accept = async (offer: typeof stale) => ({ ...decision, offer_id: (await offer)!.data.offer!.offer_id })
  history.event('OFFER_DECISION_RECORDED', await accept(stale))
  history.event('OFFER_DECISION_RECORDED', await accept(current))
  const kyc = { ...exampleData('KYC_UPDATED'), document_ids: [] }
  const unverified = { verified: false, provider_event_id: null }
  history.event('KYC_UPDATED', { ...kyc, ...unverified, status: 'REQUESTED' })
  history.event('OFFER_DECISION_RECORDED', { ...(await accept(current)), decision: 'REJECT' })
  history.event('KYC_UPDATED', { ...kyc, ...unverified, status: 'REVIEW_READY' })
  history.event('MANDATE_UPDATED', { ...exampleData('MANDATE_UPDATED'), status: 'PENDING', verified: false })
  history.event('KYC_UPDATED', kyc)
  const lastKycEvent = history.event('KYC_UPDATED', { ...kyc, ...unverified, status: 'REQUESTED' })
  history.event('ESIGN_UPDATED', { ...exampleData('ESIGN_UPDATED'), status: 'REQUESTED', verified: false })
  history.event('MANDATE_UPDATED', exampleData('MANDATE_UPDATED'))
  history.event('ESIGN_UPDATED', exampleData('ESIGN_UPDATED'))
  history.event('OFFER_DECISION_RECORDED', await accept(current))
  history.event('PAYMENT_CLAIM_SUBMITTED', { ...exampleData('PAYMENT_CLAIM_SUBMITTED'), payment_date: today() })
  history.file('KYC_REPORT', 'DOC-3')
  history.file('SIGNED_LOAN_AGREEMENT', 'DOC-4')
  await Promise.all([history.deliver(), reviewKyc(history, lastKycEvent)])
}

/** Reviews the KYC as an officer after the last KYC event. Events that need the review wait for it. */
async function reviewKyc({ loanCase, isSettled }: LoanHistory, lastKycEvent: string): Promise<void> {
  await until('KYC can be reviewed', () => isSettled(lastKycEvent))
  const review = {
    decision: 'APPROVED',
    reviewerReference: 'staff-7',
    reasonCode: 'CHECKED',
    reasonMessage: null,
  } as const
  await loanCase.act((tx, row, at) => decideKyc({ ...ctx, tx, at }, row, { ...review }))
}

const today = () => businessDate(clock())

/** Sends a valid claim, its repetition, and claims that contradict it, reuse its payment or have no such payment. */
async function sendClaims(history: LoanHistory): Promise<void> {
  const claimOf = (reference: string, amount: string, transaction: string): Claim => ({
    claim_reference: reference,
    service_type: 'PRE_PART_PAYMENT',
    amount,
    currency: 'INR',
    payment_date: today(),
    method: 'UPI',
    transaction_reference: transaction,
    document_ids: [],
  })
  const claimed = await payIn('3000.00')
  const other = await payIn('700.00')
  for (const { receipt_id } of [claimed, other])
    await until('the receipt is read', () => findReceipt(ctx.db, ctx.config.BANK_NAME, receipt_id))
  history.event('PAYMENT_CLAIM_SUBMITTED', claimOf('CLAIM-1', '3000.00', claimed.transaction_reference))
  history.event('PAYMENT_CLAIM_SUBMITTED', claimOf('CLAIM-2', '100.00', `NEVER${history.loanCase.loanId}`))
  history.event('PAYMENT_CLAIM_SUBMITTED', claimOf('CLAIM-1', '3000.00', claimed.transaction_reference))
  history.event('PAYMENT_CLAIM_SUBMITTED', claimOf('CLAIM-1', '3500.00', claimed.transaction_reference))
  history.event('PAYMENT_CLAIM_SUBMITTED', claimOf('CLAIM-3', '800.00', other.transaction_reference))
  history.event('MANDATE_UPDATED', {
    ...exampleData('MANDATE_UPDATED'),
    provider_reference_id: 'prov-ref-2',
    umrn: 'HDFC7021106230099999',
    provider_updated_at: now(),
  })
  history.event('PAYMENT_CLAIM_SUBMITTED', claimOf('CLAIM-4', '500000.00', 'WHOLE00000001'))
  history.event('PAYMENT_CLAIM_SUBMITTED', claimOf('CLAIM-5', '3000.00', claimed.transaction_reference))
  await history.deliver()
}

/** Uses the account number digits for which the sandbox bank returns the first debit after confirming it. */
const newHistory = (disorder: Disorder | null) => new LoanHistory(partner, disorder, '9316')

test('property, D3 §2.2, §6: reordered, repeated and delayed messages lead to the same final state', async () => {
  const law = fc.asyncProperty(fc.array(fc.integer(), { minLength: 8, maxLength: 8 }), async (seeds) => {
    const [ordered, ...others] = await playAll([null, ...seeds.map(disorderOf)].map(newHistory))
    const failed = ordered!.settled.flatMap(({ outcome }, i) => (outcome === 'FAILED' ? [i + 1] : []))
    assert.deepEqual(failed, [2, 5, 7, 9, 14, 18], 'the history contains events that the partner rejects')
    assert.equal(ordered!.status.payments.length, 9)
    assert.equal(ordered!.status.loan_status, 'ACTIVE')
    for (const other of others) assert.deepEqual(other, ordered)
  })
  // The run plays eight disordered histories and the ordered history.
  await fc.assert(law, { numRuns: roundsOf(1), endOnFailure: true })
})

// The law of a whole history: one loan from the lead to its third week ends the same however its messages arrive.
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
import { announcing } from '#partner/work.ts'
import { startBank } from '#test/setup/bank.ts'
import { type Disorder, disorderOf, normalized } from '#test/setup/disorder.ts'
import { startTestPartner } from '#test/setup/partner.ts'
import { LoanHistory } from '#test/setup/partner-history.ts'
import { until } from '#test/setup/programs.ts'

/** A Monday morning in India; the bank takes an hour for everything. */
const began = Date.now()
let ahead = 0
const clock = () => new Date(Date.parse('2026-11-23T04:30:00.000Z') + Date.now() - began + ahead)
async function pass({ days = 0, hours = 0 }): Promise<void> {
  ahead += (days * 24 + hours) * 3_600_000
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

/** Lives through the history with every play at once, under one clock; gives what is seen of each in the end. */
async function live(plays: LoanHistory[]) {
  const each = (act: (play: LoanHistory) => Promise<unknown>) => Promise.all(plays.map(act))
  const staff = (act: Parameters<LoanHistory['loanCase']['act']>[0]) => each(({ loanCase }) => loanCase.act(act))
  const paid = (...statuses: string[]) =>
    each(({ loanCase }) =>
      until(`${statuses}`, async () => {
        const debits = (await readPayments(ctx.db, loanCase.caseRef)).filter(({ method }) => method === 'ENACH')
        return `${debits.map(({ status }) => status)}` === `${statuses}`
      }),
    )
  const stand = (status: string) =>
    each(({ loanCase }) => until(status, async () => (await readCase(ctx.db, loanCase.caseRef))?.status === status))
  const week = async () => {
    await pass({ days: 7 })
    await dayEnd(ctx, plusDays(businessDate(clock()), -1), announcing(ctx))
  }
  const debits = () => each(({ loanCase }) => collect(ctx, loanCase.caseRef, clock()))

  await each(lead)
  await stand('UNDER_REVIEW')
  await each(({ loanCase }) => loanCase.approve())
  await each(({ loanCase }) => loanCase.approve({ amountPaise: 9_000_000n }))
  await each(decisionsAndChecks)
  await staff((tx, loanCase, at) => orderDisbursement({ ...ctx, tx, at }, loanCase))
  await until('the transfers are with the bank', async () => (await transfers()) >= plays.length)
  await pass({ hours: 1 })
  await stand('DISBURSED')

  await week()
  await debits()
  await paid('SUBMITTED')
  await pass({ hours: 1 })
  await paid('POSTED')
  await pass({ hours: 3 })
  await paid('TAKEN_BACK', 'REVERSED')
  await week()
  await each(claims)
  await debits()
  await paid('TAKEN_BACK', 'REVERSED', 'SUBMITTED')
  await pass({ hours: 1 })
  await paid('TAKEN_BACK', 'REVERSED', 'POSTED')
  await week()
  await each(({ loanCase }) => until('the last claim has failed', () => areClaimsOver(loanCase.caseRef)))
  await debits()
  await paid('TAKEN_BACK', 'REVERSED', 'POSTED', 'SUBMITTED')
  await pass({ hours: 1 })
  await paid('TAKEN_BACK', 'REVERSED', 'POSTED', 'POSTED')
  await each((play) => play.contradict())
  for (const { channel: way } of plays) way.checkReceipts()
  return Promise.all(plays.map(async (play) => normalized(await play.snapshot())))
}

const areClaimsOver = async (caseRef: string): Promise<boolean> =>
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

/** Everything that may be on the way at once when the borrower hurries: also what the partner has to refuse. */
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

/** A person reviews once everything about KYC has come; what follows is held until then. */
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

/** One of six claims is real: the others are repeated, contradicted, of another amount, never paid, or more than the loan. */
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

/** The first debit is returned after it was confirmed. */
const newPlay = (disorder: Disorder | null) => new LoanHistory(partner, disorder, '9316')

test('property, D3 §2.2, §6: whatever order, repetition and delay a loan’s messages meet, it ends as the one in order', async () => {
  const law = fc.asyncProperty(fc.array(fc.integer(), { minLength: 8, maxLength: 8 }), async (seeds) => {
    const [ordered, ...others] = await live([null, ...seeds.map(disorderOf)].map(newPlay))
    const failed = ordered!.settled.flatMap(({ outcome }, i) => (outcome === 'FAILED' ? [i + 1] : []))
    assert.deepEqual(failed, [2, 5, 7, 9, 14, 18], 'the history has what the partner refuses')
    assert.deepEqual([ordered!.status.payments.length, ordered!.status.loan_status], [9, 'ACTIVE'])
    for (const other of others) assert.deepEqual(other, ordered)
  })
  // One run is eight lives at once beside the one in order.
  await fc.assert(law, { numRuns: 1, endOnFailure: true })
})

// Tests the property that the order in which the partner's events and snapshots arrive does not change the final state.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sentEvents } from '@lendloom/event-log/outbox'
import { type Disorder, DisorderedChannel, disorderOf, normalized } from '@lendloom/tests/setup/disorder'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { seededRandom } from '@lendloom/tests/setup/patience'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { approvedVideoKyc, caseAt } from '@lendloom/tests/setup/platform-case'
import { until } from '@lendloom/tests/setup/programs'
import type { CaseIds, DataOf, Envelope, EventType } from '@lendloom/wire/exchange/envelope'
import { exampleStatus } from '@lendloom/wire/exchange/example/answer'
import { exampleAt, exampleData, exampleOffer } from '@lendloom/wire/exchange/example/event'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import fc from 'fast-check'
import { askStatus } from '#platform/lenders/partner/status-snapshot.ts'
import { storeCheck } from '#platform/lenders/partner/store.ts'
import { advance } from '#platform/lending/journey/advance.ts'
import { findEvents, lockJourney } from '#platform/lending/journey/store.ts'
import { acceptOffer } from '#platform/lending/offer/decide-on-offer.ts'
import { quoteOf } from '#platform/lending/offer/offer.ts'
import { requestServicing } from '#platform/lending/servicing/request-servicing.ts'
import { listServicing } from '#platform/lending/servicing/store.ts'
import { listSteps } from '#platform/lending/step/store.ts'
import { partnerEventWorker } from './apply-event.ts'
import { statusWorker } from './refresh-status.ts'

const lender = await startLenderExchange()
const platform = await testPlatform({ ...lender.env, PARTNER_STATUS_SECONDS: '1' })
const { ctx } = platform
const workers = [partnerEventWorker(ctx), statusWorker(ctx)]
after(() => Promise.all(workers.map((worker) => worker.stop())))

const histories = new Map<string, History>()
lender.answer = ({ query, headers }) => {
  const caseRef = query.get('external_reference_id')!
  return { status: 200, body: histories.get(caseRef)!.snapshot(String(headers['x-request-id'])) }
}

const exampleTime = new Date(Date.now() - 3_600_000).toISOString()
const minutesLater = (minutes: number) => new Date(Date.parse(exampleTime) + minutes * 60_000).toISOString()
const nothingOutstanding = { principal_outstanding: '0.00', interest_outstanding: '0.00', total_outstanding: '0.00' }

class History {
  readonly testCase: Awaited<ReturnType<typeof caseAt>>
  readonly ids: CaseIds
  readonly channel: DisorderedChannel
  private readonly random: () => number
  private readonly isOrdered: boolean
  private readonly events: Envelope[] = []
  private version = 0
  /** The partner's snapshots of the case so far, the newest last. */
  private readonly snapshots: Partial<SnapshotStatus>[] = []
  /** While true, a status request returns a random snapshot, as if the request had been made earlier. */
  private mayReturnOldSnapshot = false

  constructor(testCase: History['testCase'], seed: number | null) {
    const disorder: Disorder | null = seed === null ? null : disorderOf(seed)
    this.testCase = testCase
    this.ids = { ...testCase.ids, leadId: `60${Date.now()}`, loanId: `70${Date.now()}${histories.size}` }
    this.channel = new DisorderedChannel(disorder)
    this.isOrdered = seed === null
    this.random = seededRandom(seed ?? 0)
    histories.set(testCase.ids.caseRef, this)
  }

  event<T extends EventType>(type: T, data: DataOf<T>, version = ++this.version): void {
    const event = lender.event(type, this.ids, version, data)
    this.events.push(event)
    this.channel.add(`${event.entity_id} ${version}`, () => lender.post(platform.url, event))
  }

  payment(payment_id: string, version: number, change: Partial<DataOf<'PAYMENT_UPDATED'>>): void {
    this.event('PAYMENT_UPDATED', payment(payment_id, change), version)
  }

  snapshot(request_id: string): SnapshotStatus {
    const { snapshots, mayReturnOldSnapshot } = this
    const index = mayReturnOldSnapshot ? Math.floor(this.random() * snapshots.length) : snapshots.length - 1
    const ids = { celestium_lead_id: this.ids.leadId, celestium_loan_id: this.ids.loanId }
    const example = exampleStatus({ ...ids, snapshot_version: index + 1, ...snapshots[index] })
    const status = JSON.parse(JSON.stringify(example).replaceAll(exampleAt, exampleTime)) as SnapshotStatus
    const now = new Date().toISOString()
    return { ...status, request_id, external_reference_id: this.ids.caseRef, snapshot_at: now }
  }

  /** Requests a snapshot, which may be old, delivers the stage's events, and requests the newest snapshot. */
  async runStage(...added: Partial<SnapshotStatus>[]): Promise<void> {
    const { channel, testCase, snapshots } = this
    snapshots.push(...added)
    if (!this.isOrdered) {
      this.mayReturnOldSnapshot = true
      await this.askStatus()
      // The status request runs at a random time before or during the delivery.
      await sleep(this.random() * 150)
      this.mayReturnOldSnapshot = false
    }
    await channel.deliverStage()
    await until('every event is settled', async () => (await this.outcomes()).length === this.events.length).catch(
      async (error) => {
        throw new Error(`${error.message}: ${JSON.stringify(await this.waitingEvents())}`)
      },
    )
    await this.askStatus()
    await until('the newest snapshot', async () => (await testCase.loanCase()).snapshotVersion === snapshots.length)
  }

  private askStatus = async () => {
    const loanCase = await this.testCase.loanCase()
    await ctx.db.tx((tx) => askStatus(tx, loanCase, randomUUID(), ctx.clock()))
  }

  private outcomes = () => ctx.db<{ eventId: string; outcome: string; reason: string | null }>`
    select event_id, outcome, reason from inbox_outcome where case_ref = ${this.ids.caseRef}`

  private waitingEvents = () => ctx.db`
    select entity_id, entity_version::text, stuck_because from inbox_waiting where case_ref = ${this.ids.caseRef}`

  /** Returns all state of the journey that the borrower, the integrator and the partner can see. */
  async visibleState() {
    const { testCase, events } = this
    const [journey, offer, loanCase] = await Promise.all([testCase.journey(), testCase.offer(), testCase.loanCase()])
    const settled = new Map((await this.outcomes()).map((row) => [row.eventId, row]))
    const sent = await sentEvents(ctx.db, ctx.seal, { tenantId: testCase.tenantId, partitionKey: this.ids.caseRef })
    const { status, active, decision: loanDecision, search, endReason, changeInOffer, closedAt } = journey
    const { terms, finalTerms, accepted, installments } = offer
    const { stage, offerId, decision, snapshotVersion, leadId, loanId } = loanCase
    return {
      loanCase: { stage, offerId, decision, snapshotVersion, leadId, loanId },
      journey: { status, active, loanDecision, search, endReason, changeInOffer, closedAt },
      offer: { terms: { ...terms, quoteTtl: null }, finalTerms, accepted, installments },
      steps: (await listSteps(ctx.db, testCase)).map(({ name, status, diagnostics }) => ({
        name,
        status,
        diagnostics,
      })),
      servicing: (await listServicing(ctx.db, testCase)).map(({ updatedAt, requestedAt, ...rest }) => rest),
      lifecycle: (await findEvents(ctx.db, testCase.tenantId, testCase.journeyId, 0)).map((each) => each.status),
      settled: events.map(({ event_id, entity_id, entity_version, event_type }) => {
        const { outcome, reason } = settled.get(event_id)!
        return { event_id, entity_id, entity_version, event_type, outcome, reason }
      }),
      sent: sent.sort((a, b) => a.entityVersion - b.entityVersion).map(({ raw }) => JSON.parse(raw.toString('utf8'))),
    }
  }
}

const payment = (payment_id: string, change: Partial<DataOf<'PAYMENT_UPDATED'>>): DataOf<'PAYMENT_UPDATED'> => ({
  ...exampleData('PAYMENT_UPDATED'),
  payment_id,
  collection_id: null,
  updated_at: exampleTime,
  ...change,
})

/** Registers the case and sends three offers: F-1, then F-1 with changed terms, which is refused, then F-2. */
async function runOffers(history: History): Promise<void> {
  const reviewWithOffer = (change: object): DataOf<'MANUAL_REVIEW_DECIDED'> => ({
    ...exampleData('MANUAL_REVIEW_DECIDED'),
    offer: { ...exampleOffer(), valid_until: new Date(Date.now() + 3_600_000).toISOString(), ...change },
  })
  history.event('LEAD_REGISTERED', exampleData('LEAD_REGISTERED'))
  history.event('MANUAL_REVIEW_DECIDED', reviewWithOffer({ offer_id: 'F-1' }))
  history.event('MANUAL_REVIEW_DECIDED', reviewWithOffer({ offer_id: 'F-1', processing_fee_amount: '1.00' }))
  history.event('MANUAL_REVIEW_DECIDED', reviewWithOffer({ offer_id: 'F-2' }))
  const pending = { offer_id: 'F-2', decision: 'PENDING', source_event_id: null, recorded_at: null } as const
  await history.runStage({ ...underReview, offer: null }, { ...underReview, case_status: 'OFFERED', offer: pending })
}

const underReview = {
  case_status: 'UNDER_REVIEW',
  loan_status: 'NOT_CREATED',
  loan_account_id: null,
  checks: { kyc: 'NOT_STARTED', lender_kyc_review: 'NOT_STARTED', mandate: 'NOT_STARTED', esign: 'NOT_STARTED' },
  disbursement: null,
  soa: null,
  amortization_schedule: null,
  payments: [],
} satisfies Partial<SnapshotStatus>

/**
 * Accepts offer F-2. The partner confirms an unknown decision once, and the borrower's acceptance twice. Then stores an
 * approved video KYC.
 */
async function runAcceptance(history: History): Promise<SnapshotStatus['offer']> {
  const { testCase } = history
  const { tenantId } = testCase
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, testCase.journeyId))!
    const offer = await testCase.offer()
    const { offerId } = offer
    const quote = quoteOf(offer)!
    const consents = [{ purpose: 'key_facts', textVersion: currentConsentVersion, language: 'en' } as const]
    const origin = { channel: 'sandbox', ip: null } as const
    return acceptOffer({ ...ctx, tx, at: ctx.clock() }, journey, { offerId, quote, consents, origin })
  })
  const { decisionEventId } = await testCase.loanCase()
  const data = {
    source_event_id: decisionEventId!,
    offer_id: 'F-2',
    decision: 'ACCEPT',
    recorded_at: exampleTime,
  } as const
  history.event('OFFER_DECISION_CONFIRMED', { ...data, source_event_id: randomUUID() })
  history.event('OFFER_DECISION_CONFIRMED', data)
  history.event('OFFER_DECISION_CONFIRMED', data)
  await history.runStage({ ...underReview, case_status: 'KYC_PENDING', offer: data })
  const at = ctx.clock()
  const check = approvedVideoKyc(ctx, { tenantId, caseRef: history.ids.caseRef })
  await ctx.db.tx(async (tx) => {
    await storeCheck(tx, check)
    await advance({ ...ctx, tx, at }, (await lockJourney(tx, tenantId, testCase.journeyId))!, 'redirected')
  })
  return data
}

/** The lender rejects and then approves KYC, disburses at the second attempt, and debits two instalments. */
async function runDisbursal(history: History, offer: SnapshotStatus['offer']): Promise<void> {
  const review = exampleData('KYC_REVIEW_DECIDED')
  const transfer = (status: 'PENDING' | 'FAILED' | 'DISBURSED', minutes: number): DataOf<'DISBURSEMENT_UPDATED'> => ({
    ...exampleData('DISBURSEMENT_UPDATED'),
    status,
    disbursement_id: minutes < 3 ? 'DISB-1' : 'DISB-2',
    updated_at: minutesLater(minutes),
    bank_reference: status === 'DISBURSED' ? 'HDFCN52026112000001' : null,
    reason_code: status === 'FAILED' ? 'ACCOUNT_CLOSED' : null,
  })
  history.event('KYC_REVIEW_DECIDED', { ...review, decision: 'REJECTED' })
  history.event('KYC_REVIEW_DECIDED', review)
  history.event('DISBURSEMENT_UPDATED', transfer('PENDING', 1))
  history.event('DISBURSEMENT_UPDATED', transfer('FAILED', 2))
  history.event('DISBURSEMENT_UPDATED', transfer('PENDING', 3))
  history.event('DISBURSEMENT_UPDATED', transfer('DISBURSED', 4))
  const loan = {
    loan_status: 'ACTIVE',
    snapshot_version: 5,
    updated_at: exampleTime,
    reason_code: 'DISBURSED',
  } as const
  history.event('LOAN_STATUS_UPDATED', loan)
  history.payment('PAY-1', 1, { status: 'SUBMITTED', bank_reference: null, value_date: null })
  history.payment('PAY-1', 2, {})
  history.payment('PAY-2', 1, { status: 'SUBMITTED', bank_reference: null, value_date: null })
  history.payment('PAY-2', 2, { status: 'FAILED', bank_reference: null, value_date: null, reason_code: '04' })
  const disbursedLoan = { offer, disbursement: transfer('DISBURSED', 4) }
  await history.runStage({ ...disbursedLoan, payments: [] }, { ...disbursedLoan, payments: [payment('PAY-1', {})] })
}

/** The partner finds a claimed payment at the second attempt. The loan closes, and a reversal reopens the loan. */
async function runClaim(history: History, offer: SnapshotStatus['offer']): Promise<void> {
  const { testCase } = history
  const { operationId } = await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, testCase.tenantId, testCase.journeyId))!
    return requestServicing({ ...ctx, tx, at: ctx.clock() }, journey, 'PRE_PART_PAYMENT', { amount: 500_000n })
  })
  const claimed = { claim_reference: operationId, amount: '5000.00', method: 'UPI' } as const
  const unposted = { bank_reference: null, value_date: null }
  history.payment('PAY-3', 1, { ...claimed, ...unposted, status: 'PENDING_VERIFICATION' })
  history.payment('PAY-3', 2, { ...claimed, ...unposted, status: 'FAILED', reason_code: 'RECEIPT_NOT_FOUND' })
  history.payment('PAY-3', 3, claimed)
  const reversal = { status: 'REVERSED', reversal_of_payment_id: 'PAY-1', reason_code: '04' } as const
  history.payment('PAY-4', 1, reversal)
  const loanStatus = (loan_status: 'CLOSED' | 'ACTIVE', snapshot_version: number) =>
    ({ loan_status, snapshot_version, updated_at: exampleTime, reason_code: 'RECEIPT_POSTED' }) as const
  history.event('LOAN_STATUS_UPDATED', loanStatus('CLOSED', 6))
  history.event('LOAN_STATUS_UPDATED', loanStatus('ACTIVE', 7))
  const disbursedLoan = { offer, disbursement: { ...exampleData('DISBURSEMENT_UPDATED'), updated_at: minutesLater(4) } }
  const payments = [payment('PAY-1', {}), payment('PAY-3', claimed)]
  await history.runStage(
    { ...disbursedLoan, payments, loan_status: 'CLOSED', soa: { ...exampleStatus().soa!, ...nothingOutstanding } },
    { ...disbursedLoan, payments: [...payments, payment('PAY-4', reversal)] },
  )
}

async function runHistory(history: History) {
  await runOffers(history)
  const offer = await runAcceptance(history)
  await runDisbursal(history, offer)
  await runClaim(history, offer)
  history.channel.checkReceipts()
  return normalized(await history.visibleState())
}

test('property, D3 §2.2, §4.4, §6: reordered, repeated and delayed events and snapshots lead to the same final state', async () => {
  const law = fc.asyncProperty(fc.array(fc.integer(), { minLength: 10, maxLength: 10 }), async (seeds) => {
    const all = await Promise.all(
      [null, ...seeds].map(async (seed) => new History(await caseAt(platform, 'SUBMITTED'), seed)),
    )
    const [ordered, ...others] = await Promise.all(all.map(runHistory))
    const failed = ordered!.settled.flatMap(({ outcome }, i) => (outcome === 'FAILED' ? [i + 1] : []))
    assert.deepEqual(
      failed,
      [3, 5],
      'the platform refuses only the changed terms of F-1 and the confirmation of an unknown decision',
    )
    assert.equal(ordered!.loanCase.stage, 'DISBURSED')
    assert.equal(ordered!.journey.status, 'DISBURSED')
    for (const other of others) assert.deepEqual(other, ordered)
  })
  await fc.assert(law, { numRuns: roundsOf(2), endOnFailure: true })
})

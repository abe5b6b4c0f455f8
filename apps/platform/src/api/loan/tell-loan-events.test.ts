// Events of a loan on a real database: the first look, changes, order, subscriptions, replays, returns and the day.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { faults } from '@lendloom/foundation/schema'
import { businessDate } from '@lendloom/lending/calendar'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { LoanEvent } from '@lendloom/wire/hosted/loan-event'
import { loanEventTypes } from '@lendloom/wire/hosted/loan-event-types'
import { bodyContext, type UpdateStatus } from '#platform/integrators/webhook/delivery.ts'
import { lookAtLoan } from '#platform/integrators/webhook/loan-watch.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { setSelected } from '#platform/lending/offer/store.ts'
import { readLoanState } from './loan-state.ts'
import { loanBeginWorker, loanDayWorker, loanLookWorker, loanPageWorker, tellLoanEvents } from './tell-loan-events.ts'

const platform = await testPlatform()
const { ctx, tenant, url } = platform
const { db } = ctx
const { tenantId, applicationId } = tenant
const endpoints = `${url}/api/lab/webhook-endpoints`

const register = async (loanEvents: readonly string[] | null) =>
  (await ask(endpoints, { method: 'POST', key: tenant.apiKey, body: { url: 'http://127.0.0.1:9/x', loanEvents } })).body

const day = (offset: number) => new Date(ctx.clock().getTime() + offset * 86_400_000).toISOString()

async function loan(): Promise<{ journeyId: string; report(...statuses: string[]): Promise<void> }> {
  const { journeyId, offerIds } = await journeyWithOffers(platform, [terms])
  await db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const selection = { offerId: offerIds[0]!, lockSource: 'hosted' as const, branchId: null, pledges: [] }
    await setSelected(tx, journey, selection, ctx.clock())
  })
  await db`update journey set status = 'DISBURSED' where journey_id = ${journeyId}`
  /** The lender reports these states of instalments. */
  const report = async (...statuses: string[]) => {
    const installments = statuses.map((status, i) => ({
      serialNumber: i + 1,
      amount: '958000',
      dueAt: day(30 * (i + 1)),
      status,
    }))
    await db`update offer set installments = ${JSON.stringify(installments)}::jsonb where journey_id = ${journeyId}`
  }
  await report('NOT-PAID', 'NOT-PAID')
  return { journeyId, report }
}

interface StoredDelivery {
  destinationId: string
  sequence: number
  status: UpdateStatus
  bodySealed: Buffer
}
async function told(journeyId: string, endpointId: string) {
  const rows = await db<StoredDelivery>`
    select destination_id, sequence, status, body_sealed from webhook_delivery
    where journey_id = ${journeyId} and destination_id = ${endpointId} and sequence > 1000 order by sequence`
  return rows.map(({ sequence, status, bodySealed }) => {
    const body = JSON.parse(ctx.seal.open(bodySealed, bodyContext({ tenantId, journeyId, sequence })).toString('utf8'))
    assert.deepEqual(faults(LoanEvent, body), [])
    assert.equal(body.type, status)
    assert.equal(body.sequence, sequence - 1000)
    return body
  })
}
const typesOf = (events: { type: string; instalments: number[] }[]) =>
  events.map(({ type, instalments }) => [type, ...instalments].join(' '))

let all: { id: string }

before(async () => {
  all = await register(loanEventTypes)
})

test('D1 §6: the first look tells nothing, and each later one what has changed, in order and with the loan after it', async () => {
  const { journeyId, report } = await loan()
  await tellLoanEvents(ctx, { tenantId, journeyId })
  assert.deepEqual(await told(journeyId, all.id), [])
  await report('PAID', 'NOT-PAID')
  await tellLoanEvents(ctx, { tenantId, journeyId })
  await tellLoanEvents(ctx, { tenantId, journeyId })
  await report('PAID', 'PAID')
  await tellLoanEvents(ctx, { tenantId, journeyId })
  await report('PAID', 'NOT-PAID')
  await tellLoanEvents(ctx, { tenantId, journeyId })
  const events = await told(journeyId, all.id)
  assert.deepEqual(typesOf(events), ['loan.paid 1', 'loan.paid 2', 'loan.payment_returned 2'])
  assert.equal(events[0].loan.unpaidInstalments, '9580.00')
  assert.equal(events[0].loan.outstanding, null, 'what the lender does not tell is not told')
  assert.equal(/Asha|Kulkarni|ABCPE|@|98\d{8}/.test(JSON.stringify(events)), false)
})

test('FIS12 §18.5: a day that passes makes no instalment of the network overdue, only its lender does', async () => {
  const { journeyId } = await loan()
  const stateWith = async (status: string) => {
    const installments = [
      { serialNumber: 1, amount: '958000', dueAt: day(-3), status },
      { serialNumber: 2, amount: '958000', dueAt: day(27), status: 'NOT-PAID' },
    ]
    await db`update offer set installments = ${JSON.stringify(installments)}::jsonb where journey_id = ${journeyId}`
    const journey = await db.tx((tx) => lockJourney(tx, tenantId, journeyId))
    return readLoanState(ctx, journey!, ctx.clock())
  }
  const dayOf = (offset: number) => businessDate(new Date(day(offset)))
  const unreported = await stateWith('NOT-PAID')
  assert.equal(unreported.state, 'RUNNING')
  assert.equal(unreported.overdue, null)
  assert.equal(unreported.instalments[0]!.status, 'DUE')
  assert.deepEqual(unreported.nextDue, { dueOn: dayOf(-3), amount: '9580.00' })
  const delayed = await stateWith('DELAYED')
  assert.equal(delayed.state, 'OVERDUE')
  assert.deepEqual(delayed.overdue, { amount: '9580.00', instalments: 1, since: dayOf(-3) })
  assert.equal(delayed.nextDue!.dueOn, dayOf(27))
  assert.equal((await stateWith('FAILED')).state, 'OVERDUE', 'as the page shows it')
  const arrived = await stateWith('DEFERRED')
  assert.equal(arrived.state, 'RUNNING')
  assert.equal(arrived.instalments[0]!.status, 'CLOSED')
  assert.equal(arrived.nextDue!.dueOn, dayOf(27))
})

test('D1 §6: looks at the same time tell a change once', async () => {
  const { journeyId, report } = await loan()
  await tellLoanEvents(ctx, { tenantId, journeyId })
  await report('PAID', 'NOT-PAID')
  await Promise.all([1, 2, 3, 4].map(() => tellLoanEvents(ctx, { tenantId, journeyId })))
  assert.deepEqual(typesOf(await told(journeyId, all.id)), ['loan.paid 1'])
})

test('D1 §6: an endpoint receives the events that it chose, and one that chose none only lifecycle updates', async () => {
  const some = await register(['loan.closed', 'loan.payment_returned'])
  const none = await register(null)
  const { journeyId, report } = await loan()
  await tellLoanEvents(ctx, { tenantId, journeyId })
  for (const statuses of [
    ['PAID', 'NOT-PAID'],
    ['NOT-PAID', 'NOT-PAID'],
  ]) {
    await report(...statuses)
    await tellLoanEvents(ctx, { tenantId, journeyId })
  }
  assert.deepEqual(typesOf(await told(journeyId, some.id)), ['loan.payment_returned 1'])
  assert.deepEqual(await told(journeyId, none.id), [])
  const refused = await ask(endpoints, {
    method: 'POST',
    key: tenant.apiKey,
    body: { url: 'http://127.0.0.1:9/x', loanEvents: ['loan.unknown'] },
  })
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.details.field, /^loanEvents/)
  const list = async (path: string) => (await ask(`${url}/api/lab/${path}`, { key: tenant.apiKey })).body.data.items
  const [returned, ...others] = await list(`loan-event-deliveries?type=loan.payment_returned&journeyID=${journeyId}`)
  assert.equal(returned.sequence, 2)
  assert.equal(others.length, 1, 'one for each endpoint that chose it')
  const replay = (path: string) =>
    ask(`${url}/api/lab/${path}/${returned.id}/replay`, { method: 'POST', key: tenant.apiKey })
  assert.equal((await replay('loan-event-deliveries')).body.type, 'loan.payment_returned')
  assert.equal((await replay('webhook-deliveries')).status, 404, 'it is no lifecycle update')
  const updates = await list(`webhook-deliveries?journeyID=${journeyId}&endpointID=${some.id}`)
  assert.deepEqual(
    updates.map(({ status }: { status: string }) => status),
    ['OFFERED', 'PROFILED', 'STARTED'],
  )
})

test('D1 §6: a report schedules a look, also for loans that ran when the endpoint was registered, and each day looks again', async () => {
  const { journeyId, report } = await loan()
  const workers = [loanBeginWorker(ctx), loanLookWorker(ctx), loanDayWorker(ctx), loanPageWorker(ctx)]
  const watched = () => db`select from watched_loan where journey_id = ${journeyId}`
  await register(['loan.paid'])
  await until('the first look', async () => (await watched()).length === 1)
  await report('PAID', 'NOT-PAID')
  await db.tx((tx) => lookAtLoan(tx, { tenantId, applicationId, journeyId }, ctx.clock()))
  await until('the event', async () => (await told(journeyId, all.id)).length === 1)
  await report('PAID', 'PAID')
  await db`update job set due_at = now() where kind = 'loan-look-day'`
  await until('the event of the day', async () => {
    await db`update job set due_at = now() where kind = 'loan-look-day'`
    return (await told(journeyId, all.id)).length === 2
  })
  await Promise.all(workers.map((worker) => worker.stop()))
})

test('D1 §6: without an endpoint for them, a report schedules no look', async () => {
  await db`update webhook_endpoint set loan_events = null`
  const { journeyId } = await loan()
  await db`delete from job where kind = 'loan-look'`
  await db.tx((tx) => lookAtLoan(tx, { tenantId, applicationId, journeyId }, ctx.clock()))
  assert.deepEqual(await db`select from job where kind = 'loan-look'`, [])
})

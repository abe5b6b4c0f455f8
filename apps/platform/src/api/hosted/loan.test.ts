// The state of a loan for integrators: of a lending partner, of a lender of the network, of a credit line, and of others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate } from '@lendloom/lending/calendar'
import { startHeadlessJourney } from '@lendloom/tests/setup/headless'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { exampleStatus } from '@lendloom/wire/exchange/example/answer'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import type { LoanState } from '@lendloom/wire/hosted/loan-state'
import { storeStatus } from '#platform/lenders/partner/status-snapshot.ts'
import { findMainCase } from '#platform/lenders/partner/store.ts'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { storeLine } from '#platform/lending/offer/pledge.ts'
import { findOffer, setSecurity, setSelected } from '#platform/lending/offer/store.ts'
import { recordDisbursal } from '#platform/lending/step/lender-decision.ts'

const platform = await testPlatform()
const { ctx, tenant, secondTenant, url } = platform

const get = (journeyId: string, { apiKey: key } = tenant) => ask(`${url}/api/lab/journeys/${journeyId}/loan`, { key })

async function loanOf(journeyId: string): Promise<LoanState> {
  const { status, body } = await get(journeyId)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

async function partnerLoan(status: SnapshotStatus): Promise<string> {
  const { tenantId, journeyId } = await caseAt(platform, 'ACCEPTED')
  await ctx.db.tx(async (tx) => {
    const write = { ...ctx, tx, at: ctx.clock() }
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    await storeStatus(write, (await findMainCase(tx, journey))!, status)
    await recordDisbursal(write, journey)
  })
  return journeyId
}

test('D3 §4.4: the loan of a partner has the amounts of its newest report, zero included, and no personal data', async () => {
  const status = exampleStatus()
  const journeyId = await partnerLoan(status)
  const loan = await loanOf(journeyId)
  const { soa } = status
  assert.equal(loan.journeyID, journeyId)
  assert.equal(loan.number, status.celestium_loan_id)
  assert.equal(loan.reportedAt, status.snapshot_at)
  assert.deepEqual(loan.outstanding, {
    total: soa!.total_outstanding,
    principal: soa!.principal_outstanding,
    interest: soa!.interest_outstanding,
    charges: soa!.charges_outstanding,
    penalCharges: soa!.penalty_outstanding,
  })
  assert.equal(loan.unpaidInstalments, null, 'the account tells what is owed')
  assert.equal(loan.creditLine, null)
  assert.match(loan.lender, /Celestium/)
  assert.equal(/Asha|Kulkarni|@|\b9\d{9}\b/.test(JSON.stringify(loan)), false)
})

test('FIS12 §7: of a lender of the network what it does not tell is null, and its plan is what is left', async () => {
  const { journeyId, offerIds } = await journeyWithOffers(platform, [terms])
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenant.tenantId, journeyId))!
    const selection = { offerId: offerIds[0]!, lockSource: 'hosted' as const, branchId: null, pledges: [] }
    await setSelected(tx, journey, selection, ctx.clock())
  })
  assert.equal((await get(journeyId)).status, 409, 'nothing was paid out yet')
  const dueAt = new Date(ctx.clock().getTime() - 3 * 86_400_000)
  const later = new Date(ctx.clock().getTime() + 27 * 86_400_000)
  const plan = [
    { serialNumber: 1, amount: '958000', dueAt: dueAt.toISOString(), status: 'DELAYED' },
    { serialNumber: 2, amount: '958000', dueAt: later.toISOString(), status: 'NOT-PAID' },
  ]
  await ctx.db`update offer set installments = ${JSON.stringify(plan)}::jsonb where offer_id = ${offerIds[0]!}`
  await ctx.db`update journey set status = 'DISBURSED' where journey_id = ${journeyId}`
  const loan = await loanOf(journeyId)
  assert.equal(loan.state, 'OVERDUE')
  assert.equal(loan.outstanding, null)
  assert.equal(loan.reportedAt, null)
  assert.equal(loan.unpaidInstalments, '19160.00')
  assert.deepEqual(loan.overdue, { amount: '9580.00', instalments: 1, since: businessDate(dueAt) })
  assert.deepEqual(loan.nextDue, { dueOn: businessDate(later), amount: '9580.00' })
  assert.deepEqual(
    loan.instalments.map(({ serialNumber, status }) => `${serialNumber} ${status}`),
    ['1 OVERDUE', '2 NOT-DUE'],
  )
})

test('FIS12 §17.5: a credit line is open before anything is drawn, and closed at its end', async () => {
  const { journeyId, offerIds } = await journeyWithOffers(platform, [terms])
  const at = ctx.clock()
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenant.tenantId, journeyId))!
    const offer = (await findOffer(tx, journey, offerIds[0]!))!
    await tx`update journey set type = 'LAMF_LOAN', status = 'LENDER_REDIRECTED' where journey_id = ${journeyId}`
    await setSecurity(tx, offer, { schemes: [], ownPage: false, creditLine: true }, at)
    await setSelected(tx, journey, { offerId: offer.offerId, lockSource: 'hosted', branchId: null, pledges: [] }, at)
    await storeLine(tx, journey, { limit: 500_000_00n, utilization: 0n }, at)
  })
  const open = await loanOf(journeyId)
  assert.equal(open.state, 'OPEN')
  assert.equal(open.paidOutAt, null)
  const line = { limit: '500000.00', drawn: '0.00', available: '500000.00', reportedAt: at.toISOString() }
  assert.deepEqual(open.creditLine, line)
  const { tenantId } = tenant
  await ctx.db.tx((tx) => updateJourney(tx, { tenantId, journeyId }, { active: false, closedAt: at }, at))
  assert.equal((await loanOf(journeyId)).state, 'CLOSED')
})

test('DPDP §12: the loan of a journey whose data was erased is not told', async () => {
  const journeyId = await partnerLoan(exampleStatus())
  await ctx.db`update journey set erased_at = now() where journey_id = ${journeyId}`
  assert.equal((await get(journeyId)).status, 409)
})

test('D1 §7: a loan of another tenant, of no journey, or of no id is absent alike', async () => {
  const journeyId = await partnerLoan(exampleStatus())
  for (const answer of [
    await get(journeyId, secondTenant),
    await get('01930000-0000-7000-8000-00000000ffff'),
    await get('x'),
  ]) {
    assert.equal(answer.status, 404)
    assert.equal(answer.body.error.message, 'there is no such journey')
  }
  assert.equal((await ask(`${url}/api/lab/journeys/${journeyId}/loan`, {})).status, 401)
})

test('D2 §4: the borrower’s session reads its loan, and is told while there is none', async () => {
  const borrower = await startHeadlessJourney(url, tenant)
  const path = `${url}/api/v1/headless/journeys/${borrower.journeyId}/loan`
  const { status, body } = await ask(path, { key: borrower.sessionToken })
  assert.equal(status, 409)
  assert.match(body.error.message, /this journey has no loan, or its data was erased/)
  const other = await partnerLoan(exampleStatus())
  assert.equal((await ask(path.replace(borrower.journeyId, other), { key: borrower.sessionToken })).status, 404)
})

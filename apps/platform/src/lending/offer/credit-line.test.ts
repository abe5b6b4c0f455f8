// A credit line: the lender's reports open and update the line, the page shows it, and its journey does not expire.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '@lendloom/foundation/clock'
import { faults } from '@lendloom/foundation/schema'
import type { CreditLine } from '@lendloom/lending/terms'
import { sql } from '@lendloom/postgres/sql'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { pageViewOf } from '#platform/api/page/page-view.ts'
import { idleJourneys, lockJourney } from '#platform/lending/journey/store.ts'
import { requestStatusRefresh } from '#platform/lending/servicing/request-servicing.ts'
import { openLine, storeLine } from './pledge.ts'
import { findOffer, findSelected, setSecurity, setSelected } from './store.ts'

const platform = await testPlatform()
const { ctx, tenant } = platform
const { tenantId } = tenant

const lineTerms = { ...terms, interest: 0n, netDisbursed: 0n, installmentsCount: 0, installmentAmount: 0n }

/** A journey with a chosen credit line, redirected to the lender. */
async function journeyWithLine(): Promise<string> {
  const { journeyId, offerIds } = await journeyWithOffers(platform, [lineTerms])
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const offer = (await findOffer(tx, journey, offerIds[0]!))!
    await tx`update journey set type = 'LAMF_LOAN', status = 'LENDER_REDIRECTED' where tenant_id = ${tenantId} and journey_id = ${journeyId}`
    await setSecurity(tx, offer, { schemes: [], ownPage: false, creditLine: true }, at)
    const choice = { offerId: offer.offerId, lockSource: 'hosted', branchId: null, pledges: [] }
    await setSelected(tx, journey, choice, at)
  })
  return journeyId
}

const reportLine = (journeyId: string, line: CreditLine, at = ctx.clock()) =>
  ctx.db.tx(async (tx) => storeLine(tx, (await lockJourney(tx, tenantId, journeyId))!, line, at))
const storedLine = async (journeyId: string) => openLine((await findSelected(ctx.db, { tenantId, journeyId }))!)
const idleJourneyIds = async () =>
  (await idleJourneys(ctx.db, { before: daysAfter(ctx.clock(), 1), hasPaidOut: sql`false`, limit: 50 })).map(
    ({ journeyId }) => journeyId,
  )
const viewOfJourney = async (journeyId: string) => {
  const view = await pageViewOf(ctx, { tenantId, journeyId } as Parameters<typeof pageViewOf>[1], null, ctx.clock())
  assert.deepEqual(faults(EmbedView, view), [])
  return view
}

test('FIS12 §17.5: the lender’s reports open and update a line; the available amount is never negative', async () => {
  const journeyId = await journeyWithLine()
  assert.equal(await storedLine(journeyId), null)
  await reportLine(journeyId, { limit: 500_000_00n, utilization: 0n }, new Date('2026-11-20T10:00:00Z'))
  const opened = (await storedLine(journeyId))!
  assert.equal(opened.limit, 500_000_00n)
  assert.equal(opened.utilised, 0n)
  assert.equal(opened.available, 500_000_00n)
  await reportLine(journeyId, { limit: 500_000_00n, utilization: 120_000_00n }, new Date('2026-11-21T10:00:00Z'))
  await reportLine(journeyId, { limit: 500_000_00n, utilization: 120_000_00n }, new Date('2026-11-22T10:00:00Z'))
  const drawn = (await storedLine(journeyId))!
  assert.equal(drawn.utilised, 120_000_00n)
  assert.equal(drawn.available, 380_000_00n)
  assert.deepEqual(drawn.openedAt, opened.openedAt)
  assert.equal(drawn.changedAt.toISOString(), '2026-11-21T10:00:00.000Z', 'a repeated report changes nothing')
  const { screen, creditLine, pollAfterMs } = await viewOfJourney(journeyId)
  const figures = { limit: '500000.00', used: '120000.00', free: '380000.00', changedAt: '2026-11-21T10:00:00.000Z' }
  assert.equal(screen, 'LINE_OPEN')
  assert.deepEqual(creditLine, figures)
  assert.equal(pollAfterMs, 5000)
  // The pledged units have lost value, so the lender has lowered the limit.
  await reportLine(journeyId, { limit: 100_000_00n, utilization: 120_000_00n })
  assert.equal((await storedLine(journeyId))!.available, 0n)
})

test('D1 §3: an idle journey with an open line does not expire', async () => {
  const waiting = await journeyWithLine()
  const open = await journeyWithLine()
  assert.ok((await idleJourneyIds()).includes(open), 'idle until the line is open')
  await reportLine(open, { limit: 1n, utilization: 0n })
  const idleIds = await idleJourneyIds()
  assert.equal(idleIds.includes(waiting), true)
  assert.equal(idleIds.includes(open), false)
})

test('FIS12 §17.5, D2 §4: a line allows a status refresh only once it is open', async () => {
  const journeyId = await journeyWithLine()
  const requestStatus = () =>
    ctx.db.tx(async (tx) =>
      requestStatusRefresh({ ...ctx, tx, at: ctx.clock() }, (await lockJourney(tx, tenantId, journeyId))!),
    )
  await assert.rejects(requestStatus(), { kind: 'wrong-state', message: /not disbursed/ })
  await reportLine(journeyId, { limit: 1n, utilization: 0n })
  assert.equal((await viewOfJourney(journeyId)).servicing.length, 0)
})

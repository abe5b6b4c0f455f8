// The console’s view of a credit line, before its first drawdown and after its end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleUser } from '@lendloom/tests/setup/console'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { newDrawdown } from '#platform/lending/drawdown/request-drawdown.ts'
import { insertDrawdown } from '#platform/lending/drawdown/store.ts'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { storeLine } from '#platform/lending/offer/pledge.ts'
import { findOffer, setSecurity, setSelected } from '#platform/lending/offer/store.ts'

const platform = await testPlatform()
const { ctx, tenant } = platform
const { tenantId } = tenant
const support = await consoleUser(platform, { role: 'support', tenantId })

test('FIS12 §17.5: the console shows a line before its first drawdown, and a closed one as closed', async () => {
  const { journeyId, offerIds } = await journeyWithOffers(platform, [terms])
  const at = ctx.clock()
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const offer = (await findOffer(tx, journey, offerIds[0]!))!
    await tx`update journey set type = 'LAMF_LOAN', status = 'LENDER_REDIRECTED' where tenant_id = ${tenantId} and journey_id = ${journeyId}`
    await setSecurity(tx, offer, { schemes: [], ownPage: false, creditLine: true }, at)
    await setSelected(tx, journey, { offerId: offer.offerId, lockSource: 'hosted', branchId: null, pledges: [] }, at)
  })
  const headOf = async () => (await support.ask('GET', `/journeys/${journeyId}`)).body
  const listed = async () =>
    (await support.ask('GET', '/journeys')).body.items.find(
      (each: { journeyId: string }) => each.journeyId === journeyId,
    )
  const before = await headOf()
  assert.equal(before.line, null)
  assert.equal(before.creditLine, null)
  assert.equal(before.waitsFor.whose, 'lender')
  assert.equal(before.offers[0].creditLine, true)

  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    await storeLine(tx, journey, { limit: 500_000_00n, utilization: 0n }, at)
    const refused = { ...newDrawdown(journey, 50_000_00n, at), status: 'FAILED', reason: 'DRAWDOWN_REFUSED' } as const
    await insertDrawdown(tx, refused)
  })
  const open = await headOf()
  assert.equal(open.loan, null)
  assert.equal(open.waitsFor, null, 'nobody has to act')
  const { limit, drawn, available, drawdowns } = open.creditLine
  assert.equal(limit, '500000.00')
  assert.equal(drawn, '0.00')
  assert.equal(available, '500000.00')
  assert.deepEqual(
    drawdowns.map(({ amount, status, reason }: Record<string, string>) => [amount, status, reason]),
    [['50000.00', 'FAILED', 'DRAWDOWN_REFUSED']],
  )
  assert.equal((await listed()).line, 'OPEN')

  await ctx.db.tx((tx) => updateJourney(tx, { tenantId, journeyId }, { active: false, closedAt: at }, at))
  const closed = await headOf()
  assert.equal(closed.status, 'LENDER_REDIRECTED', 'the status of a line that was never drawn')
  assert.equal(closed.creditLine.closedAt, at.toISOString())
  const { line, expired, waitsFor } = await listed()
  assert.equal(line, 'CLOSED')
  assert.equal(expired, null)
  assert.equal(waitsFor, null)
})

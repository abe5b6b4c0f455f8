// The module against a real database: the data is kept sealed, name by name, and read as a portfolio.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '#kit/crypto/id.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { type GivenPortfolio, loanPreferencesOf, portfolioOf, preferredProduct, storePortfolio } from './store.ts'

const { ctx, tenant, secondTenant } = await testPlatform()
const at = new Date()
const someJourney = () => ({ tenantId: tenant.tenantId, journeyId: uuidv7(at.getTime()) })
const statement = {
  pan: 'ABCPE1234F',
  schemes: [
    {
      ...{ amc: 'SHK', folio: '4410077/31', schemeCode: 'FLEXG', rtaName: 'CAMS', assetType: 'EQUITY' },
      ...{ nav: '85.0250', closingBalance: '312.450' },
    },
    { folio: '77', units: 'many' },
  ],
}

test('D1 §4: data on mutual funds is kept sealed, as it came, and read when it is needed', async () => {
  const journey = someJourney()
  const keep = (funds: GivenPortfolio) => ctx.db.tx((tx) => storePortfolio({ ...ctx, tx, at }, journey, { ...funds }))
  assert.equal(await portfolioOf(ctx.db, ctx, journey), null)
  await keep({ mfc: statement })
  const [row] = await ctx.db<{ mfcSealed: Buffer }>`
    select mfc_sealed from portfolio where journey_id = ${journey.journeyId}`
  assert.ok(!row!.mfcSealed.includes('4410077') && !row!.mfcSealed.includes('ABCPE1234F'))
  const portfolio = (await portfolioOf(ctx.db, ctx, journey))!
  assert.deepEqual(
    [portfolio.pan, portfolio.holdings.map(({ units }) => units), portfolio.notUnderstood],
    ['ABCPE1234F', ['312.450'], [{ path: 'schemes.1', why: 'scheme' }]],
  )
})

test('D1 §4: an absent field stays, a new value replaces, null removes', async () => {
  const journey = someJourney()
  const keep = (funds: GivenPortfolio) => ctx.db.tx((tx) => storePortfolio({ ...ctx, tx, at }, journey, { ...funds }))
  const kept = async () => ({
    holds: (await portfolioOf(ctx.db, ctx, journey))?.holdings.length ?? null,
    preferences: await loanPreferencesOf(ctx.db, journey),
  })
  await keep({})
  assert.deepEqual(await kept(), { holds: null, preferences: {} })
  await keep({ loanPreferences: { productType: 'TERM_LOAN', facilitytype: 'TERM' } })
  await keep({ mfc: statement })
  assert.deepEqual(await kept(), { holds: 1, preferences: { productType: 'TERM_LOAN', facilitytype: 'TERM' } })
  await keep({ loanPreferences: { facilitytype: 'OVERDRAFT' } })
  assert.deepEqual(await kept(), { holds: 1, preferences: { facilitytype: 'OVERDRAFT' } })
  await keep({ mfc: {} })
  assert.deepEqual((await portfolioOf(ctx.db, ctx, journey))!.notUnderstood, [{ path: '', why: 'nothing' }])
  await keep({ mfc: null })
  assert.deepEqual(await kept(), { holds: null, preferences: { facilitytype: 'OVERDRAFT' } })
})

test('another tenant has nothing under the same journey', async () => {
  const journey = someJourney()
  await ctx.db.tx((tx) => storePortfolio({ ...ctx, tx, at }, journey, { mfc: statement }))
  const theirs = { ...journey, tenantId: secondTenant.tenantId }
  assert.equal(await portfolioOf(ctx.db, ctx, theirs), null)
})

test('FIS12 §10.1: preferences choose between a term loan and a line of credit', () => {
  assert.deepEqual(
    [
      preferredProduct({}),
      preferredProduct({ facilitytype: 'TERM' }),
      preferredProduct({ facilitytype: 'OVERDRAFT' }),
      preferredProduct({ productType: 'TERM_LOAN', facilitytype: 'OVERDRAFT' }),
    ],
    [null, 'TERM_LOAN', 'CREDIT_LINE', 'TERM_LOAN'],
  )
})

// The portfolio module with a real database: sealed storage, updates of single fields, and parsing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '@lendloom/seal/id'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { preferredProduct } from './loan-preferences.ts'
import { loanPreferencesOf, type PortfolioInput, portfolioOf, storePortfolio } from './store.ts'

const { ctx, tenant, secondTenant } = await testPlatform()
const at = new Date()
const newJourneyKey = () => ({ tenantId: tenant.tenantId, journeyId: uuidv7(at.getTime()) })
const statement = {
  pan: 'ABCPE1234F',
  schemes: [
    {
      amc: 'SHK',
      folio: '4410077/31',
      schemeCode: 'FLEXG',
      rtaName: 'CAMS',
      assetType: 'EQUITY',
      nav: '85.0250',
      closingBalance: '312.450',
    },
    { folio: '77', units: 'many' },
  ],
}

test('D1 §4: fund data is stored sealed and unchanged, and is parsed when it is read', async () => {
  const journey = newJourneyKey()
  const store = (funds: PortfolioInput) => ctx.db.tx((tx) => storePortfolio({ ...ctx, tx, at }, journey, { ...funds }))
  assert.equal(await portfolioOf(ctx.db, ctx, journey), null)
  await store({ mfc: statement })
  const [row] = await ctx.db<{ mfcSealed: Buffer }>`
    select mfc_sealed from portfolio where journey_id = ${journey.journeyId}`
  assert.ok(!row!.mfcSealed.includes('4410077') && !row!.mfcSealed.includes('ABCPE1234F'))
  const portfolio = (await portfolioOf(ctx.db, ctx, journey))!
  assert.equal(portfolio.pan, 'ABCPE1234F')
  assert.deepEqual(
    portfolio.holdings.map(({ units }) => units),
    ['312.450'],
  )
  assert.deepEqual(portfolio.notUnderstood, [{ path: 'schemes.1', why: 'scheme' }])
})

test('D1 §4: an absent field keeps the stored value, a new value replaces it, and null removes it', async () => {
  const journey = newJourneyKey()
  const store = (funds: PortfolioInput) => ctx.db.tx((tx) => storePortfolio({ ...ctx, tx, at }, journey, { ...funds }))
  const storedState = async () => ({
    holdingCount: (await portfolioOf(ctx.db, ctx, journey))?.holdings.length ?? null,
    preferences: await loanPreferencesOf(ctx.db, journey),
  })
  await store({})
  assert.deepEqual(await storedState(), { holdingCount: null, preferences: {} })
  await store({ loanPreferences: { productType: 'TERM_LOAN', facilitytype: 'TERM' } })
  await store({ mfc: statement })
  assert.deepEqual(await storedState(), {
    holdingCount: 1,
    preferences: { productType: 'TERM_LOAN', facilitytype: 'TERM' },
  })
  await store({ loanPreferences: { facilitytype: 'OVERDRAFT' } })
  assert.deepEqual(await storedState(), { holdingCount: 1, preferences: { facilitytype: 'OVERDRAFT' } })
  await store({ mfc: {} })
  assert.deepEqual((await portfolioOf(ctx.db, ctx, journey))!.notUnderstood, [{ path: '', why: 'nothing' }])
  await store({ mfc: null })
  assert.deepEqual(await storedState(), { holdingCount: null, preferences: { facilitytype: 'OVERDRAFT' } })
})

test('another tenant cannot read the portfolio of a journey', async () => {
  const journey = newJourneyKey()
  await ctx.db.tx((tx) => storePortfolio({ ...ctx, tx, at }, journey, { mfc: statement }))
  const otherTenantsKey = { ...journey, tenantId: secondTenant.tenantId }
  assert.equal(await portfolioOf(ctx.db, ctx, otherTenantsKey), null)
})

test('FIS12 §10.1: preferences select a term loan or a credit line', () => {
  assert.equal(preferredProduct({}), null)
  assert.equal(preferredProduct({ facilitytype: 'TERM' }), 'TERM_LOAN')
  assert.equal(preferredProduct({ facilitytype: 'OVERDRAFT' }), 'CREDIT_LINE')
  assert.equal(preferredProduct({ productType: 'TERM_LOAN', facilitytype: 'OVERDRAFT' }), 'TERM_LOAN')
})

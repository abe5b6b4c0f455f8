// Exact valuation of units: a loan never exceeds the loan-to-value of free units, and only free units are pledged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  drawingPower,
  eligible,
  eligibleUnits,
  type Holding,
  kinds,
  loanToValueByKind,
  loanToValueByOffer,
  millionthsOf,
  navText,
  unitsText,
  usualLoanToValue,
  worthOf,
} from './portfolio.ts'
import { sharedStatement } from './portfolio-statement.ts'

const on = '2026-11-20'
const usualRates = loanToValueByKind(usualLoanToValue)
const flexi: Holding = {
  registrar: 'CAMS',
  amcCode: 'SHK',
  amcName: null,
  schemeCode: 'FLEXG',
  schemeName: null,
  isin: null,
  folio: '4410077',
  kind: 'equity',
  units: '312.450',
  lienUnits: '0.000',
  lockedUnits: '0.000',
  lockedUntil: null,
  nav: '85.0250',
  navOn: null,
}
const debt: Holding = { ...flexi, schemeCode: 'DEBTG', kind: 'debt', units: '1020.125', nav: '40.1234' }
const powerOf = (...holdings: Holding[]) => drawingPower(eligible(holdings, on), usualRates)

test('FIS12 §10.1: the drawing power is half of equity and four fifths of debt, rounded down once to the rupee', () => {
  // 312.450 × 85.0250 = 26,566.06125, of which half; 1020.125 × 40.1234 = 40,930.883425, of which four fifths.
  assert.equal(powerOf(flexi), 13_283_00n)
  assert.equal(powerOf(debt), 32_744_00n)
  assert.equal(powerOf(flexi, debt), 46_027_00n)
  assert.equal(powerOf({ ...debt, kind: null }), 20_465_00n, 'a fund of unknown kind has the lowest loan-to-value')
  assert.equal(worthOf(eligible([flexi], on)), 26_566_06n)
})

test('FIS12 §7.1: an offer’s loan-to-value applies per scheme', () => {
  const byOffer = loanToValueByOffer([
    { schemeCode: 'FLEXG', ltv: '45%' },
    { schemeCode: 'OTHER', ltv: null },
  ])
  assert.equal(drawingPower(eligible([flexi, debt, { ...debt, schemeCode: 'OTHER' }], on), byOffer), 11_954_00n)
})

test('FIS12 §10.1: units under a lien, locked or within a lock-in cannot be pledged', () => {
  assert.equal(eligibleUnits({ ...flexi, lienUnits: '100', lockedUnits: '12.45' }, on), '200.000')
  assert.equal(eligibleUnits({ ...flexi, lienUnits: '400' }, on), '0.000')
  const elss = { ...flexi, kind: 'elss' } as const
  assert.equal(eligibleUnits(elss, on), '0.000', 'an ELSS with an unknown lock-in')
  assert.equal(eligibleUnits({ ...elss, lockedUntil: on }, on), '0.000', 'the last day of the lock-in')
  assert.equal(eligibleUnits({ ...elss, lockedUntil: '2026-11-19' }, on), '312.450')
})

const parts = (max: bigint) => fc.bigInt({ min: 0n, max })
const anyHoldings = fc.array(
  fc
    .record({
      kind: fc.constantFrom(null, ...kinds),
      schemeCode: fc.constantFrom('A', 'B', 'C'),
      units: parts(10n ** 13n).map(unitsText),
      lienUnits: parts(10n ** 11n).map(unitsText),
      lockedUnits: parts(10n ** 10n).map(unitsText),
      nav: parts(10n ** 10n).map(navText),
    })
    .map((part): Holding => ({ ...flexi, lockedUntil: '2020-01-01', ...part })),
  { maxLength: 6 },
)
const scaled = (text: string): bigint => millionthsOf(text)!

test('property: eligible units are units less lien less locked, and never negative', () => {
  fc.assert(
    fc.property(anyHoldings, (holdings) => {
      for (const holding of holdings) {
        const free = scaled(holding.units) - scaled(holding.lienUnits) - scaled(holding.lockedUnits)
        assert.equal(scaled(eligibleUnits(holding, on)), free > 0n ? free : 0n)
      }
    }),
  )
})

test('property: the loan value is in whole rupees, less than a rupee below the loan-to-value, and monotonic', () => {
  fc.assert(
    fc.property(anyHoldings, parts(10n ** 12n), (holdings, more) => {
      const all = eligible(holdings, on)
      const power = drawingPower(all, usualRates)
      const exact = all.reduce(
        (sum, { units, holding }) => sum + scaled(units) * scaled(holding.nav) * usualRates(holding),
        0n,
      )
      assert.equal(power % 100n, 0n)
      assert.ok(power * 10n ** 14n <= exact && exact < (power + 100n) * 10n ** 14n)
      assert.ok(
        powerOf(...holdings.map((holding) => ({ ...holding, units: unitsText(scaled(holding.units) + more) }))) >=
          power,
      )
    }),
  )
})

test('FIS12 §10.3: the statement is available to lenders for five days', () => {
  assert.deepEqual(sharedStatement('https://p.example/f'), {
    url: 'https://p.example/f',
    format: '.json',
    validity: 'P5D',
  })
})

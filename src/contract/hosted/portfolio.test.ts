// Exact valuation of units: a loan never exceeds the loan-to-value of free units, and only free units are pledged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '#kit/http/refusal.ts'
import {
  choose,
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
import { sharedStatement } from './statement.ts'

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

const freeOf = (holdings: Holding[], code: string) =>
  holdings
    .filter(({ schemeCode }) => schemeCode === code)
    .reduce((sum, holding) => sum + scaled(eligibleUnits(holding, on)), 0n)

test('FIS12 §10.2, property: no more than the free units can be chosen', () => {
  fc.assert(
    fc.property(anyHoldings, fc.integer({ min: 0, max: 1000 }), (holdings, share) => {
      const codes = [...new Set(holdings.map(({ schemeCode }) => schemeCode))]
      const requestedParts = codes.map((code) => (freeOf(holdings, code) * BigInt(share)) / 1000n)
      const schemes = codes.map((schemeCode, i) => ({ schemeCode, units: unitsText(requestedParts[i]!) }))
      const chosen = choose(holdings, schemes, on)
      for (const { holding, units } of chosen)
        assert.ok(scaled(units) > 0n && scaled(units) <= scaled(eligibleUnits(holding, on)))
      const sum = chosen.reduce((all, { units }) => all + scaled(units), 0n)
      assert.equal(
        sum,
        requestedParts.reduce((all, units) => all + units, 0n),
      )
      assert.ok(drawingPower(chosen, usualRates) <= powerOf(...holdings))
      for (const schemeCode of codes) {
        const tooMuch = [{ schemeCode, units: unitsText(freeOf(holdings, schemeCode) + 1n) }]
        assert.throws(() => choose(holdings, tooMuch, on), Refusal)
      }
    }),
  )
})

test('FIS12 §10.2: units that cannot be pledged are rejected at their path', () => {
  const twoFolios = [flexi, { ...flexi, folio: '9' }]
  assert.deepEqual(
    choose(twoFolios, [{ schemeCode: 'FLEXG', units: '400' }], on).map(({ units }) => units),
    ['312.450', '87.550'],
  )
  assert.deepEqual(choose(twoFolios, [{ schemeCode: 'FLEXG', units: '1', folio: '9' }], on)[0]!.holding.folio, '9')
  const sameCodeTwice = [flexi, { ...flexi, amcCode: 'NDH' }]
  for (const [holdings, chosen, path] of [
    [[flexi], { schemeCode: 'GONE', units: '1' }, 'pledges.0.schemeCode'],
    [[flexi], { schemeCode: 'FLEXG', units: '-1' }, 'pledges.0.units'],
    [[flexi], { schemeCode: 'FLEXG', units: '312.451' }, 'pledges.0.units'],
    [sameCodeTwice, { schemeCode: 'FLEXG', units: '1' }, 'pledges.0.folio'],
  ] as const)
    assert.throws(
      () => choose(holdings, [chosen], on),
      (error: Refusal) => error.kind === 'invalid' && error.details.field === path,
      path,
    )
  const repeatedChoice = [
    { schemeCode: 'FLEXG', units: '200' },
    { schemeCode: 'FLEXG', units: '200' },
  ]
  assert.throws(() => choose([flexi], repeatedChoice, on), Refusal, 'the same units cannot be pledged twice')
})

test('FIS12 §10.3: the statement is available to lenders for five days', () => {
  assert.deepEqual(sharedStatement('https://p.example/f'), {
    url: 'https://p.example/f',
    format: '.json',
    validity: 'P5D',
  })
})

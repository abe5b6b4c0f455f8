// Units needed for an amount, and the borrower's choice among the offered units.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  drawingPower,
  type Holding,
  kinds,
  loanToValueByKind,
  millionthsOf,
  type UnitShare,
  unitsText,
  usualLoanToValue,
} from '@lendloom/wire/hosted/portfolio'
import { readPortfolio } from '@lendloom/wire/hosted/read-portfolio'
import fc from 'fast-check'
import { holdingsOf, registrarIds } from '#sandbox/aggregator/holdings.ts'
import { chosenFrom, isSameChoice, unitsFor } from './pledged-units.ts'

const flexi: Holding = {
  isin: 'INF000A01011',
  schemeCode: 'SHK-FLEX-G',
  schemeName: 'Shakti Flexi Cap',
  folio: '4410077',
  registrar: 'CAMS',
  amcCode: 'SHAKTI',
  amcName: 'Shakti Mutual Fund',
  kind: 'equity',
  units: '312.450',
  lienUnits: '0.000',
  lockedUnits: '0.000',
  lockedUntil: null,
  nav: '85.0250',
  navOn: null,
}
const loanToValueOf = loanToValueByKind(usualLoanToValue)
const part = (units: string, change: Partial<Holding> = {}): UnitShare => ({ holding: { ...flexi, ...change }, units })

test('to borrow an amount, the borrower pledges the same share of each scheme, rounded up to a thousandth', () => {
  // At a loan to value of one half, 312.450 units at 85.0250 secure 13,283.03, and 10,000 needs 75.28 % of the units.
  assert.deepEqual(unitsFor(10_000_00n, [part('312.450')], loanToValueOf), [part('235.225')])
  assert.equal(unitsFor(13_284_00n, [part('312.450')], loanToValueOf), null)
  assert.equal(unitsFor(0n, [part('312.450')], loanToValueOf), null)
})

const shares = fc.array(
  fc
    .record({
      kind: fc.constantFrom(...kinds),
      units: fc.bigInt({ min: 1n, max: 10n ** 13n }),
      nav: fc.bigInt({ min: 1n, max: 10n ** 10n }),
    })
    .map(({ units, nav, kind }) => part(unitsText(units), { kind, nav: unitsText(nav) })),
  { maxLength: 6 },
)

test('the pledged units cover the amount, are available, and never decrease when the amount grows', () => {
  fc.assert(
    fc.property(shares, fc.bigInt({ min: 1n, max: 10_000n }), (available, share) => {
      const power = drawingPower(available, loanToValueOf)
      const amount = (power / 100n / share) * 100n
      const needed = unitsFor(amount, available, loanToValueOf)
      if (amount === 0n) return assert.equal(needed, null)
      assert.ok(drawingPower(needed!, loanToValueOf) >= amount)
      const all = unitsFor(power, available, loanToValueOf)!
      needed!.forEach(({ units }, i) => {
        assert.ok(0n < millionthsOf(units)! && millionthsOf(units)! <= millionthsOf(all[i]!.units)!)
        assert.ok(millionthsOf(all[i]!.units)! <= millionthsOf(available[i]!.units)!)
      })
    }),
  )
})

test('a pledge of a scheme in two folios takes units in the order of the offer', () => {
  const offered = [part('100.000'), part('50.000', { folio: '2' })]
  const chosen = [part('100.000'), part('20.500', { folio: '2' })]
  const pledges = [{ schemeCode: 'SHK-FLEX-G', units: '120.5' }]
  assert.deepEqual(chosenFrom(offered, pledges), { units: chosen })
  assert.ok(isSameChoice(chosen, pledges))
  assert.ok(!isSameChoice(chosen, [{ schemeCode: 'SHK-FLEX-G', units: '120' }]))
  for (const [code, wrong] of [
    ['80217', []],
    ['80216', [{ schemeCode: 'SHK-FLEX-G', units: '150.001' }]],
    ['80216', [{ schemeCode: 'OTHER', units: '1' }]],
  ] as const) {
    const result = chosenFrom(offered, wrong)
    assert.ok('denial' in result && result.denial.code === code)
  }
})

test('the registrars’ data from the account aggregator is a readable portfolio', () => {
  const at = (fipId: string) => readPortfolio({ Summary: holdingsOf(fipId, '0003e8aa', 'XXXXXXXX0077') })
  assert.deepEqual(
    registrarIds.flatMap((fipId) => at(fipId).notUnderstood),
    [],
  )
  assert.deepEqual(
    registrarIds
      .flatMap((fipId) => at(fipId).holdings)
      .map(({ registrar, kind, units }) => ({ registrar, kind, units })),
    [
      { registrar: 'CAMS', kind: 'equity', units: '5000.250' },
      { registrar: 'CAMS', kind: 'elss', units: '500.250' },
      { registrar: 'KFIN', kind: 'debt', units: '9000.250' },
    ],
  )
})

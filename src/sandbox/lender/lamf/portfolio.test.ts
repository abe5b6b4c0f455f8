// Units are valued exactly: nobody borrows more than the loan to value of what is free, and more units never carry less.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, bigInt, constantFrom, assert as law, property, record } from 'fast-check'
import { Refusal } from '#kit/refusal.ts'
import { holdingsOf, registrarIds } from '#sandbox/aggregator/holdings.ts'
import {
  drawingPower,
  eligible,
  eligibleUnits,
  type Holding,
  kinds,
  type Pledged,
  unitsFor,
  unitsFrom,
  unitsText,
  usualLoanToValue,
  worthOf,
} from './portfolio.ts'
import { readStatement } from './read-statement.ts'

const on = '2026-11-20'
const flexi: Holding = {
  isin: 'INF000A01011',
  schemeCode: 'SHK-FLEX-G',
  schemeName: 'Shakti Flexi Cap',
  folio: '4410077',
  registrar: 'CAMS',
  amc: 'SHAKTI',
  amcName: 'Shakti Mutual Fund',
  kind: 'equity',
  lockedUntil: null,
  units: 312_450n,
  lienUnits: 0n,
  lockedUnits: 0n,
  nav: 850_250n,
}
const debt: Holding = { ...flexi, schemeCode: 'NDH-DEBT-G', kind: 'debt', units: 1_020_125n, nav: 401_234n }
const powerOf = (...holdings: Holding[]) => drawingPower(eligible(holdings, usualLoanToValue, on))

test('drawing power is half of equity and four fifths of debt, rounded down to the rupee once', () => {
  // 312.450 × 85.0250 = 26,566.06125, of which half; 1020.125 × 40.1234 = 40,930.883425, of which four fifths.
  assert.equal(powerOf(flexi), 13_283_00n)
  assert.equal(powerOf(debt), 32_744_00n)
  assert.equal(powerOf(flexi, debt), 46_027_00n)
  assert.equal(worthOf(eligible([flexi], usualLoanToValue, on)), 26_566_06n)
})

test('nothing under a lien, locked, or within a lock-in may be pledged', () => {
  assert.equal(eligibleUnits({ ...flexi, lienUnits: 100_000n, lockedUnits: 12_450n }, on), 200_000n)
  assert.equal(eligibleUnits({ ...flexi, lienUnits: 400_000n }, on), 0n)
  const elss = { ...flexi, kind: 'elss' } as const
  assert.equal(eligibleUnits(elss, on), 0n, 'an ELSS whose lock-in is not told')
  assert.equal(eligibleUnits({ ...elss, lockedUntil: on }, on), 0n, 'the last day of the lock-in')
  assert.equal(eligibleUnits({ ...elss, lockedUntil: '2026-11-19' }, on), 312_450n)
})

const some = array(
  record({
    kind: constantFrom(...kinds),
    units: bigInt({ min: 0n, max: 10n ** 10n }),
    lienUnits: bigInt({ min: 0n, max: 10n ** 8n }),
    nav: bigInt({ min: 1n, max: 10n ** 8n }),
  }).map((part): Holding => ({ ...flexi, lockedUntil: '2020-01-01', ...part })),
  { maxLength: 6 },
)

test('never more than the loan to value, by less than a rupee; more units never carry less', () => {
  law(
    property(some, bigInt({ min: 1n, max: 10n ** 9n }), (holdings, more) => {
      const pledged = eligible(holdings, usualLoanToValue, on)
      const power = drawingPower(pledged)
      const exact = pledged.reduce((all, { units, holding, ltvBps }) => all + units * holding.nav * ltvBps, 0n)
      assert.ok(power * 10n ** 9n <= exact && exact < (power + 100n) * 10n ** 9n)
      assert.ok(powerOf(...holdings.map((each) => ({ ...each, units: each.units + more }))) >= power)
    }),
  )
})

test('the units that an amount needs carry it, are there, and are no more of one scheme than of another', () => {
  law(
    property(some, bigInt({ min: 1n, max: 10_000n }), (holdings, share) => {
      const available = eligible(holdings, usualLoanToValue, on)
      const amount = (drawingPower(available) / 100n / share) * 100n
      const needed = unitsFor(amount, available)
      if (amount === 0n) return assert.equal(needed, null)
      assert.ok(drawingPower(needed!) >= amount)
      needed!.forEach((each: Pledged, i) => {
        assert.ok(each.units > 0n && each.units <= available[i]!.units)
      })
    }),
  )
  const available = eligible([flexi], usualLoanToValue, on)
  assert.equal(unitsFor(13_284_00n, available), null)
  assert.equal(unitsText(unitsFor(10_000_00n, available)![0]!.units), '235.225')
})

test('units have three digits, and no more', () => {
  assert.deepEqual(['312.45', '1,020.125', '7', '0.0010', '1.2345', '-1', ''].map(unitsFrom), [
    312_450n,
    1_020_125n,
    7_000n,
    1n,
    null,
    null,
    null,
  ])
})

test('a statement is read in our shape and in that of MF Central', () => {
  const ours = {
    pan: 'abcpe1234f',
    holdings: [
      {
        isin: 'INF000A01011',
        schemeCode: 'SHK-FLEX-G',
        schemeName: 'Shakti Flexi Cap',
        folio: '4410077',
        rta: 'CAMS',
        amcCode: 'SHAKTI',
        amcName: 'Shakti Mutual Fund',
        assetType: 'EQUITY',
        units: '312.450',
        nav: '85.0250',
      },
    ],
  }
  assert.deepEqual(readStatement(JSON.stringify(ours)), { pan: 'ABCPE1234F', holdings: [flexi] })
  const central = {
    data: [
      {
        dtSummary: [
          {
            amc: 'NDH',
            amcName: 'Nidhi',
            folio: 882,
            scheme: 'TS1',
            schemeName: 'Nidhi ELSS Tax Saver',
            rtaCode: 'KFINTECH',
            closingBalance: '10.5',
            nav: '12.345678',
            assetType: 'EQUITY',
            lockInUntil: '31-03-2027',
          },
        ],
      },
    ],
  }
  const [read] = readStatement(JSON.stringify(central)).holdings
  assert.deepEqual(
    [read!.kind, read!.registrar, read!.folio, read!.lockedUntil, read!.units, read!.nav],
    ['elss', 'KFIN', '882', '2027-03-31', 10_500n, 123_456n],
  )
})

test('what registrars report through the account aggregator is a statement too', () => {
  const at = (fipId: string) => JSON.stringify({ Summary: holdingsOf(fipId, '0003e8aa', '4410077') })
  const read = registrarIds.flatMap((fipId) => readStatement(at(fipId)).holdings)
  assert.deepEqual(
    read.map(({ registrar, kind, units, lienUnits }) => [registrar, kind, units, lienUnits]),
    [
      ['CAMS', 'equity', 5_000_250n, 0n],
      ['CAMS', 'elss', 500_250n, 0n],
      ['KFIN', 'debt', 9_000_250n, 500_000n],
    ],
  )
})

test('what is no statement is refused with a word on why', () => {
  const row = { schemeCode: 'X', folio: '1', rta: 'CAMS', amcCode: 'A', units: '1', nav: '1' }
  for (const [text, why] of [
    ['<html>', /no JSON/],
    ['{"name":"Ravi"}', /no holdings/],
    [JSON.stringify({ holdings: [{ ...row, rta: 'NSDL' }] }), /NSDL is no registrar/],
    [JSON.stringify({ holdings: [{ ...row, units: 'many' }] }), /no readable units/],
    [JSON.stringify({ holdings: [row, { ...row, folio: '' }] }), /holding 2 has no folio/],
  ] as const)
    assert.throws(
      () => readStatement(text),
      (error: Error) => error instanceof Refusal && why.test(error.message),
    )
})

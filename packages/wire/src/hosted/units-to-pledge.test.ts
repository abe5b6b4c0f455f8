// The units that an amount requires: enough, and never more than the lender requested.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalFrom } from '@lendloom/lending/money'
import type { Scheme } from '@lendloom/lending/pledge'
import fc from 'fast-check'
import { pledgesFor, unitsFor } from './units-to-pledge.ts'

const scheme = (schemeCode: string, unitsRequired: string): Scheme => ({
  rta: 'CAMS',
  amcCode: 'AMC1',
  schemeCode,
  folioId: 'FOLIO-1',
  unitsRequired,
  ltv: '50%',
})

test('FIS12 §10.2 row 4: the full amount pledges all units, and half the amount half of each scheme', () => {
  const schemes = [scheme('10001', '250'), scheme('20002', '400.125')]
  assert.deepEqual(pledgesFor(schemes, 197_140_00n, 197_140_00n), [
    { schemeCode: '10001', units: '250.000' },
    { schemeCode: '20002', units: '400.125' },
  ])
  assert.deepEqual(pledgesFor(schemes, 98_570_00n, 197_140_00n), [
    { schemeCode: '10001', units: '125.000' },
    { schemeCode: '20002', units: '200.063' },
  ])
})

test('a scheme without units, or with invalid ones, is not pledged', () => {
  assert.deepEqual(pledgesFor([scheme('10001', '0'), scheme('20002', 'some')], 50_00n, 100_00n), [])
  assert.equal(unitsFor('0.000', 50_00n, 100_00n), null)
})

test('all units are pledged exactly, even with four decimals, and a share is rounded up', () => {
  assert.equal(unitsFor('10.1234', 100_00n, 100_00n), '10.1234')
  assert.equal(unitsFor('10.1234', 50_00n, 100_00n), '5.062')
})

test('property: the units cover the amount, exceed it by at most a thousandth of a unit, and never exceed the request', () => {
  const amounts = fc.tuple(fc.bigInt(1n, 10n ** 11n), fc.bigInt(1n, 10n ** 11n))
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 12n), amounts, (parts, [a, b]) => {
      const [amount, principal] = a < b ? [a, b] : [b, a]
      const [pledged] = pledgesFor(
        [scheme('1', `${parts / 10_000n}.${String(parts % 10_000n).padStart(4, '0')}`)],
        amount,
        principal,
      )
      const units = decimalFrom(pledged!.units, 4)!
      assert.ok(units <= parts)
      assert.ok(units * principal >= parts * amount)
      assert.ok((units - 10n) * principal < parts * amount || units === parts)
    }),
  )
})

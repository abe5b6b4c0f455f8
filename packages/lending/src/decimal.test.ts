// Decimal numbers are read and written exactly, without floats.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decimalFrom, decimalText } from './money.ts'

test('property: decimalFrom reads the number that decimalText wrote', () => {
  const parts = fc.bigInt({ min: 0n, max: 10n ** 18n })
  fc.assert(
    fc.property(parts, fc.nat(8), fc.nat(8), (number, places, minDecimals) => {
      const text = decimalText(number, places, Math.min(minDecimals, places))
      assert.equal(decimalFrom(text, places), number)
      assert.match(text, /^\d+(\.\d+)?$/)
    }),
  )
})

test('property: decimalFrom rounds digits beyond `places` half up', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (number) => {
      const exact = decimalText(number, 6, 6)
      assert.equal(decimalFrom(exact, 3), (number + 500n) / 1000n)
    }),
  )
})

test('decimalFrom reads every valid notation and returns null for other texts', () => {
  const known: Record<string, bigint> = {
    '312.45': 312_450n,
    '1,020.125': 1_020_125n,
    '10,20,300': 1_020_300_000n,
    '7': 7_000n,
    '0.0004': 0n,
    '0.0005': 1n,
    '299.99999999999994': 300_000n,
    '9007199254740993.5': 9_007_199_254_740_993_500n,
  }
  for (const [text, parts] of Object.entries(known)) assert.equal(decimalFrom(text, 3), parts, text)
  for (const wrong of [
    '',
    '.',
    '.5',
    '5.',
    '-1',
    '+1',
    '1e3',
    ' 1',
    '1 ',
    ',1',
    'NaN',
    'Infinity',
    '0x1',
    '१',
    '1.2.3',
  ])
    assert.equal(decimalFrom(wrong, 3), null, JSON.stringify(wrong))
})

test('decimalText writes at least the minimum number of decimals, and no further trailing zeros', () => {
  assert.equal(decimalText(312_450_000n, 6, 3), '312.450')
  assert.equal(decimalText(1n, 6, 3), '0.000001')
  assert.equal(decimalText(7_000_000n, 6), '7')
  assert.equal(decimalText(42n, 0), '42')
})

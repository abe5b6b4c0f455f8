// Amounts are whole paise, which are read and written without floats.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { divideHalfUp, moneyOf, paiseFrom, percentOf, rupees, toWholeRupees } from './money.ts'

const paise = fc.bigInt({ min: -(10n ** 17n) + 1n, max: 10n ** 17n - 1n })

test('property: paiseFrom and moneyOf read the amount that rupees wrote', () => {
  fc.assert(fc.property(paise, (amount) => assert.equal(paiseFrom(rupees(amount)), amount)))
  fc.assert(fc.property(paise, (amount) => assert.equal(moneyOf(`${rupees(amount)} INR`), amount)))
})

test('property: amounts beyond the precision of a float are read and written exactly', () => {
  const rupeesPart = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n })
  const paisePart = fc.integer({ min: 0, max: 99 })
  fc.assert(
    fc.property(rupeesPart, paisePart, (large, small) => {
      const text = `${large}.${String(small).padStart(2, '0')}`
      assert.equal(paiseFrom(text), large * 100n + BigInt(small))
      assert.equal(rupees(large * 100n + BigInt(small)), text)
    }),
  )
})

test('paiseFrom reads every valid notation of an amount and returns null for other texts', () => {
  const known: Record<string, bigint> = {
    '1234.50': 123450n,
    '1234.5': 123450n,
    '1234': 123400n,
    '0.01': 1n,
    '-0.01': -1n,
    '007': 700n,
    // D2 §8 allows twenty digits, of which ten are not leading zeros.
    '00000000038270753': 3827075300n,
    '-0': 0n,
    '999999999999999.99': 99999999999999999n,
  }
  for (const [text, amount] of Object.entries(known)) assert.equal(paiseFrom(text), amount, text)
  const wrong = ['', '.', '1.', '.5', '1.234', '1,000', '+1', '1e3', ' 1', '1 ', '1\n', '₹1', 'NaN', '--1', '0x1', '१']
  for (const text of [...wrong, '1'.repeat(16)]) assert.equal(paiseFrom(text), null, JSON.stringify(text))
})

test('rupees writes an amount with exactly two decimals', () => {
  const known: [bigint, string][] = [
    [0n, '0.00'],
    [5n, '0.05'],
    [-5n, '-0.05'],
    [100n, '1.00'],
    [-123450n, '-1234.50'],
  ]
  for (const [amount, text] of known) assert.equal(rupees(amount), text)
})

test('property: divideHalfUp returns the nearest whole number, and rounds a half away from zero', () => {
  const numerator = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
  const denominator = fc.bigInt({ min: 1n, max: 10n ** 12n })
  const abs = (value: bigint): bigint => (value < 0n ? -value : value)
  fc.assert(
    fc.property(numerator, denominator, (n, d) => {
      const quotient = divideHalfUp(n, d)
      const twice = 2n * abs(n - quotient * d)
      assert.ok(twice <= d, 'no other whole number is nearer')
      if (twice === d) assert.ok(abs(quotient) * d > abs(n), 'a half is rounded away from zero')
      assert.equal(divideHalfUp(-n, d), -quotient)
    }),
  )
})

test('divideHalfUp rounds known values', () => {
  const known: [bigint, bigint, bigint][] = [
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [4n, 3n, 1n],
    [5n, 3n, 2n],
    [1n, 3n, 0n],
    [0n, 7n, 0n],
  ]
  for (const [n, d, quotient] of known) assert.equal(divideHalfUp(n, d), quotient)
})

test('toWholeRupees rounds 49 paise down and 50 up', () => {
  assert.deepEqual([149n, 150n, 199n, 200n, -150n].map(toWholeRupees), [100n, 200n, 200n, 200n, -200n])
})

const assertReads = <T>(read: (text: string) => T, cases: Record<string, T>) => {
  for (const [text, expected] of Object.entries(cases)) assert.equal(read(text), expected, text)
}

test('FIS12 §7.3: moneyOf reads an amount with or without currency, and returns null for an invalid amount', () => {
  assertReads(moneyOf, {
    '17957.42': 1795742n,
    '17957.42 INR': 1795742n,
    'INR 1000': 100000n,
    '₹ 1,00,000.50': 10000050n,
    'Rs. 25,000/-': 2500000n,
    '0 INR': 0n,
    '2360.5': 236050n,
    '2360.5000': 236050n,
    '-1.00': -100n,
    '17957.425': null,
    P15D: null,
    '': null,
    '12 %': null,
    '1,2': null,
    '957,42': null,
    '1,00': null,
    '1,000,000': 100000000n,
    '1e5': null,
  })
  assert.equal(moneyOf(26936.14), 2693614n)
})

test('FIS12 §7.3: percentOf reads a percentage with or without a unit', () => {
  assertReads(percentOf, {
    '14%': '14%',
    '14 %': '14%',
    '14.25': '14.25%',
    '14 percent': '14%',
    '14% p.a.': '14%',
    '0014 %': '14%',
    '-0': '0%',
    '-0.5': '-0.5%',
    fixed: null,
    '1000 INR': null,
  })
})

// The boundary values of the exchange's fields.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnyObject, faults, orNull, type TSchema } from '@lendloom/foundation/schema'
import { rupees } from '@lendloom/lending/money'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import * as field from './fields.ts'
import { Mobile, Pan, PersonPan } from './lead.ts'

const fits = (schema: TSchema, value: unknown): boolean => faults(schema, value).length === 0
const cases: [string, TSchema, unknown[], unknown[]][] = [
  [
    'money has exactly two decimals and is never negative',
    field.Money,
    ['0.00', '0.05', '1234.50', '9999999999999.99'],
    [
      0,
      12.5,
      '',
      '0',
      '1',
      '1.5',
      '1.505',
      '-1.00',
      '+1.00',
      '01.00',
      '1,000.00',
      '1e3',
      '.50',
      ' 1.00',
      '1.00\n',
      '१.००',
      '10000000000000.00',
    ],
  ],
  ['an amount is above zero', field.PositiveMoney, ['0.01', '10.00'], ['0.00', '-1.00', null]],
  [
    'a date is a real day',
    field.BusinessDate,
    ['2026-11-20', '2024-02-29', '2000-02-29', '1970-01-01'],
    [
      '2026-02-29',
      '1900-02-29',
      '2026-11-31',
      '2026-13-01',
      '2026-00-10',
      '20-11-2026',
      '2026-1-1',
      '2026-11-20T00:00:00Z',
      '2026-11-20\n',
    ],
  ],
  [
    'an instant is UTC with Z',
    field.Instant,
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.123456Z', '2024-02-29T23:59:59.9Z'],
    [
      '2026-11-20T10:00:00',
      '2026-11-20T10:00:00+05:30',
      '2026-11-20T24:00:00Z',
      '2026-02-29T00:00:00Z',
      '2026-11-20 10:00:00Z',
      '2026-11-20T10:00:00z',
      '1795168800',
      1795168800,
    ],
  ],
  ['a version counts from one', field.Version, [1, 2_147_483_647], [0, -1, 1.5, '1', 2_147_483_648]],
  ['a loan ID is a numeric string', field.LoanId, ['70012345', '0'], ['', 'L1', 70012345, '7 0']],
  ['an ID is visible ASCII', field.Id, ['CASE-1', 'a'.repeat(128)], ['', ' ', 'a b', 'a'.repeat(129), 'é', 5]],
  ['a rate is a decimal string', field.Percent, ['24.00', '0', '35.0802'], ['24%', '-1', 24, '024', '.5']],
  [
    'a URL is https',
    field.Url,
    ['https://p.example/k', 'http://127.0.0.1:4100/k?a=b@c', 'http://localhost/k', 'https://p.example'],
    [
      'http://p.example/k',
      'http://127.0.0.1.evil.example/k',
      'http://localhost:80@evil.example/k',
      'https://p.example@evil.example/k',
      'javascript:alert(1)',
      'https://p.example/a b',
      '',
    ],
  ],
  ['text is not blank', field.Text(5), ['a', 'आशा', 'a\nb'], ['', '   ', 'abcdef', 'a\u0000b', 5]],
  [
    'the PAN of a person has P as fourth character',
    PersonPan,
    ['ABCPE1234F'],
    ['AAPFU0939F', 'AABCT1332L', 'abcpe1234f', 'ABCPE0000F'],
  ],
  [
    'a PAN has the holder type as fourth character',
    Pan,
    ['ABCPE1234F', 'AAPFU0939F'],
    ['ABCDE1234F', 'abcpe1234f', 'ABCPE0000F', ' ABCPE1234F'],
  ],
  [
    'a mobile number is Indian, with or without +91',
    Mobile,
    ['9876543210', '+919876543210', '919876543210'],
    ['5876543210', '09876543210', '+91 9876543210', 9876543210],
  ],
]
for (const [name, schema, good, bad] of cases) {
  test(`D3 §2.1: ${name}`, () => {
    for (const value of good) assert.ok(fits(schema, value), JSON.stringify(value))
    for (const value of bad) assert.ok(!fits(schema, value), JSON.stringify(value))
  })
}

test('D3 §2.1: property: a formatted amount is valid and parses back to the same paise', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (paise) => {
      assert.ok(fits(field.Money, rupees(paise)))
      assert.equal(field.paiseOf(rupees(paise)), paise)
      assert.equal(fits(field.PositiveMoney, rupees(paise)), paise > 0n)
    }),
  )
})

test('D3 §2.1: property: a date is valid if and only if it exists in the calendar', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1900, max: 2099 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (y, m, d) => {
        const text = `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
        const date = new Date(Date.UTC(y, m - 1, d))
        assert.equal(fits(field.BusinessDate, text), date.toISOString().slice(0, 10) === text)
      },
    ),
    { numRuns: roundsOf(2000) },
  )
})

test('D3 §2.1: property: a formatted instant is valid', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }), (at) =>
      assert.ok(fits(field.Instant, at.toISOString())),
    ),
  )
})

test('D3 §2.1: null is accepted only where it is allowed, as the only other value', () => {
  assert.ok(!fits(field.Money, null))
  for (const schema of [field.Money, field.Instant, field.Version, AnyObject]) assert.ok(fits(orNull(schema), null))
  assert.deepEqual(faults(orNull(field.Money), 5), [
    { path: '', message: 'must be an amount in rupees with exactly two decimals, such as "1234.50"' },
  ])
})

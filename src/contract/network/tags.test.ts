// Values are read in all spellings of lenders, and invalid ones are not guessed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rupees } from '#kit/money/money.ts'
import { chargeOf, countOf, moneyOf, monthsOf, percentOf, tagGroup, tagsOf } from './tags.ts'

const reads = <T>(read: (text: string) => T, cases: Record<string, T>) => {
  for (const [text, expected] of Object.entries(cases)) assert.equal(read(text), expected, text)
}

test('FIS12 §7.3: amounts are read with and without currency; an invalid one is null, never zero', () => {
  reads(moneyOf, {
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
    '1e5': null,
  })
  assert.equal(moneyOf(26936.14), 2693614n)
})

test('FIS12 §7.3: any written amount is read back', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 14n), (paise) => {
      assert.equal(moneyOf(rupees(paise)), paise)
      assert.equal(moneyOf(`${rupees(paise)} INR`), paise)
    }),
  )
})

test('FIS12 §7.3: reads percentages, months and counts', () => {
  reads(percentOf, {
    '14%': '14%',
    '14 %': '14%',
    '14.25': '14.25%',
    '14 percent': '14%',
    '14% p.a.': '14%',
    fixed: null,
    '1000 INR': null,
  })
  reads(monthsOf, {
    '12 months': 12,
    '1 month': 1,
    P12M: 12,
    P1Y: 12,
    P1Y6M: 18,
    '2 years': 24,
    '36': 36,
    P30D: null,
    P: null,
    soon: null,
  })
  reads(countOf, { '12': 12, '12.0': 12, '12 installments': 12, '0': null, '1.5': null, monthly: null })
})

test('FIS12 §7.1: a group is written without absent codes and read by code', () => {
  const group = tagGroup('LOAN_INFO', { TERM: '12 months', KFS_LINK: null })
  const about = { name: 'Term', short_desc: 'Time over which the loan is repaid' }
  assert.deepEqual(group, {
    descriptor: { code: 'LOAN_INFO', name: 'Loan Information' },
    display: true,
    list: [{ descriptor: { code: 'TERM', ...about }, value: '12 months' }],
  })
  assert.deepEqual(tagsOf([tagGroup('OTHER', {}), group], 'LOAN_INFO'), { TERM: '12 months' })
  assert.equal(tagsOf([group], 'LSP_INFO'), null)
  assert.equal(tagsOf(undefined, 'LSP_INFO'), null)
  const loose = {
    descriptor: { code: 'A' },
    list: [
      { descriptor: { code: 'X' }, value: 7 },
      { descriptor: { code: 'Y' }, value: ' ' },
    ],
  }
  assert.deepEqual(tagsOf([loose], 'A'), { X: '7' })
})

test('D1 §2.4: a charge has one format for amounts and one for percentages; other texts are kept', () => {
  reads(chargeOf, {
    '0 INR': '0.00',
    '₹ 1,180': '1180.00',
    '500 INR': '500.00',
    'Rs. 2.5': '2.50',
    '2360.00': '2360.00',
    '500': '500',
    '2.5': '2.5',
    '1,180.5': '1,180.5',
    '0': '0',
    '0.0': '0.0',
    '1%': '1%',
    '1.50 %': '1.5%',
    '2.00%': '2%',
    '20%': '20%',
    '3 percent': '3%',
    '2% of the outstanding principal': '2% of the outstanding principal',
    '18 % p.a.': '18 % p.a.',
    '24% per annum': '24% per annum',
    12: '12',
    '': '',
  })
})

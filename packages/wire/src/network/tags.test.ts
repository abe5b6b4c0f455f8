// Tag values are parsed in all spellings of lenders. An invalid value becomes null.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf, monthsOf, tagGroup, tagsOf } from './tags.ts'

const assertParsed = <T>(parse: (text: string) => T, cases: Record<string, T>) => {
  for (const [text, expected] of Object.entries(cases)) assert.equal(parse(text), expected, text)
}

test('FIS12 §7.3: months and counts are parsed in all known spellings', () => {
  assertParsed(monthsOf, {
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
  assertParsed(countOf, { '12': 12, '12.0': 12, '12 installments': 12, '0': null, '1.5': null, monthly: null })
})

test('FIS12 §7.1: a tag group omits codes without a value', () => {
  const group = tagGroup('LOAN_INFO', { TERM: '12 months', KFS_LINK: null })
  const texts = { name: 'Term', short_desc: 'Time over which the loan is repaid' }
  assert.deepEqual(group, {
    descriptor: { code: 'LOAN_INFO', name: 'Loan Information' },
    display: true,
    list: [{ descriptor: { code: 'TERM', ...texts }, value: '12 months' }],
  })
  assert.deepEqual(tagsOf([tagGroup('OTHER', {}), group], 'LOAN_INFO'), { TERM: '12 months' })
  assert.equal(tagsOf([group], 'LSP_INFO'), null)
  assert.equal(tagsOf(undefined, 'LSP_INFO'), null)
  const untidyGroup = {
    descriptor: { code: 'A' },
    list: [
      { descriptor: { code: 'X' }, value: 7 },
      { descriptor: { code: 'Y' }, value: ' ' },
    ],
  }
  assert.deepEqual(tagsOf([untidyGroup], 'A'), { X: '7' })
})

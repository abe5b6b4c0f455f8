// Dates as borrowers paste them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pastedDate } from './date-entry.ts'

test('a pasted date may have its day or its year first, with any usual separator or none', () => {
  for (const text of [
    '17041992',
    '17/04/1992',
    ' 17-04-1992\n',
    '17.04.1992',
    '17 04 1992',
    '1992-04-17',
    '1992/04/17',
  ])
    assert.equal(pastedDate(text), '1992-04-17', text)
  assert.equal(pastedDate('7/4/1992'), '1992-4-7')
  for (const text of [
    '',
    '17',
    '1704',
    '17/04',
    '17/04/92',
    '17 Apr 1992',
    '170419922',
    '17/04/1992/1',
    '<b>17/04/1992',
  ])
    assert.equal(pastedDate(text), null, text)
})

// Dates as borrowers paste them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pastedDate } from './date-entry.ts'

const at = new Date('2026-11-20T05:00:00Z')

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
    assert.equal(pastedDate(text, at), '1992-04-17', text)
  assert.equal(pastedDate('7/4/1992', at), '1992-4-7')
  for (const text of [
    '',
    '17',
    '1704',
    '17/04',
    '17 Apl 1992',
    'April 1992',
    '17 M 1992',
    '170419922',
    '17/04/1992/1',
    '<b>17/04/1992',
  ])
    assert.equal(pastedDate(text, at), null, text)
})

test('a pasted date may name its month, before or after the day', () => {
  for (const text of [
    '29 Feb 1992',
    '29 February 1992',
    '29-FEB-1992',
    'Feb 29, 1992',
    'february 29 1992',
    '1992 Feb 29',
  ])
    assert.equal(pastedDate(text, at), '1992-2-29', text)
  assert.equal(pastedDate('1 Sept 1992', at), '1992-9-1')
})

test('a pasted year of two digits is one at which the borrower is at least 18', () => {
  assert.equal(pastedDate('29/02/92', at), '1992-02-29')
  assert.equal(pastedDate('20/11/08', at), '2008-11-20')
  assert.equal(pastedDate('21/11/08', at), '1908-11-21')
  assert.equal(pastedDate('29 Feb 92', at), '1992-2-29')
})

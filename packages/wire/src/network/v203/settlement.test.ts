// The finder's fee and the spellings of its type.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { feeTypeOf, finderFeeOf, finderFeeOwed } from './settlement.ts'

const loan = { principal: 20_000_000n, termMonths: 12, total: 21_834_909n }

test('FIS12 §7.2: the fee of each type is computed to the paisa', () => {
  assert.equal(finderFeeOwed({ type: 'percent-annualized', value: '1' }, loan), 200_000n)
  assert.equal(finderFeeOwed({ type: 'percent-annualized', value: '0.75' }, { ...loan, termMonths: 18 }), 225_000n)
  assert.equal(finderFeeOwed({ type: 'percent', value: '1' }, loan), 218_349n)
  assert.equal(finderFeeOwed({ type: 'amount', value: '500.50' }, loan), 50_050n)
  assert.throws(() => finderFeeOwed({ type: 'percent', value: 'one' }, loan), /not a decimal number/)
})

test('FIS12 §7.1: the fee type is accepted in any case and with any separators', () => {
  for (const text of ['percent-annualized', 'PERCENT_ANNUALIZED', 'Percent Annualized'])
    assert.equal(feeTypeOf(text), 'percent-annualized')
  assert.equal(feeTypeOf('PERCENT'), 'percent')
  assert.equal(feeTypeOf('flat'), null)
  assert.equal(finderFeeOf(undefined), null)
})

// Amounts as borrowers type and paste them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bareAmount } from './bare-amount.ts'

test('an amount loses the marks around its digits', () => {
  for (const text of ['200000', '2,00,000', ' Rs. 2,00,000.00/-', '₹ 2 00 000', 'INR 200000', '0200000'])
    assert.equal(bareAmount(text), '200000', text)
})

test('an amount may be in the digits of any language of the page', () => {
  for (const text of ['१,२५,०००', '১,২৫,০০০', '௧,௨௫,௦௦௦', '౧,౨౫,౦౦౦']) assert.equal(bareAmount(text), '125000', text)
  assert.equal(bareAmount('०१२३४५६७८९'), '123456789')
})

test('an amount keeps what makes it another one, or none', () => {
  assert.equal(bareAmount('-5'), '-5')
  assert.equal(bareAmount('₹ -5,000'), '-5000')
  assert.equal(bareAmount('1.25 lakh'), '1.25lakh')
  assert.equal(bareAmount('500.50'), '500.50')
})

// The desk's formats of money, days and states.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paiseFrom } from '#kit/money/money.ts'
import { day, inr, plain, plainly, sentence, when } from './format.ts'

test('money has Indian grouping, to the paisa, for any amount', () => {
  const written = ['0.00', '999.90', '100000.00', '-12345678.05', '123456789012345.67'].map((each) =>
    inr(paiseFrom(each)!),
  )
  assert.deepEqual(written, ['₹0.00', '₹999.90', '₹1,00,000.00', '-₹1,23,45,678.05', '₹12,34,56,78,90,12,345.67'])
})

test('days and times are Indian', () => {
  assert.equal(day('2026-11-20').text, '<time datetime="2026-11-20">20 Nov 2026</time>')
  const at = new Date('2026-11-20T20:00:00Z')
  assert.match(when(at).text, /^<time datetime="2026-11-20T20:00:00.000Z">21 Nov 2026, 1:30.am<\/time>$/)
})

test('states are written as words; abbreviations stay', () => {
  assert.deepEqual(['READY_TO_DISBURSE', 'KYC_PENDING', 'ENACH', 'ESIGN_PENDING'].map(plain), [
    'Ready to disburse',
    'KYC pending',
    'eNACH',
    'E-sign pending',
  ])
  assert.equal(plainly('LENDER_KYC_REVIEW'), 'lender KYC review')
  assert.equal(
    sentence('the case is READY_TO_DISBURSE: this KYC cannot be reviewed'),
    'The case is ready to disburse: this KYC cannot be reviewed.',
  )
})

// Every reason has advice, except those about a payment or a drawdown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceOn, bureauNamed } from './advice.ts'
import { reasons } from './reason.ts'

const ofPayments = /^PAYMENT_|^LOAN_REPAID|^NO_INSTALMENT|^LENDER_NOT_ANSWERING|^NOT_POSSIBLE_NOW|^DEBIT_|^DRAWDOWN_/

test('D1 §2.6: each reason that ends a journey has exactly one advice', () => {
  for (const reason of reasons) assert.equal(adviceOn([reason]).length, ofPayments.test(reason) ? 0 : 1, reason)
})

test('advice is listed once, the most actionable first', () => {
  const sortedAdvice = adviceOn([
    'NO_OFFER_POSSIBLE',
    'INCOME_TOO_LOW',
    'CREDIT_SCORE',
    'LENDER_POLICY',
    'CREDIT_SCORE_TOO_LOW',
  ])
  assert.deepEqual(sortedAdvice, ['CREDIT', 'INCOME', 'POLICY'])
})

test('a bureau is recognised only by its name', () => {
  for (const name of ['CIBIL', 'TRANSUNION_CIBIL', 'cibil-v2']) assert.equal(bureauNamed(name), 'CIBIL', name)
  assert.deepEqual(['EXPERIAN_INDIA', 'CRIF9', 'SANDBOX_BUREAU', 'EXPERIANCE'].map(bureauNamed), [
    'EXPERIAN',
    'CRIF',
    null,
    null,
  ])
})

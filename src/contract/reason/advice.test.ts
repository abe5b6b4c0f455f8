// Every reason has advice, except those about a payment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceOn, bureauIn, bureauNamed } from './advice.ts'
import { type ForeignText, reasons } from './reason.ts'

const ofPayments = /^PAYMENT_|^LOAN_REPAID|^NO_INSTALMENT|^LENDER_NOT_ANSWERING|^NOT_POSSIBLE_NOW/
const asForeignText = (text: string) => text as ForeignText

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
  assert.equal(bureauIn(asForeignText('Your cibil score is below 650')), 'CIBIL')
  assert.equal(bureauIn(asForeignText('CRIF High Mark shows an overdue loan')), 'CRIF')
  assert.equal(bureauIn(asForeignText('No experience with this employer')), null)
  assert.equal(bureauIn('CREDIT_SCORE'), null)
  for (const name of ['CIBIL', 'TRANSUNION_CIBIL', 'cibil-v2']) assert.equal(bureauNamed(name), 'CIBIL', name)
  assert.deepEqual(['EXPERIAN_INDIA', 'CRIF9', 'SANDBOX_BUREAU', 'EXPERIANCE'].map(bureauNamed), [
    'EXPERIAN',
    'CRIF',
    null,
    null,
  ])
  assert.deepEqual(adviceOn([asForeignText('Equifax: no history'), asForeignText('Policy 7')]), ['CREDIT', 'POLICY'])
})

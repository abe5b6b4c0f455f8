// What the transcript shows of a message: enough to follow a loan, nothing of a person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stepNamed } from '#contract/network/fixtures/personal-loan.ts'
import { gistOf, maskedBody } from './gist.ts'

const bodyOf = (step: string) => JSON.stringify({ message: stepNamed(step).message })

test('FIS12 §8.1: the gist follows the loan', () => {
  assert.equal(gistOf(bodyOf('search')), 'PERSONAL_LOAN')
  assert.match(gistOf(bodyOf('on_select_3')), /^asks for KYC · INR \d/)
  assert.match(gistOf(bodyOf('on_status_kyc')), /APPROVED/)
  assert.match(gistOf(bodyOf('on_confirm')), /SANCTIONED · INR .* · order /)
  assert.equal(gistOf(JSON.stringify({ error: { code: '80226', message: 'A. Kamble declined' } })), 'error 80226')
  assert.equal(gistOf(bodyOf('status')), 'about the transaction')
})

test('FIS12 §14.10: names, phones, e-mails, accounts and PANs are masked', () => {
  const text = maskedBody(bodyOf('on_init_1'))
  const { person, contact } = stepNamed('on_init_1').message.order.fulfillments[0].customer
  for (const secret of [person.name, contact.phone, contact.email]) assert.ok(!text.includes(secret), secret)
  assert.ok(text.includes('GRO_NAME'), 'who answers for the lender stays readable')
  assert.ok(!maskedBody('{"note":"pan ABCPE1234F"}').includes('ABCPE1234F'))
  assert.ok(
    !maskedBody(bodyOf('confirm')).includes(stepNamed('confirm').message.order.payments[0].params.bank_account_number),
  )
})

test('FIS12 §14.10: any text at all is shown without failing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      assert.equal(typeof gistOf(text), 'string')
      assert.equal(typeof maskedBody(text), 'string')
    }),
  )
})

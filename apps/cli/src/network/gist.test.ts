// Summaries and masked bodies of network messages contain no personal data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grievanceStep } from '@lendloom/tests/network-messages/grievance'
import { type Json, stepNamed as lamfStep } from '@lendloom/tests/network-messages/lamf'
import { stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import fc from 'fast-check'
import { gistOf, maskedBody } from './gist.ts'

const bodyOf = (step: string) => JSON.stringify({ message: stepNamed(step).message })

test('FIS12 §8.1: messages of a personal loan are summarized', () => {
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
  assert.ok(text.includes('GRO_NAME'), 'the name of the lender’s grievance officer stays readable')
  assert.ok(!maskedBody('{"note":"pan ABCPE1234F"}').includes('ABCPE1234F'))
  assert.ok(
    !maskedBody(bodyOf('confirm')).includes(stepNamed('confirm').message.order.payments[0].params.bank_account_number),
  )
})

test('FIS12 §10.2: messages of a loan against mutual funds are summarized, with the borrower’s form masked', () => {
  const body = (step: string) => JSON.stringify({ message: lamfStep(step).message })
  assert.equal(gistOf(body('search')), 'LOAN')
  assert.equal(gistOf(body('search_profile')), 'PERSONAL_INFORMATION_LAMF')
  assert.equal(gistOf(body('aa_search_consent')), 'CONSENT_APPROVAL')
  assert.match(gistOf(body('on_search_offers')), / · INR \d+\.\d\d$/)
  assert.match(gistOf(body('aa_on_search_consent')), / · asks for a consent$/)
  assert.match(gistOf(body('on_init_2')), /asks for LIEN_MARKING/)
  const { data } = lamfStep('search_profile').message.intent.provider.items[0].xinput.form
  const shown = maskedBody(body('search_profile'))
  for (const name of ['fullName', 'pan', 'dob', 'mobileNumber', 'emailId', 'addressL1', 'statementUpload'])
    assert.ok(!shown.includes(data[name].value), name)
  const order = lamfStep('init_1').message.order
  const { list } = order.payments[0].tags[0]
  const holder = list.find(({ descriptor }: Json) => descriptor.code === 'ACCOUNT_HOLDER_NAME')
  assert.ok(!maskedBody(body('init_1')).includes(holder.value))
  assert.ok(!maskedBody(body('init_1')).includes(order.payments[0].params.bank_account_number))
})

test('FIS12 §20: messages of a complaint are summarized, with the borrower’s text masked', () => {
  const body = (step: string) => JSON.stringify({ message: grievanceStep(step).message })
  assert.equal(gistOf(body('issue_open')), 'ISSUE · PMT01 · OPEN')
  assert.equal(gistOf(body('on_issue_processing')), 'PROCESSING')
  assert.equal(gistOf(body('on_issue_status_decided')), 'RESOLVED · REFUND')
  assert.equal(gistOf(body('issue_close')), 'CLOSE · THUMBS-UP')
  assert.equal(gistOf(body('issue_status')), 'about the complaint')
  const { complainant_info: complainant, description } = grievanceStep('issue_added').message.issue
  const shown = maskedBody(body('issue_added'))
  for (const secret of [
    complainant.person.name,
    complainant.contact.phone,
    description.long_desc,
    description.additional_desc.url,
  ])
    assert.ok(!shown.includes(JSON.stringify(secret).slice(1, -1)), secret)
})

test('FIS12 §14.10: bank data, business details and each profile field are masked in network and partner messages', () => {
  const secrets = {
    ifsc: 'HDFC0000001',
    udyam_number: 'UDYAM-MH-18-0000001',
    annual_turnover: '1200000.00',
    monthly_income: '85000.00',
    postal_code: '411001',
    companyName: 'Asha Stores',
    contact_number: '9876543210',
  }
  const tag = { descriptor: { code: 'ACCOUNT_NUMBER' }, value: '000123456' }
  const shown = maskedBody(JSON.stringify({ business: { name: 'Asha Stores' }, ...secrets, tag }))
  assert.ok(!maskedBody('{"note":"PAN-ABCPE1234F"}').includes('ABCPE1234F'))
  for (const secret of [...Object.values(secrets), tag.value]) assert.ok(!shown.includes(secret), secret)
})

test('FIS12 §14.10: any text, also invalid JSON, gets a summary and a masked body', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      assert.equal(typeof gistOf(text), 'string')
      assert.equal(typeof maskedBody(text), 'string')
    }),
  )
})

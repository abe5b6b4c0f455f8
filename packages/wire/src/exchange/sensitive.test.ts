// Rejects full Aadhaar numbers and bank-login credentials in any field, and accepts other numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedDocument } from '@lendloom/foundation/mask-document'
import { leafPaths, valueAt, withChange } from '@lendloom/tests/setup/exchange-change'
import { exampleEvent } from '#wire/exchange/example/event.ts'
import { envelopeFaults } from './envelope.ts'
import { sensitiveFaults } from './fields.ts'

const aadhaar = '999999990019'
const lead = () => exampleEvent('LEAD_SUBMITTED')
const faultPaths = (event: unknown): string[] => envelopeFaults(event).map(({ path }) => path)

test('D3 §2.1: an Aadhaar number is refused in every text field of a lead', () => {
  const freeTextPaths = leafPaths(lead()).filter((path) =>
    /name|line|city|state|industry|constitution|reason/.test(path),
  )
  assert.ok(freeTextPaths.length > 15)
  for (const path of freeTextPaths)
    for (const text of [aadhaar, '9999 9999 0019', '9999-9999-0019', ` ${aadhaar} `])
      assert.ok(faultPaths(withChange(lead(), path, text)).includes(path), `${path} ${text}`)
})

test('D3 §2.1: an Aadhaar number is refused within texts, keys, unknown fields and provider data', () => {
  const cases: [path: string, value: unknown, faultPath: string][] = [
    [
      'data.borrower.residential_address.line1',
      `Aadhaar ${aadhaar}, Market Road`,
      'data.borrower.residential_address.line1',
    ],
    ['data.business.name', `Stores (9999 9999 0019)`, 'data.business.name'],
    ['data.added', { deep: [{ note: aadhaar }] }, 'data.added.deep.0.note'],
    ['data.added', { [aadhaar]: true }, 'data.added'],
    ['data.bureau.report_data', { ids: [{ type: 'UID', value: aadhaar }] }, 'data.bureau.report_data.ids.0.value'],
    ['data.bureau.report_data', { uid: Number(aadhaar) }, 'data.bureau.report_data.uid'],
    ['data.bureau.report_data', { remark: 'seen 9999 9999 0019' }, 'data.bureau.report_data.remark'],
    ['data.bureau.report_data', { remark: `aadhaar no ${aadhaar}` }, 'data.bureau.report_data.remark'],
  ]
  for (const [path, value, expectedPath] of cases)
    assert.deepEqual(faultPaths(withChange(lead(), path, value)), [expectedPath], JSON.stringify(value))
})

test('D3 §2.1: account, mobile and bank reference numbers of twelve digits are accepted', () => {
  const cases: [path: string, value: unknown][] = [
    ['data.banking.account.account_number', aadhaar],
    [
      'data.banking.report_data',
      { rows: [{ narration: `UPI/${aadhaar}/rent`, utr: aadhaar, accountNumber: aadhaar }] },
    ],
    ['data.borrower.residential_address.line1', 'House 999999990018'],
    ['data.dedupe_reference_id', aadhaar],
    ['data.business.annual_turnover', `${aadhaar}.00`],
    ['event_id', '99999999-0019-4000-8000-000000000000'],
    ['event_id', '00000000-9999-4999-9001-900000000000'],
    ['data.added', { document_id: aadhaar, note: `00000000-0000-4000-8000-${aadhaar}` }],
    ['data.borrower.residential_address.line1', 'House 99999999001912'],
  ]
  for (const [path, value] of cases)
    assert.deepEqual(faultPaths(withChange(lead(), path, value)), [], JSON.stringify(value))
  assert.deepEqual(faultPaths(withChange(exampleEvent('PAYMENT_UPDATED'), 'data.bank_reference', aadhaar)), [])
  assert.deepEqual(
    faultPaths(withChange(exampleEvent('PAYMENT_CLAIM_SUBMITTED'), 'data.transaction_reference', aadhaar)),
    [],
  )
  assert.deepEqual(sensitiveFaults({ applicant: { mobile: '919876543210' } }), [])
})

test('D3 §2.1: a refusal does not repeat the number', () => {
  const found = sensitiveFaults({ a: aadhaar, [aadhaar]: 1, deep: { [aadhaar]: { x: aadhaar } } })
  assert.equal(found.length, 3)
  assert.ok(!JSON.stringify(found).includes(aadhaar))
})

test('D3 §2.1: bank-login credentials are refused by their names', () => {
  for (const key of ['password', 'netbanking_password', 'bank_user_id', 'login_password', 'otp', 'mpin', 'cvv'])
    assert.deepEqual(faultPaths(withChange(lead(), `data.banking.${key}`, 'x')), [`data.banking.${key}`], key)
  for (const key of ['bank_name', 'pin', 'pincode', 'user_id', 'options'])
    assert.deepEqual(faultPaths(withChange(lead(), `data.banking.${key}`, 'x')), [], key)
})

test('D3 §7: the number of reported faults is bounded', () => {
  const many = Array.from({ length: 5000 }, () => ({ ['k'.repeat(300)]: aadhaar }))
  const found = sensitiveFaults({ many })
  assert.equal(found.length, 100)
  assert.ok(found.every(({ path }) => path.length <= 200))
})

test('D3 §2.3: displayed documents mask every field of the borrower, the business and the bank account but named ones', () => {
  const { borrower, business, banking } = exampleEvent('LEAD_SUBMITTED').data
  const shown = { borrower, business, account: banking.account }
  const masked = maskedDocument(shown)
  const unmasked = leafPaths(shown).filter(
    (path) => valueAt(shown, path) !== null && valueAt(shown, path) === valueAt(masked, path),
  )
  const harmless = /\.(state|country|employment_type|constitution|industry|account_type|bank_name)$/
  assert.deepEqual(
    unmasked.filter((path) => !harmless.test(path)),
    [],
  )
  assert.ok(unmasked.length > 5, 'the named fields stay readable')
})

// The search of the desk over real HTTP: by name, mobile, PAN and every number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { nameWords } from '#partner/origination/case/search/search-key.ts'
import { lookUpsOf } from './look-ups.ts'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { db } = partner
const meera = await deskPerson(partner, 'Meera', 'viewer')
const loanCase = new TestCase(partner)
Object.assign(loanCase.lead.borrower, { first_name: 'Ashaa', middle_name: null, last_name: 'Deshpande' })
loanCase.lead.business.name = 'Lotus Tea Stall'
await loanCase.runToAcceptedOffer()
await loanCase.verify()
const { caseRef, lead } = loanCase
const page = `/desk/cases/${caseRef}`
const umrn = exampleData('MANDATE_UPDATED').umrn!
const isFound = async (q: string): Promise<boolean> => (await meera.send('/desk/search', { q })).location === page

test('D3 §3: a case is found by name, mobile, PAN, e-mail, account and registration number in any spelling', async () => {
  const { borrower, business, banking } = lead
  for (const q of [
    'asha deshpande',
    'DESHPANDE, Asha',
    'lotus tea',
    borrower.pan.toLowerCase(),
    borrower.mobile.slice(-10),
    `+91 ${borrower.mobile.slice(-10, -5)} ${borrower.mobile.slice(-5)}`,
    `0${borrower.mobile.slice(-10)}`,
    banking.account!.account_number,
    ...[borrower.email, business.gstin, business.udyam_number].filter((each) => each !== null),
  ])
    assert.ok(await isFound(q), q)
  for (const q of ['asha kulkarni', 'ABCPE9999Z', '9999999999', 'desh', ' ']) assert.ok(!(await isFound(q)), q)
})

test('D3 §3: a case is found by every number: application, lead, loan, mandate, reference, UTR, claim', async () => {
  const paymentId = uuidv4()
  await db`
    insert into payment (case_ref, payment_id, status, method, amount_paise, installment_ids, claim_reference, claimed_reference,
      bank_reference, value_on, created_at, updated_at)
    values (${caseRef}, ${paymentId}, 'POSTED', 'UPI', 100, '{}', 'CLAIM-77', 'N062261234567890', 'SBIN526000123', '2026-11-20', now(), now())`
  await until('the mandate is stored', () => isFound(umrn))
  for (const q of [
    caseRef,
    loanCase.leadId!,
    loanCase.loanId!,
    umrn,
    paymentId,
    'CLAIM-77',
    'N062261234567890',
    'SBIN526000123',
  ])
    assert.ok(await isFound(q), q)
})

test('a search lists several matches and unmatched receipts, and the log does not contain its text', async () => {
  const other = new TestCase(partner)
  Object.assign(other.lead.borrower, { first_name: 'Asha', last_name: 'Deshpande' })
  await other.register()
  const { status, text, html } = await meera.send('/desk/search', { q: 'asha deshpande' })
  assert.match(html, /Search by name[^>]*>\s*(?:<\/?span>)?<input type="search" name="q" value="asha deshpande"/)
  assert.equal(status, 200)
  assert.match(text, /Ashaa Deshpande[\s\S]*Name/)
  assert.match(text, /Asha Deshpande/)
  const number = `Application ${other.leadId}`
  assert.ok(text.includes(number), 'before a loan, a case has the number of its application')
  for (const path of ['/desk/cases', `/desk/cases/${other.caseRef}`])
    assert.ok((await meera.view(path)).text.includes(number), path)
  await db`
    insert into bank_receipt (provider, receipt_id, method, transaction_reference, amount_paise, value_on, words_sealed, received_at)
    values ('bank', 'RCPT-1', 'NEFT', 'HDFC9000', 12300, '2026-11-20', '\\x00', now())`
  assert.match((await meera.send('/desk/search', { q: 'HDFC9000' })).text, /Unmatched receipts[\s\S]*₹123/)
  const [entry] = await db<{ detail: string }>`
    select detail from audit_entry where act = 'SEARCHED' order by sequence desc limit 1`
  assert.equal(entry!.detail, '{"found":0}')
})

test('results have pages and a CSV with all rows, and no address contains the search text', async () => {
  await db`
    insert into bank_receipt (provider, receipt_id, method, transaction_reference, amount_paise, value_on, words_sealed, received_at)
    select 'bank', 'MANY-' || i, 'NEFT', 'SAME-UTR-1', 100 * i, '2026-11-20', '\\x00', now() from generate_series(1, 130) i`
  const first = await meera.send('/desk/search', { q: 'SAME-UTR-1' })
  assert.doesNotMatch(first.html, /\?[^"]*SAME-UTR-1/)
  const next = /data-next="([^"]+)"/.exec(first.html)![1]!
  const second = await meera.send('/desk/search', { q: 'SAME-UTR-1', 'at-unmatched-receipts': next })
  assert.notEqual(second.html, first.html)
  assert.equal((await meera.send('/desk/search', { q: 'SAME-UTR-1', csv: 'unmatched-receipts' })).status, 403)
  const devika = await deskPerson(partner, 'Devika', 'accounts')
  assert.match((await devika.send('/desk/search', { q: 'SAME-UTR-1' })).html, /Download CSV: Unmatched receipts/)
  const file = await devika.send('/desk/search', { q: 'SAME-UTR-1', csv: 'unmatched-receipts' })
  assert.equal(file.status, 200)
  assert.equal(file.html.trim().split('\r\n').length, 131, 'the head and 130 receipts')
  assert.equal((await devika.send('/desk/search', { q: 'SAME-UTR-1', csv: 'cases-found' })).status, 404)
})

test('a text is compared only with fields of its format', () => {
  assert.deepEqual(lookUpsOf('ABCPE1234F').personal, [{ kind: 'pan', text: 'ABCPE1234F' }])
  assert.deepEqual(lookUpsOf('asha@x.example').personal, [{ kind: 'email', text: 'asha@x.example' }])
  assert.deepEqual(lookUpsOf('Asha  Rao').names, ['asa', 'rao'])
  assert.deepEqual(
    lookUpsOf('9876543210').personal.map(({ kind }) => kind),
    ['mobile', 'account', 'reference'],
  )
  assert.equal(lookUpsOf('Asha').number, null)
  assert.deepEqual(nameWords('Élodie D’Souza'), nameWords('elodie D Soûza'))
})

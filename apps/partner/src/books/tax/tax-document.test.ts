// Invoices and notes for fees: their numbers, their tax by place, and their agreement with the ledger.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import type { Db } from '@lendloom/postgres/sql'
import { disbursedOn, testAccounts } from '@lendloom/tests/setup/account'
import { exampleLead } from '@lendloom/wire/exchange/example/event'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { returnPayout } from '#partner/servicing/loan/return-payout.ts'
import { issueTaxDocuments } from './issue-tax-documents.ts'
import { documentsOfCase, seriesOf, taxOfDocuments } from './store.ts'
import { documentNumberText, ratePercent, taxedFeeOf } from './tax-document.ts'

const on = (day: number): string => plusDays(disbursedOn, day)
const allTime = { from: '2000-01-01', to: '2099-12-31' }

async function numbersOf(db: Db, caseRef: string): Promise<string[]> {
  return (await documentsOfCase(db, caseRef)).map((each) => `${documentNumberText(each)} ${each.issuedOn}`)
}

test('D3 §2.4: each fee has an invoice, its refund a credit note, and its second charge a debit note', async () => {
  const { db, open, receive, reverse, requestExit, exitOn, endDay, setClock } = await testAccounts()
  const first = await open()
  const second = await open()
  await open({ feePercent: '0' })
  await requestExit(first, on(1))
  await receive(first, await exitOn(first, on(1)), on(1), 'exit')
  assert.deepEqual(await numbersOf(db, first), [], 'before the day-end')
  await endDay(on(0))
  setClock(startOf(on(3)))
  await reverse(first, 'exit', on(3))
  await endDay(on(2))
  assert.equal((await numbersOf(db, first)).length, 2, 'the day of the return is not closed')
  await endDay(on(3))
  const [invoice, creditNote, debitNote] = await numbersOf(db, first)
  assert.match(invoice!, /^INV\/2627\/000000[12] 2026-11-20$/)
  assert.equal(creditNote, `CRN/2627/0000001 ${on(1)}`)
  assert.equal(debitNote, `DBN/2627/0000001 ${on(3)}`)
  assert.match((await numbersOf(db, second)).join(), /^INV\/2627\/000000[12] 2026-11-20$/)
  const balances = [await balancesOf(db, first), await balancesOf(db, second)]
  const owed = balances.reduce((sum, { TAX_PAYABLE }) => sum - TAX_PAYABLE, 0n)
  assert.equal(await taxOfDocuments(db, allTime), owed)
  assert.equal(rupees(owed), '720.00')
})

test('D3 §2.4: when the payout comes back after the fee was refunded, both the refund and the fee are undone by notes', async () => {
  const { db, act, open, receive, requestExit, exitOn, endDay, setClock } = await testAccounts()
  const caseRef = await open()
  await requestExit(caseRef, on(1))
  await receive(caseRef, await exitOn(caseRef, on(1)), on(1), 'exit')
  setClock(startOf(on(3)))
  await act(caseRef, (tx, at) => returnPayout(tx, { caseRef, on: on(3) }, at))
  await endDay(on(3))
  const documents = await documentsOfCase(db, caseRef)
  const named = documents.map((each) => `${documentNumberText(each)} ${each.issuedOn} of ${each.entryId}`)
  assert.deepEqual(named.toSorted(), [
    `CRN/2627/0000001 ${on(1)} of fee-return-1-of-exit`,
    `CRN/2627/0000002 ${on(3)} of return-of-disbursement`,
    `DBN/2627/0000001 ${on(3)} of return-of-fee-return-1-of-exit`,
    `INV/2627/0000001 ${on(0)} of disbursement`,
  ])
  assert.equal((await balancesOf(db, caseRef)).TAX_PAYABLE, 0n)
  assert.equal(await taxOfDocuments(db, allTime), 0n)
})

test('D3 §2.4: concurrent and repeated runs number each fee once, without a gap, and each year begins at 1', async () => {
  const { db, ctx, open, endDay, setClock } = await testAccounts()
  await open()
  await endDay(on(0))
  const days = ['2027-03-30', '2027-03-31', '2027-04-01']
  const caseRefs: string[] = []
  for (const day of days) {
    setClock(startOf(day))
    for (let i = 0; i < 9; i++) caseRefs.push(await open({}, day))
  }
  const before = (await seriesOf(db)).find(({ kind }) => kind === 'INVOICE')!.highest
  assert.equal(before, 1, 'the year has begun with the invoice of another day')
  await issueTaxDocuments(ctx, days[0]!)
  // A part of a day is numbered, as after a crash.
  await db`delete from tax_document where issued_on = ${days[0]!} and number > ${before + 4}`
  const counts = await Promise.all(Array.from({ length: 6 }, () => issueTaxDocuments(ctx, days[2]!)))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    23,
  )
  assert.equal(await issueTaxDocuments(ctx, days[2]!), 0)
  const invoices = (await seriesOf(db)).filter(({ kind }) => kind === 'INVOICE')
  assert.deepEqual(
    invoices.map(({ financialYear, documents, highest }) => ({ financialYear, documents, highest })),
    [
      { financialYear: 2026, documents: before + 18, highest: before + 18 },
      { financialYear: 2027, documents: 9, highest: 9 },
    ],
  )
  const documents = (await Promise.all(caseRefs.map((caseRef) => documentsOfCase(db, caseRef)))).flat()
  assert.equal(documents.length, caseRefs.length)
  const inOrder = documents.sort((a, b) => documentNumberText(a).localeCompare(documentNumberText(b)))
  assert.deepEqual(
    inOrder.map(({ issuedOn }) => issuedOn),
    days.flatMap((day) => Array.from({ length: 9 }, () => day)),
    'a later number has no earlier day',
  )
})

const fee = { fee: 2_001_00n, tax: 360_19n }
const lenderGstin = '29AAZCC9999Q1ZO'

test('D3 §2.4: the tax is central and of the state within the lender’s state, and integrated otherwise', () => {
  const { borrower, business } = exampleLead()
  const at = (postal_code: string, state: string, gstin: string | null = null) => {
    const address = { ...borrower.residential_address, postal_code, state }
    const lead = { borrower: { ...borrower, residential_address: address }, business: { ...business, gstin } }
    const { place, integrated, central, state: ofState, total } = taxedFeeOf(fee, lead, lenderGstin)
    assert.equal(total, fee.fee + integrated + central + ofState)
    return [place, ...[integrated, central, ofState].map(rupees)]
  }
  assert.deepEqual(at('560001', 'Karnataka'), ['29', '0.00', '180.09', '180.10'])
  assert.deepEqual(at('600001', 'KA'), ['33', '360.19', '0.00', '0.00'], 'the PIN code is more certain than the state')
  assert.deepEqual(at('560001', 'Karnataka', '33ABCPE1234F1ZI'), ['33', '360.19', '0.00', '0.00'])
  // Post offices of 605007 are in two states.
  assert.deepEqual(at('605007', ' puducherry '), ['34', '360.19', '0.00', '0.00'])
  assert.deepEqual(at('605007', 'unknown'), ['29', '0.00', '180.09', '180.10'], 'the lender’s state without another')
})

test('D3 §2.4: the rate of a rounded tax is the whole rate of the product', () => {
  assert.equal(ratePercent({ fee: 2_000_00n, tax: 360_00n }), '18')
  assert.equal(ratePercent({ fee: 1_111_00n, tax: 200_00n }), '18', 'a tax of 199.98 is 200 in whole rupees')
  assert.equal(ratePercent({ fee: 100_000_00n, tax: 12_500_00n }), '12.50')
  assert.equal(ratePercent({ fee: 0n, tax: 0n }), '0')
})

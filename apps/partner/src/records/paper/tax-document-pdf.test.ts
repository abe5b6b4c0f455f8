// What invoices, credit notes and debit notes say about why they were issued.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { disbursedOn, testAccounts } from '@lendloom/tests/setup/account'
import { textsOf } from '@lendloom/tests/setup/pdf-text'
import { exampleLead } from '@lendloom/wire/exchange/example/event'
import { readEntries } from '#partner/books/ledger/store.ts'
import { documentsOfCase } from '#partner/books/tax/store.ts'
import { returnPayout } from '#partner/servicing/loan/return-payout.ts'
import { taxDocumentPdf } from './tax-document-pdf.ts'

const { db, ctx, act, open, receive, reverse, requestExit, exitOn, endDay, setClock } = await testAccounts()
const on = (day: number): string => plusDays(disbursedOn, day)

async function exit(caseRef: string): Promise<void> {
  await requestExit(caseRef, on(1))
  await receive(caseRef, await exitOn(caseRef, on(1)), on(1), `exit of ${caseRef}`)
}

/** The text of each document, in the order of issue. */
async function textsOfDocuments(caseRef: string): Promise<string[]> {
  const entries = await readEntries(db, caseRef)
  const taxDocuments = await documentsOfCase(db, caseRef)
  const { borrower, business } = exampleLead()
  const taxedCase = { borrower, business, loanId: '70001', entries, taxDocuments }
  const pdfs = taxDocuments.map((document) => taxDocumentPdf(ctx.config, document, taxedCase, ctx.clock()))
  return Promise.all(pdfs.map(async (pdf) => (await textsOf(await pdf)).join(' ')))
}

test('D3 §2.4: notes say whether the exit, a returned payment or the return of the payout is their cause', async () => {
  const bounced = await open()
  const exited = await open()
  const returned = await open()
  await exit(bounced)
  await exit(exited)
  setClock(startOf(on(3)))
  await reverse(bounced, `exit of ${bounced}`, on(3))
  for (const caseRef of [exited, returned]) await act(caseRef, (tx, at) => returnPayout(tx, { caseRef, on: on(3) }, at))
  await endDay(on(3))

  const [, refund, chargedAgain, ...more] = await textsOfDocuments(bounced)
  assert.match(refund!, /Refund of .*cancelled in the cooling-off period/s)
  assert.match(chargedAgain!, /Fee of .*A payment was returned/s)
  assert.deepEqual(more, [])

  const cancelled = /Credit note.*Return of the payout .*the loan is cancelled.*nothing is owed/s
  const ofReturned = await textsOfDocuments(returned)
  assert.equal(ofReturned.length, 2)
  assert.match(ofReturned[1]!, cancelled)
  assert.doesNotMatch(ofReturned[1]!, /cooling-off|refund/i)

  const ofExited = await textsOfDocuments(exited)
  assert.equal(ofExited.length, 4)
  assert.match(ofExited[1]!, /Refund of .*cancelled in the cooling-off period/s)
  const afterExit = ofExited.slice(2)
  const undone = afterExit.find((each) => each.includes('Debit note'))
  const ofFee = afterExit.find((each) => !each.includes('Debit note'))
  assert.match(undone!, /Debit note.*Return of the payout .*undoes the earlier refund.*Nothing is owed/s)
  assert.doesNotMatch(undone!, /A payment was returned|owed again/)
  assert.match(ofFee!, cancelled)
})

// The documents of a loan at the desk: when each is available, and that the statement agrees with the status API.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { businessDate } from '@lendloom/lending/calendar'
import { languageNames, languages } from '@lendloom/lending/language'
import { rupees } from '@lendloom/lending/money'
import { uuidv4 } from '@lendloom/seal/id'
import { startBank } from '@lendloom/tests/setup/bank'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { readEntries } from '#partner/books/ledger/store.ts'
import { issueTaxDocuments } from '#partner/books/tax/issue-tax-documents.ts'
import { statementOf } from '#partner/records/paper/account-statement.ts'
import { postByHand } from '#partner/servicing/collection/receipt/post-by-hand.ts'
import { receiveReceipt } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { payoffOf } from '#partner/servicing/loan/account-view.ts'

const bank = await startBank()
const partner = await startTestPartner({ BANK_URL: bank.url, BANK_BEARER: bank.bearer, BANK_POLL_SECONDS: '1' })
const { get } = await deskPerson(partner, 'Meera', 'admin')

const loanCase = new TestCase(partner)
await loanCase.register()
await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED')
const casePath = `/desk/cases/${loanCase.caseRef}`
const readLinks = async (): Promise<string[]> => {
  const text = await (await get(`${casePath}?tab=documents`)).text()
  return [...text.matchAll(/papers\/([a-z-]+)/g)].map(([, name]) => name!)
}

async function downloadPaper(name: string): Promise<PDFDocument> {
  const answer = await get(`${casePath}/papers/${name}`)
  assert.equal(answer.status, 200, name)
  assert.equal(answer.headers.get('content-type'), 'application/pdf', name)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  // Set PAPERS to a directory to keep the PDFs for inspection.
  if (process.env.PAPERS) writeFileSync(`${process.env.PAPERS}/${name.replace(/\W/g, '-')}.pdf`, bytes)
  return PDFDocument.load(bytes, { updateMetadata: false })
}

describe('D3 §2.4, §2.5: the documents of one loan, one story', () => {
  test('the sanction letter is available once the offer is accepted, and the other documents once the loan is paid out', async () => {
    assert.deepEqual(await readLinks(), [])
    assert.equal((await get(`${casePath}/papers/sanction`)).status, 404)
    await loanCase.decide()
    await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED')
    assert.deepEqual(await readLinks(), ['sanction'])
    await loanCase.verify()
    await loanCase.waitForStatus('DISBURSED')
    assert.deepEqual(await readLinks(), ['sanction', 'schedule', 'statement', 'interest'])
    for (const name of await readLinks()) {
      const pdf = await downloadPaper(name)
      assert.ok(pdf.getPageCount() >= 1 && pdf.getTitle()!.length > 5, name)
      assert.equal(pdf.getAuthor(), partner.ctx.config.PARTNER_LENDER_NAME)
    }
    assert.equal((await get(`${casePath}/papers/no-dues`)).status, 404, 'the loan is open')
    assert.equal((await get(`${casePath}/papers/interest?year=2001`)).status, 400)
    assert.equal((await get(`${casePath}/papers/nothing`)).status, 400)
  })

  test('D3 §2.5: the officer chooses the language of a paper; an unknown language is refused', async () => {
    const page = await (await get(`${casePath}?tab=documents`)).text()
    const [form] = /<form><div class="search"><label><span>Language of the documents.*?<\/form>/s.exec(page)!
    assert.deepEqual(
      Array.from(form.matchAll(/<option value="(\w+)"( selected)?>([^<]+)/g), ([, value, selected, name]) => ({
        value,
        selected,
        name,
      })),
      languages.map((language) => ({
        value: language,
        selected: language === 'en' ? ' selected' : undefined,
        name: languageNames[language],
      })),
    )
    const titleOf = async (name: string) => (await downloadPaper(name)).getTitle()
    assert.equal(await titleOf('statement?lang=en'), 'Statement of account')
    assert.equal(await titleOf('statement?lang=hi'), 'खाते का स्टेटमेंट')
    const namesOf = async (paper: string) =>
      (await get(`${casePath}/papers/${paper}`)).headers.get('content-disposition')
    const { loanId } = loanCase
    assert.equal(await namesOf('statement?lang=ta'), `attachment; filename="statement-${loanId}-ta.pdf"`)
    assert.equal(await namesOf('schedule?lang=en'), `attachment; filename="schedule-${loanId}.pdf"`)
    const refused = await get(`${casePath}/papers/statement?lang=fr`)
    assert.equal(refused.status, 400)
    assert.match(await refused.text(), /Lang must be one of en, hi, ta, te, mr, bn/)
  })

  test('D3 §2.5: the statement’s last balance equals the outstanding total of the status API, also after closure', async () => {
    const { caseRef } = loanCase
    const { db } = partner
    const balance = async () => rupees(statementOf(await readEntries(db, caseRef)).at(-1)!.balance)
    assert.equal(await balance(), (await loanCase.status()).soa!.total_outstanding)
    const today = businessDate(new Date())
    const payoff = (await payoffOf(db, caseRef, today, new Date()))!
    const receiptId = uuidv4()
    const provider = partner.ctx.config.BANK_NAME
    await receiveReceipt(partner.ctx, {
      receipt_id: receiptId,
      method: 'NEFT',
      transaction_reference: 'UTR1',
      amount: rupees(payoff.total),
      currency: 'INR',
      value_date: today,
      payer_name: 'ASHA KUMAR',
      remark: null,
      at: new Date().toISOString(),
    })
    await loanCase.act((tx, row, at) => postByHand({ ...partner.ctx, tx, at }, row, { provider, receiptId }))
    const { soa, loan_status } = await loanCase.status()
    assert.equal(loan_status, 'CLOSED')
    assert.equal(soa!.total_outstanding, '0.00')
    assert.equal(await balance(), '0.00')
    assert.deepEqual((await readLinks()).slice(-2), ['no-dues', 'closure'])
    for (const name of await readLinks()) await downloadPaper(name)
    const [created] = await db<{ count: number }>`
    select count(*)::int as count from audit_entry where act = 'PAPER_MADE' and case_ref = ${caseRef}`
    assert.equal(
      created!.count,
      4 + 4 + 6,
      'four of the open loan, four in a chosen language, then six of the closed loan',
    )
    const languagesMade = await db<{ language: string }>`
    select distinct detail::json->>'language' as language from audit_entry where act = 'PAPER_MADE' and case_ref = ${caseRef} order by 1`
    assert.deepEqual(
      languagesMade.map(({ language }) => language),
      ['en', 'hi', 'ta'],
    )
  })

  test('D3 §2.4: the invoice of the fee is listed in the case and in the register, and is a PDF with its number', async () => {
    const today = businessDate(new Date())
    assert.equal(await issueTaxDocuments(partner.ctx, today), 1)
    const path = new RegExp(`${casePath}/tax-documents/INV-\\d{4}-0000001`)
    const casePage = await (await get(`${casePath}?tab=documents`)).text()
    const [address] = path.exec(casePage)!
    assert.match(casePage, />Tax invoice INV[^<]+<\/td><td.*?\d{4}.*?<td[^>]*><a [^>]*>Download</)
    const answer = await get(address)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/pdf')
    const pdf = await PDFDocument.load(new Uint8Array(await answer.arrayBuffer()), { updateMetadata: false })
    assert.equal(pdf.getTitle(), 'Tax invoice')
    const register = await (await get('/desk/books/tax-documents')).text()
    assert.ok(path.test(register), 'the register links to the invoice')
    assert.match(register, />IGST<(?!.*>CGST<)/s, 'only the taxes of the page have columns')
    // The lender moves to the borrower's state, and takes another name.
    Object.assign(partner.ctx.config, { PARTNER_LENDER_GSTIN: '33AAPFU0939F1ZV', PARTNER_LENDER_NAME: 'Other Limited' })
    const later = await PDFDocument.load(await (await get(address)).arrayBuffer(), { updateMetadata: false })
    assert.equal(later.getAuthor(), 'Celestium Finance Limited')
    const csv = await (await get('/desk/books/tax-documents?csv=invoices-and-notes')).text()
    const [head, line] = csv.split('\r\n')
    assert.equal(head, 'Number,Kind,Date,Loan,Place of supply,Fee,IGST,CGST,SGST or UTGST,Total')
    assert.match(
      line!,
      new RegExp(`^INV/\\d{4}/0000001,Tax invoice,${today},\\w+,33 Tamil Nadu,2000.00,360.00,0.00,0.00,2360.00$`),
    )
    const empty = await (await get('/desk/books/tax-documents?from=2020-04-01&to=2020-04-30')).text()
    assert.match(
      empty,
      /No invoices or notes in this period.*tax-documents\?from=\d{4}-\d\d-01&amp;to=[^"]*">See [A-Z][a-z]+ \d{4}</s,
    )
    assert.doesNotMatch(empty, /₹0\.00/)
    assert.equal((await get(`${casePath}/tax-documents/INV-2627-0000002`)).status, 404)
  })
})

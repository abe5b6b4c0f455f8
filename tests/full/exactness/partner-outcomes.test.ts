// Six loans of the lending partner that end in six ways, with officers who work in the browser. After each action the
// books balance, and every channel shows the borrower the same figures.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { clockFile } from '@lendloom/cli/src/installation.ts'
import { csvOf } from '@lendloom/documents/csv'
import { readCsv } from '@lendloom/documents/csv-read'
import { pagesOf } from '@lendloom/documents/pdf-pages'
import { readClockOffset } from '@lendloom/foundation/clock'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { paiseFrom, rupees } from '@lendloom/lending/money'
import { connect } from '@lendloom/postgres/sql'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { deadlineMs } from '#test/setup/deadline.ts'
import { chooseAct, type Officer, officerAt } from '#test/setup/desk-page.ts'
import { mustCall, offerPath, stateOf } from '#test/setup/headless.ts'
import {
  loanFromPartner,
  owedByStatus,
  type PartnerLoan,
  planByApi,
  planByStatus,
  planByUpdate,
  planOnPage,
  signInAgain,
  statusOf,
} from '#test/setup/partner-loan.ts'
import { clockAdvancer } from '#test/setup/passing.ts'
import { ask } from '#test/setup/platform.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

if (process.env.PICTURES) mkdirSync(process.env.PICTURES, { recursive: true })
const directory = mkdtempSync(join(tmpdir(), 'lendloom-outcomes-'))
after(() => rmSync(directory, { recursive: true }))
const programs = await startPrograms({
  partner: true,
  env: { CLOCK_FILE: clockFile(directory), SANDBOX_BANK_SECONDS: '1', PARTNER_STATUS_SECONDS: '5' },
})
const advanceClock = clockAdvancer(programs, directory)
const simulatedNow = () => new Date(Date.now() + readClockOffset(clockFile(directory)).aheadMs)
const db = connect(programs.partnerDatabaseUrl, { connections: 2 })
after(() => db.close())

const desk = { db, url: programs.partnerUrl }
const credit = await officerAt(desk, 'Ravi', 'credit')
const operations = await officerAt(desk, 'Meera', 'operations')
const accountant = await officerAt(desk, 'Devika', 'accounts')
const head = await officerAt(desk, 'Arun', 'admin')
const viewer = await officerAt(desk, 'Nila', 'viewer')
const officers = [credit, operations, accountant, head, viewer]

/** An account whose debits are all returned: by its last four digits, the owner has stopped payment. */
const accountWithStoppedPayment = (number: number) => `5010012${number}9314`
const [partPaid, foreclosed, exited, cured, writtenOff] = await Promise.all([
  loanFromPartner(programs, { pan: 'AAAPE1234F', accountNumber: '50100123456781' }),
  loanFromPartner(programs, { pan: 'BBBPE1234F', accountNumber: '50100123456782' }),
  loanFromPartner(programs, { pan: 'CCCPE1234F', accountNumber: '50100123456783' }),
  loanFromPartner(programs, { pan: 'DDDPE1234F', accountNumber: accountWithStoppedPayment(1) }),
  loanFromPartner(programs, { pan: 'EEEPE1234F', accountNumber: accountWithStoppedPayment(2) }),
])
/** The application that an officer reviews and then cancels. */
let cancelled: PartnerLoan

const pageOf = ({ caseRef }: PartnerLoan): string => `/desk/cases/${encodeURIComponent(caseRef)}`
const readStatus = (loan: PartnerLoan) => statusOf(programs, loan)

async function transferMoney(amount: string, remark: string): Promise<{ transaction_reference: string }> {
  const payment = { method: 'NEFT', amount, payer_name: 'Asha Kulkarni', remark }
  const { status, body } = await ask(`${programs.sandboxUrl}/bank/borrower-payments`, { method: 'POST', body: payment })
  assert.equal(status, 201)
  return body
}

/** Pays by a bank transfer with the loan number, and waits until it is posted. */
async function payByTransfer(loan: PartnerLoan, amount: string): Promise<void> {
  const { celestium_loan_id: number, payments } = await readStatus(loan)
  await transferMoney(amount, number!)
  await until('the money is posted', async () => (await readStatus(loan)).payments.length > payments.length)
}

async function assertBooksBalance(): Promise<void> {
  await accountant.go('/desk/books')
  await accountant.page.getByText('The books balance').waitFor()
}

/**
 * Asserts that the instalments are equal in Status (D3), on the hosted page and in the headless API (D2), and the dues in
 * Status and on the page. The page does not show a closed loan.
 */
async function assertChannelsAgree(loan: PartnerLoan): Promise<void> {
  const figures = async () => {
    const status = await readStatus(loan)
    if (status.loan_status === 'CLOSED') {
      const { status: journey } = await stateOf(await signInAgain(programs, loan))
      return { channels: { journey, api: await planByApi(programs, loan) }, lender: closed(status) }
    }
    const api = await planByApi(programs, loan)
    const { plan: page, owed } = await planOnPage(programs, loan)
    const plan = planByStatus(status)
    return { channels: { api, page, owed }, lender: { api: plan, page: plan, owed: owedByStatus(status) } }
  }
  const closed = (status: SnapshotStatus) => ({ journey: 'CLOSED', api: planByStatus(status) })
  const agree = async () => {
    const { channels, lender } = await figures()
    return isDeepStrictEqual(channels, lender)
  }
  await until('the figures of the lender at every channel', agree, deadlineMs / 2).catch(() => undefined)
  const { channels, lender } = await figures()
  assert.deepEqual(channels, lender)
}

/** The amount of a missed-instalment payment in the headless API: all that is overdue (D2 §4). */
async function missedAmount(loan: PartnerLoan): Promise<string | null> {
  const borrower = await signInAgain(programs, loan)
  const journey = `/journeys/${borrower.journeyId}`
  await mustCall(borrower, 'POST', `${journey}/post-disbursal/missed-emi-payment`, {})
  const { servicing } = await mustCall(borrower, 'GET', journey)
  return servicing[0].amount
}

/** The amount that closes the loan today, from the quote at the desk. */
async function payoffAmount(loan: PartnerLoan, name: string): Promise<string> {
  await operations.go(`${pageOf(loan)}/payoff`)
  await operations.picture(name)
  const total = await operations.page
    .locator('dt', { hasText: 'Amount to close the loan' })
    .locator('+ dd')
    .textContent()
  return total!.replace(/[₹,\s]/g, '')
}

describe('D3 §1.1: six loans of one lender, one story', () => {
  test('D1 §2.4, D2 §2.3, D3 §2.5: on the day of disbursal every channel shows the lender’s plan and dues', async () => {
    for (const loan of [partPaid, foreclosed, exited, cured, writtenOff]) {
      await assertChannelsAgree(loan)
      const { view } = await planOnPage(programs, loan)
      const update = view.updates.find(({ payload }) => payload.borrower.journey.status === 'DISBURSED')
      assert.deepEqual(planByUpdate(update!.payload), planByStatus(await readStatus(loan)), 'the last lifecycle update')
    }
    await assertBooksBalance()
  })

  test('D3 §1.1: the credit officer reviews an application and offers less than the recommended amount', async () => {
    await head.go('/desk/policy')
    await head.page.getByText('Switch off automatic decisions').click()
    await head.page.getByRole('button', { name: 'Switch off' }).click()
    await head.page.getByRole('heading', { name: 'Automatic decisions: off' }).waitFor()
    const pendingLoan = loanFromPartner(programs, { pan: 'FFFPE1234F', accountNumber: '50100123456786' }, 'KYC_PENDING')
    await credit.waitForText('/desk', /1 Applications to review/)
    await credit.page.getByRole('link', { name: /^1 Applications to review/ }).click()
    await credit.page.getByRole('heading', { level: 1, name: 'Applications to review' }).waitFor()
    await credit.page.getByRole('table', { name: 'Cases' }).getByRole('link').click()
    await credit.page.getByRole('heading', { name: 'Approve with these terms' }).waitFor()
    await credit.picture('credit-review')
    // The viewer sees the same page without any form.
    await viewer.page.goto(credit.page.url())
    await viewer.page.getByRole('heading', { name: 'Applicant' }).waitFor()
    await viewer.picture('viewer-review')
    assert.equal(await viewer.page.locator('main form').count(), 0)
    const refused = await viewer.page.request.post(`${credit.page.url()}/offer`, {
      form: { amount: '1' },
      headers: { origin: desk.url },
    })
    assert.equal(refused.status(), 403, 'an action without a form is refused too')
    await credit.page.getByLabel('Amount, ₹').fill('60000')
    await credit.page.getByRole('button', { name: 'Approve and offer' }).click()
    await credit.page.getByText('These are the figures for ₹60,000').waitFor()
    await credit.page.getByRole('button', { name: 'Approve and offer' }).click()
    await credit.page.getByRole('status').getByText('Approved, and offered terms').waitFor()
    await credit.page.getByRole('link', { name: 'History', exact: true }).click()
    assert.match((await credit.page.getByRole('region', { name: 'History' }).textContent())!, /Review: Approved\s*Ravi/)
    cancelled = await pendingLoan
    const borrower = await signInAgain(programs, cancelled)
    const { amountPrincipal, termsChanged } = await mustCall(borrower, 'GET', offerPath(borrower, cancelled.offerId))
    assert.equal(amountPrincipal, '60000.00', 'the borrower is offered what the officer approved')
    assert.equal(termsChanged, true)
    await head.page.getByText('Switch on automatic decisions').click()
    await head.page.getByRole('button', { name: 'Switch on' }).click()
    await head.page.getByRole('heading', { name: 'Automatic decisions: on' }).waitFor()
  })

  test('D3 §1.1: cancelling an accepted application for fraud ends its journey without a disbursement', async () => {
    await credit.waitForText(pageOf(cancelled), /Cancel this application/)
    await chooseAct(credit.page, 'Cancel this application')
    await credit.page.getByLabel('Who cancels it, and why').selectOption('LENDER:SUSPECTED_FRAUD')
    await credit.page.getByLabel('Explanation, for the file').fill('The salary slips are forged.')
    await credit.picture('credit-stop')
    await credit.page.getByRole('button', { name: 'Cancel the application' }).click()
    await credit.waitForText(pageOf(cancelled), /Cancelled by the lender/)
    await credit.picture('credit-stopped')
    const status = await readStatus(cancelled)
    // There is no mandate yet that would have to be cancelled.
    assert.equal(status.case_status, 'REJECTED')
    assert.equal(status.disbursement, null)
    assert.equal(status.checks.mandate, 'NOT_STARTED')
    await until('the journey ends', async () => (await stateOf(cancelled.borrower)).status === 'REJECTED')
    await assertBooksBalance()
  })

  test('D3 §1: a cooling-off exit costs the amount that the page and the desk show', async () => {
    await advanceClock('1d')
    for (const { signIn } of officers) await signIn()
    await operations.go(pageOf(exited))
    await chooseAct(operations.page, 'Cooling-off cancellation')
    await operations.page.getByLabel('Asked on').fill(businessDate(simulatedNow()))
    await operations.page.getByRole('button', { name: 'Record the cancellation' }).click()
    await operations.waitForText(pageOf(exited), /cancels the loan if it arrives today/)
    const amount = await payoffAmount(exited, 'operations-exit')
    const { view } = await planOnPage(programs, exited)
    assert.equal(view.leave?.cost?.total, amount, 'the page of the borrower')
    await payByTransfer(exited, amount)
    const { loan_status, soa } = await readStatus(exited)
    assert.equal(loan_status, 'CLOSED')
    assert.equal(soa!.total_outstanding, '0.00')
    await until('the mandate is cancelled', async () => (await readStatus(exited)).checks.mandate === 'CANCELLED')
    await assertBooksBalance()
    await assertChannelsAgree(exited)
  })

  test('D3 §2.5: a part payment reduces the instalments at every channel, and a foreclosure quote closes its loan', async () => {
    await advanceClock('2d')
    for (const { signIn } of officers) await signIn()
    const before = planByStatus(await readStatus(partPaid))
    await payByTransfer(partPaid, '20000.00')
    const after = planByStatus(await readStatus(partPaid))
    assert.ok(after.length < before.length, `${after.length} of ${before.length}`)
    await operations.go(pageOf(partPaid))
    await operations.picture('operations-part-paid')
    await assertBooksBalance()
    await assertChannelsAgree(partPaid)
    const { papers } = (await planOnPage(programs, partPaid)).view
    assert.deepEqual(
      papers.map(({ name }) => name),
      ['statement', 'schedule'],
    )
    for (const { url } of papers) {
      const paper = await fetch(url)
      assert.equal(paper.status, 200)
      assert.equal(paper.headers.get('content-type'), 'application/pdf')
      assert.ok((await pagesOf(Buffer.from(await paper.arrayBuffer()))) > 0)
    }

    await payByTransfer(foreclosed, await payoffAmount(foreclosed, 'operations-foreclosure'))
    const { loan_status, soa } = await readStatus(foreclosed)
    assert.equal(loan_status, 'CLOSED')
    assert.equal(soa!.total_outstanding, '0.00')
    await assertBooksBalance()
    await assertChannelsAgree(foreclosed)
  })

  /** The bank's statement of all transfers so far, as CSV. */
  async function bankStatement(): Promise<Buffer> {
    const movements = await programs.sandboxDb<{ on: string; reference: string; paise: bigint; words: string }>`
    select (updated_at at time zone 'Asia/Kolkata')::date as "on", bank_reference as reference, -amount_paise as paise,
      'NEFT to a borrower' as words
    from bank_transfer where status = 'SUCCESS'
    union all select value_on, transaction_reference, amount_paise, coalesce(remark, '') from bank_receipt
    union all select r.value_on, r.bank_reference, d.amount_paise, 'NACH credit'
    from bank_debit_result r join bank_debit d using (reference) where r.status = 'CONFIRMED'
    order by 1, 2`
    const file = csvOf(
      [
        { head: 'Value date', of: (movement) => movement.on },
        { head: 'UTR', of: (movement) => movement.reference },
        { head: 'Narration', of: (movement) => movement.words },
        { head: 'Amount', of: (movement) => rupees(movement.paise) },
      ],
      movements,
    )
    return Buffer.from(file)
  }

  /** Downloads the CSV file behind a link on the officer's page. */
  async function downloadCsv({ page }: Officer, link: string): Promise<string[][]> {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: link }).click()])
    const rows = readCsv(readFileSync(await file.path(), 'utf8'), ',')
    assert.ok(Array.isArray(rows), String(rows))
    return rows
  }

  const columnTotal = ([head, ...rows]: string[][], column: string): bigint =>
    rows.reduce((sum, row) => sum + paiseFrom(row[head!.indexOf(column)]!.replace('-', ''))!, 0n)

  test('the accountant compares the bank statement with the books, and posts the unmatched receipt', async () => {
    const { transaction_reference: unnamed } = await transferMoney('2500.00', 'instalment')
    await accountant.waitForText('/desk/money', new RegExp(unnamed))
    await accountant.go('/desk/books/bank')
    const statement = { name: 'november.csv', mimeType: 'text/csv', buffer: await bankStatement() }
    await accountant.page.getByLabel('File from the bank').setInputFiles(statement)
    await accountant.page.getByRole('button', { name: 'Upload and compare' }).click()
    // Five disbursals, three payments by borrowers, and the receipt without a loan, which is in the books from its arrival.
    await accountant.page.getByText('9 references match').waitFor()
    await accountant.page.getByText('The statement and the books match.').waitFor()
    await accountant.picture('accounts-statement')
    const comparisonUrl = accountant.page.url()

    await accountant.go('/desk/money')
    const receipt = accountant.page.getByRole('row', { name: new RegExp(unnamed) })
    await receipt.getByLabel('Loan number').fill((await readStatus(partPaid)).celestium_loan_id!)
    await receipt.getByRole('button', { name: 'Find' }).click()
    await accountant.page
      .getByLabel(/^Reason: why the money is/)
      .fill('The payer is the borrower, who forgot the number.')
    await accountant.page.getByRole('button', { name: /^Post ₹2,500 / }).click()
    await accountant.page.waitForURL(({ pathname }) => pathname === pageOf(partPaid))
    await accountant.page.goto(comparisonUrl)
    await accountant.page.getByText('9 references match').waitFor()
    await assertBooksBalance()
    await assertChannelsAgree(partPaid)

    await accountant.go('/desk/reports')
    await accountant.page.getByRole('heading', { level: 1 }).waitFor()
    await accountant.picture('accounts-reports')
    const period = `?from=${plusDays(businessDate(simulatedNow()), -40)}`
    await accountant.go(`/desk/books${period}`)
    const balance = await downloadCsv(accountant, 'Trial balance as CSV')
    const journal = await downloadCsv(accountant, 'Journal as CSV')
    const total = columnTotal(balance, 'debit')
    assert.ok(total > 0n)
    assert.equal(columnTotal(balance, 'credit'), total)
    assert.equal(columnTotal(journal, 'amount'), total, 'the journal has the same total')
  })

  test('D3 §2.5: no channel shows an instalment as overdue on its due day', async () => {
    await advanceClock('4d', { step: '1d' })
    for (const { signIn } of officers) await signIn()
    const { amortization_schedule } = await readStatus(partPaid)
    assert.equal(amortization_schedule!.installments[0]!.due_date, businessDate(simulatedNow()))
    for (const loan of [partPaid, cured, writtenOff]) await assertChannelsAgree(loan)
  })

  test('D3 §2.5: two loans with returned debits become SMA-2, and paying all arrears makes one standard again', async () => {
    // SMA-2 starts at 61 days overdue: the instalments were due on day 7, and day 68 is the last closed day.
    await advanceClock('62d', { step: '1d' })
    await until(
      'the mandate of a closed loan is cancelled',
      async () => (await readStatus(foreclosed)).checks.mandate === 'CANCELLED',
    )
    for (const loan of [partPaid, cured, writtenOff]) assert.equal((await readStatus(loan)).checks.mandate, 'ACTIVE')
    for (const { signIn } of officers) await signIn()
    for (const loan of [cured, writtenOff]) await operations.waitForText(pageOf(loan), /SMA-2/)
    await operations.go('/desk/collections')
    await operations.picture('operations-collections')
    await accountant.waitForText('/desk', /SMA-2/)
    await accountant.picture('accounts-overview')
    await assertBooksBalance()
    for (const loan of [cured, writtenOff]) await assertChannelsAgree(loan)
    const arrears = await readStatus(cured)
    assert.equal(arrears.loan_status, 'OVERDUE')
    assert.notEqual(arrears.soa!.total_overdue, '0.00')
    assert.equal(await missedAmount(cured), arrears.soa!.total_overdue)
    await payByTransfer(cured, arrears.soa!.total_overdue)
    const { loan_status, soa } = await readStatus(cured)
    assert.equal(loan_status, 'ACTIVE')
    assert.equal(soa!.total_overdue, '0.00')
    await advanceClock('1d')
    for (const { signIn } of officers) await signIn()
    await operations.waitForText(pageOf(cured), /All arrears of the borrower are paid/)
    await operations.picture('operations-cured')
    await assertBooksBalance()
    for (const loan of [cured, writtenOff]) await assertChannelsAgree(loan)
  })

  test('D3 §2.5: after a write-off with approval, every channel still shows the full debt of the borrower', async () => {
    const dues = async () => ({ ...(await readStatus(writtenOff)).soa, updated_at: null })
    const before = await dues()
    await accountant.go(pageOf(writtenOff))
    await chooseAct(accountant.page, 'Write the loan off')
    const form = accountant.page.locator('.act')
    await form.getByLabel('Reason, for the approver').fill('The shop is closed, the borrower is not found.')
    await form.getByRole('button', { name: 'Ask for approval' }).click()
    await accountant.page.getByRole('heading', { name: /^Waiting for a second person/ }).waitFor()
    await credit.waitForText('/desk/approvals', /above that, you can only refuse|Your roles cannot decide/)
    await head.go('/desk/approvals')
    await head.picture('approvals')
    await head.page.getByRole('region', { name: /Write/ }).getByRole('button', { name: 'Approve' }).click()
    await head.page.getByText('Nothing to approve.').waitFor()
    await accountant.waitForText(pageOf(writtenOff), /The borrower still owes it/)
    await accountant.picture('accounts-written-off')
    assert.deepEqual(await dues(), before)
    await assertBooksBalance()
    await accountant.picture('accounts-books')
    await assertChannelsAgree(writtenOff)
  })

  test('the only logged errors are the debits of two loans that are on hold', () => {
    const otherErrors = programs.errorLines.filter(
      (line) => !line.includes('debits of a loan are on hold until reviewed'),
    )
    assert.deepEqual(otherErrors, [])
    assert.equal(programs.errorLines.length, 2)
  })
})

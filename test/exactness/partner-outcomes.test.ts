// Six loans of the lending partner that end in six ways: a credit officer, an operations officer and an accountant do their
// days in the browser, the books balance after each act, and every channel tells the borrower the same figures.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { clockFile } from '#cli/installation.ts'
import type { SnapshotStatus } from '#contract/exchange/snapshot.ts'
import { connect } from '#kit/db/sql.ts'
import { csvOf } from '#kit/files/csv.ts'
import { readCsv } from '#kit/files/csv-read.ts'
import { pagesOf } from '#kit/files/pdf-pages.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import { paiseFrom, rupees } from '#kit/money/money.ts'
import { readClockOffset } from '#kit/runtime/clock.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { type Officer, officerAt } from '#test/setup/desk-page.ts'
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
const pass = clockAdvancer(programs, directory)
const playedNow = () => new Date(Date.now() + readClockOffset(clockFile(directory)).aheadMs)
const db = connect(programs.partnerDatabaseUrl, { connections: 2 })
after(() => db.close())

const desk = { db, url: programs.partnerUrl }
const credit = await officerAt(desk, 'Ravi', 'credit')
const operations = await officerAt(desk, 'Meera', 'operations')
const accountant = await officerAt(desk, 'Devika', 'accounts')
const head = await officerAt(desk, 'Arun', 'admin')
const viewer = await officerAt(desk, 'Nila', 'viewer')
const officers = [credit, operations, accountant, head, viewer]

/** Every debit of an account with these last digits is returned: its owner stopped payment. */
const stoppedByOwner = (number: number) => `5010012${number}9314`
const [partPaid, foreclosed, left, cured, lost] = await Promise.all([
  loanFromPartner(programs, { pan: 'AAAPE1234F', accountNumber: '50100123456781' }),
  loanFromPartner(programs, { pan: 'BBBPE1234F', accountNumber: '50100123456782' }),
  loanFromPartner(programs, { pan: 'CCCPE1234F', accountNumber: '50100123456783' }),
  loanFromPartner(programs, { pan: 'DDDPE1234F', accountNumber: stoppedByOwner(1) }),
  loanFromPartner(programs, { pan: 'EEEPE1234F', accountNumber: stoppedByOwner(2) }),
])
/** The sixth borrower, whose application comes to a person. */
let stopped: PartnerLoan

const pageOf = ({ caseRef }: PartnerLoan): string => `/desk/cases/${encodeURIComponent(caseRef)}`
const of = (loan: PartnerLoan) => statusOf(programs, loan)

async function transfers(amount: string, remark: string): Promise<{ transaction_reference: string }> {
  const paid = { method: 'NEFT', amount, payer_name: 'Asha Kulkarni', remark }
  const { status, body } = await ask(`${programs.sandboxUrl}/bank/borrower-payments`, { method: 'POST', body: paid })
  assert.equal(status, 201)
  return body
}

/** The borrower pays by bank transfer and names the loan. */
async function pays(loan: PartnerLoan, amount: string): Promise<void> {
  const { celestium_loan_id: number, payments } = await of(loan)
  await transfers(amount, number!)
  await until('the money is posted', async () => (await of(loan)).payments.length > payments.length)
}

/** Debits and credits are equal to the paisa, as the accountant reads it. */
async function booksBalance(): Promise<void> {
  await accountant.go('/desk/books')
  await accountant.page.getByText('The books balance').waitFor()
}

/**
 * What is owed, overdue and charged as a penalty is the same in the lender's Status (D3) and on the hosted page, and so are the
 * instalments, in the headless API (D2) too. The page no longer shows a closed loan.
 */
async function channelsAgree(loan: PartnerLoan): Promise<void> {
  const figures = async () => {
    const status = await of(loan)
    if (status.loan_status === 'CLOSED') {
      const { status: journey } = await stateOf(await signInAgain(programs, loan))
      return { channels: { journey, api: await planByApi(programs, loan) }, lender: closed(status) }
    }
    const [api, { plan: page, owed }] = [await planByApi(programs, loan), await planOnPage(programs, loan)]
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

/** What the headless API asks for when a borrower would pay what was missed: the oldest instalment (D2 §4). */
async function missedAmount(loan: PartnerLoan): Promise<string | null> {
  const borrower = await signInAgain(programs, loan)
  const journey = `/journeys/${borrower.journeyId}`
  await mustCall(borrower, 'POST', `${journey}/post-disbursal/missed-emi-payment`, {})
  const { servicing } = await mustCall(borrower, 'GET', journey)
  return servicing[0].amount
}

/** What a quote of the desk says that closes a loan today. */
async function quoted(loan: PartnerLoan, name: string): Promise<string> {
  await operations.go(`${pageOf(loan)}/payoff`)
  await operations.picture(name)
  const total = await operations.page
    .locator('dt', { hasText: 'Amount to close the loan' })
    .locator('+ dd')
    .textContent()
  return total!.replace(/[₹,\s]/g, '')
}

test('D1 §2.4, D2 §2.3, D3 §2.5: on the day of the money every channel has the plan of the lender, and what is owed', async () => {
  for (const loan of [partPaid, foreclosed, left, cured, lost]) {
    await channelsAgree(loan)
    const { view } = await planOnPage(programs, loan)
    const update = view.updates.find(({ payload }) => payload.borrower.journey.status === 'DISBURSED')
    assert.deepEqual(planByUpdate(update!.payload), planByStatus(await of(loan)), 'the last lifecycle update')
  }
  await booksBalance()
})

test('D3 §1.1: an application comes to a person, and the credit officer offers less than was recommended', async () => {
  await head.go('/desk')
  await head.page.getByRole('button', { name: 'Let people decide' }).click()
  await head.page.getByRole('heading', { name: 'People decide' }).waitFor()
  const coming = loanFromPartner(programs, { pan: 'FFFPE1234F', accountNumber: '50100123456786' }, 'KYC_PENDING')
  await credit.waitForText('/desk', /1 Applications to review/)
  await credit.page.getByRole('link', { name: /^1 Applications to review/ }).click()
  await credit.page.getByRole('heading', { level: 1, name: 'Applications to review' }).waitFor()
  await credit.page.getByRole('table', { name: 'Cases' }).getByRole('link').click()
  await credit.page.getByRole('heading', { name: 'Approve with these terms' }).waitFor()
  await credit.picture('credit-review')
  // The viewer has the same page before them, without anything that can be done.
  await viewer.page.goto(credit.page.url())
  await viewer.page.getByRole('heading', { name: 'Applicant' }).waitFor()
  await viewer.picture('viewer-review')
  assert.equal(await viewer.page.locator('main form').count(), 0)
  const refused = await viewer.page.request.post(`${credit.page.url()}/offer`, {
    form: { amount: '1' },
    headers: { origin: desk.url },
  })
  assert.equal(refused.status(), 403, 'what is not offered to them is refused, too')
  await credit.page.getByLabel('Amount, ₹').fill('60000')
  await credit.page.getByRole('button', { name: 'Approve and offer' }).click()
  await credit.page.getByRole('heading', { name: 'Offer other terms' }).waitFor()
  assert.match((await credit.page.getByRole('table', { name: 'History' }).textContent())!, /Review: Approved\s*Ravi/)
  stopped = await coming
  const borrower = await signInAgain(programs, stopped)
  const { amountPrincipal, termsChanged } = await mustCall(borrower, 'GET', offerPath(borrower, stopped.offerId))
  assert.deepEqual(
    [amountPrincipal, termsChanged],
    ['60000.00', true],
    'the borrower is offered what the officer approved',
  )
  await head.page.getByRole('button', { name: 'Let the rules decide' }).click()
  await head.page.getByRole('heading', { name: 'Rules decide' }).waitFor()
})

test('D3 §1.1: the credit officer stops an accepted application for fraud; nothing is paid out and its journey ends', async () => {
  await credit.waitForText(pageOf(stopped), /Cancel this application/)
  await credit.page.getByText('Cancel this application').click()
  await credit.page.getByLabel('Who cancels it, and why').selectOption('LENDER:SUSPECTED_FRAUD')
  await credit.page.getByLabel('Explanation, for the file').fill('The salary slips are forged.')
  await credit.picture('credit-stop')
  await credit.page.getByRole('button', { name: 'Cancel the application' }).click()
  await credit.waitForText(pageOf(stopped), /Cancelled by the lender/)
  await credit.picture('credit-stopped')
  const status = await of(stopped)
  // Stopped before there was a mandate: nothing is to be cancelled.
  assert.deepEqual([status.case_status, status.disbursement, status.checks.mandate], ['REJECTED', null, 'NOT_STARTED'])
  await until('the journey ends', async () => (await stateOf(stopped.borrower)).status === 'REJECTED')
  await booksBalance()
})

test('D3 §1: a borrower leaves in the cooling-off period, for what the page and the desk say it costs', async () => {
  await pass('1d')
  for (const { signIn } of officers) await signIn()
  await operations.go(pageOf(left))
  await operations.page.getByRole('button', { name: 'Record the cancellation' }).click()
  await operations.waitForText(pageOf(left), /Money that closes the loan until/)
  const amount = await quoted(left, 'operations-exit')
  const { view } = await planOnPage(programs, left)
  assert.equal(view.leave?.cost?.total, amount, 'the page of the borrower')
  await pays(left, amount)
  const { loan_status, soa } = await of(left)
  assert.deepEqual([loan_status, soa!.total_outstanding], ['CLOSED', '0.00'])
  await until('its mandate is cancelled', async () => (await of(left)).checks.mandate === 'CANCELLED')
  await booksBalance()
  await channelsAgree(left)
})

test('D3 §2.5: one part payment makes fewer instalments at every channel; a foreclosure quote closes the loan to the paisa', async () => {
  await pass('2d')
  for (const { signIn } of officers) await signIn()
  const before = planByStatus(await of(partPaid))
  await pays(partPaid, '20000.00')
  const after = planByStatus(await of(partPaid))
  assert.ok(after.length < before.length, `${after.length} of ${before.length}`)
  await operations.go(pageOf(partPaid))
  await operations.picture('operations-part-paid')
  await booksBalance()
  await channelsAgree(partPaid)
  const { papers } = (await planOnPage(programs, partPaid)).view
  assert.deepEqual(
    papers.map(({ name }) => name),
    ['statement', 'schedule'],
  )
  for (const { url } of papers) {
    const paper = await fetch(url)
    assert.deepEqual([paper.status, paper.headers.get('content-type')], [200, 'application/pdf'])
    assert.ok((await pagesOf(Buffer.from(await paper.arrayBuffer()))) > 0)
  }

  await pays(foreclosed, await quoted(foreclosed, 'operations-foreclosure'))
  const { loan_status, soa } = await of(foreclosed)
  assert.deepEqual([loan_status, soa!.total_outstanding], ['CLOSED', '0.00'])
  await booksBalance()
  await channelsAgree(foreclosed)
})

/** What the bank moved so far, as its own statement has it. */
async function bankStatement(): Promise<Buffer> {
  const moved = await programs.sandboxDb<{ on: string; reference: string; paise: bigint; words: string }>`
    select (updated_at at time zone 'Asia/Kolkata')::date as "on", bank_reference as reference, -amount_paise as paise,
      'NEFT to a borrower' as words
    from bank_transfer where status = 'SUCCESS'
    union all select value_on, transaction_reference, amount_paise, coalesce(remark, '') from bank_receipt
    union all select r.value_on, r.bank_reference, d.amount_paise, 'NACH credit'
    from bank_debit_result r join bank_debit d using (reference) where r.status = 'CONFIRMED'
    order by 1, 2`
  const lines = moved.map(({ on, reference, paise, words }) => [on, reference, words, rupees(paise)])
  return Buffer.from(csvOf(['Value date', 'UTR', 'Narration', 'Amount'], lines))
}

/** What an officer downloads by a link of the page that is open. */
async function downloaded({ page }: Officer, link: string): Promise<string[][]> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: link }).click()])
  const rows = readCsv(readFileSync(await file.path(), 'utf8'), ',')
  assert.ok(Array.isArray(rows), String(rows))
  return rows
}

/** A column of a file by its name, added up. */
const summed = ([head, ...rows]: string[][], column: string): bigint =>
  rows.reduce((sum, row) => sum + paiseFrom(row[head!.indexOf(column)]!.replace('-', ''))!, 0n)

test('the accountant compares the bank with the books, posts the receipt that is left over, and takes the books along', async () => {
  const { transaction_reference: unnamed } = await transfers('2500.00', 'instalment')
  await accountant.waitForText('/desk/money', new RegExp(unnamed))
  await accountant.go('/desk/books/bank')
  const statement = { name: 'november.csv', mimeType: 'text/csv', buffer: await bankStatement() }
  await accountant.page.getByLabel('CSV file from the bank').setInputFiles(statement)
  await accountant.page.getByRole('button', { name: 'Upload and compare' }).click()
  const leftover = accountant.page.getByRole('table', { name: 'Unmatched' }).locator('tbody tr')
  await leftover.first().waitFor()
  assert.match((await leftover.allTextContents()).join('; '), new RegExp(`^Only in the statement[^;]*${unnamed}[^;]*$`))
  // Five transfers to borrowers, and three that they paid so far.
  await accountant.page.getByText('8 references match').waitFor()
  await accountant.picture('accounts-statement')
  const compared = accountant.page.url()

  await accountant.go('/desk/money')
  const receipt = accountant.page.getByRole('row', { name: new RegExp(unnamed) })
  await receipt.getByLabel('Loan number').fill((await of(partPaid)).celestium_loan_id!)
  await receipt.getByRole('button', { name: 'Find' }).click()
  await accountant.page.getByRole('button', { name: /^Post ₹2,500.00/ }).click()
  await accountant.page.waitForURL(`**${pageOf(partPaid)}`)
  await accountant.page.goto(compared)
  await accountant.page.getByText('The statement and the books match.').waitFor()
  await booksBalance()
  await channelsAgree(partPaid)

  await accountant.go('/desk/reports')
  await accountant.page.getByRole('heading', { level: 1 }).waitFor()
  await accountant.picture('accounts-reports')
  const period = `?from=${plusDays(businessDate(playedNow()), -40)}`
  await accountant.go(`/desk/books${period}`)
  const balance = await downloaded(accountant, 'Trial balance as CSV')
  const journal = await downloaded(accountant, 'Journal as CSV')
  const total = summed(balance, 'debit')
  assert.ok(total > 0n)
  assert.equal(summed(balance, 'credit'), total)
  assert.equal(summed(journal, 'amount'), total, 'the journal is the same money, posting by posting')
})

test('D3 §2.5: on the day on which an instalment is due it is overdue at no channel', async () => {
  await pass('4d', { step: '1d' })
  for (const { signIn } of officers) await signIn()
  const { amortization_schedule } = await of(partPaid)
  assert.equal(amortization_schedule!.installments[0]!.due_date, businessDate(playedNow()))
  for (const loan of [partPaid, cured, lost]) await channelsAgree(loan)
})

test('D3 §2.5: two loans whose debits are returned pass through the classes; one pays its arrears and is standard again', async () => {
  // The first instalments were due on the seventh day; the last day that was ended is their sixty-first overdue.
  await pass('62d', { step: '1d' })
  await until(
    'the mandate of a closed loan is cancelled',
    async () => (await of(foreclosed)).checks.mandate === 'CANCELLED',
  )
  for (const loan of [partPaid, cured, lost]) assert.equal((await of(loan)).checks.mandate, 'ACTIVE')
  for (const { signIn } of officers) await signIn()
  for (const loan of [cured, lost]) await operations.waitForText(pageOf(loan), /SMA-2/)
  await operations.go('/desk/collections')
  await operations.picture('operations-collections')
  await accountant.waitForText('/desk', /SMA-2/)
  await accountant.picture('accounts-overview')
  await booksBalance()
  for (const loan of [cured, lost]) await channelsAgree(loan)
  const arrears = await of(cured)
  assert.equal(arrears.loan_status, 'OVERDUE')
  assert.notEqual(arrears.soa!.total_overdue, '0.00')
  assert.equal(await missedAmount(cured), arrears.amortization_schedule!.installments[0]!.unpaid_amount)
  await pays(cured, arrears.soa!.total_overdue)
  const { loan_status, soa } = await of(cured)
  assert.deepEqual([loan_status, soa!.total_overdue], ['ACTIVE', '0.00'])
  await pass('1d')
  for (const { signIn } of officers) await signIn()
  await operations.waitForText(pageOf(cured), /All arrears of the borrower are paid/)
  await operations.picture('operations-cured')
  await booksBalance()
  for (const loan of [cured, lost]) await channelsAgree(loan)
})

test('D3 §2.5: the other is written off by two people; the borrower owes it all the same, and says so at every channel', async () => {
  const owed = async () => ({ ...(await of(lost)).soa, updated_at: null })
  const before = await owed()
  await accountant.go(pageOf(lost))
  const form = accountant.page.locator('details', { hasText: 'Write the loan off' }).last()
  await form.locator('summary').click()
  await form.getByLabel('Reason, for the approver').fill('The shop is closed, the borrower is not found.')
  await form.getByRole('button', { name: 'Ask for approval' }).click()
  await accountant.page.getByRole('heading', { name: /^Waiting for approval/ }).waitFor()
  await credit.waitForText('/desk/approvals', /above that, you can only refuse|Your roles cannot decide/)
  await head.go('/desk/approvals')
  await head.picture('approvals')
  await head.page.getByRole('region', { name: /Write/ }).getByRole('button', { name: 'Approve' }).click()
  await head.page.getByText('Nothing to approve.').waitFor()
  await accountant.waitForText(pageOf(lost), /The borrower still owes it/)
  await accountant.picture('accounts-written-off')
  assert.deepEqual(await owed(), before)
  await booksBalance()
  await accountant.picture('accounts-books')
  await channelsAgree(lost)
})

test('of those days only the two loans whose debits are held were logged as an error', () => {
  const others = programs.errorLines.filter((line) => !line.includes('debits of a loan are on hold until reviewed'))
  assert.deepEqual([others, programs.errorLines.length], [[], 2])
})

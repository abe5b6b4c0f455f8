// Six loans of the lending partner that end in six ways: a credit officer, an operations officer and an accountant do their
// days in the browser, the books balance after each act, and every channel tells the borrower the same plan.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { clockFile } from '#cli/installation.ts'
import { connect } from '#kit/db/sql.ts'
import { pagesOf } from '#kit/files/pdf.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { officerAt } from '#test/setup/desk-page.ts'
import { stateOf } from '#test/setup/headless.ts'
import {
  backAgain,
  lentByPartner,
  type PartnerLoan,
  planByApi,
  planByStatus,
  planOnPage,
  statusOf,
} from '#test/setup/partner-loan.ts'
import { passing } from '#test/setup/passing.ts'
import { ask } from '#test/setup/platform.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

if (process.env.PICTURES) mkdirSync(process.env.PICTURES, { recursive: true })
const directory = mkdtempSync(join(tmpdir(), 'lendloom-outcomes-'))
after(() => rmSync(directory, { recursive: true }))
const programs = await startPrograms({
  partner: true,
  env: { CLOCK_FILE: clockFile(directory), SANDBOX_BANK_SECONDS: '1', PARTNER_STATUS_SECONDS: '5' },
})
const pass = passing(programs, directory)
const db = connect(programs.partnerDatabaseUrl, { connections: 2 })
after(() => db.close())

const desk = { db, url: programs.partnerUrl }
const credit = await officerAt(desk, 'Ravi', 'credit')
const operations = await officerAt(desk, 'Meera', 'operations')
const accountant = await officerAt(desk, 'Devika', 'accounts')
const head = await officerAt(desk, 'Arun', 'admin')
const officers = [credit, operations, accountant, head]

/** Every debit of an account with these last digits is returned: its owner stopped payment. */
const stoppedByOwner = (number: number) => `5010012${number}9314`
const [partPaid, foreclosed, left, cured, lost, stopped] = await Promise.all([
  lentByPartner(programs, { pan: 'AAAPE1234F', accountNumber: '50100123456781' }),
  lentByPartner(programs, { pan: 'BBBPE1234F', accountNumber: '50100123456782' }),
  lentByPartner(programs, { pan: 'CCCPE1234F', accountNumber: '50100123456783' }),
  lentByPartner(programs, { pan: 'DDDPE1234F', accountNumber: stoppedByOwner(1) }),
  lentByPartner(programs, { pan: 'EEEPE1234F', accountNumber: stoppedByOwner(2) }),
  lentByPartner(programs, { pan: 'FFFPE1234F', accountNumber: '50100123456786' }, 'KYC_PENDING'),
])

const pageOf = ({ caseRef }: PartnerLoan): string => `/desk/cases/${encodeURIComponent(caseRef)}`
const of = (loan: PartnerLoan) => statusOf(programs, loan)

/** The borrower pays by bank transfer and names the loan. */
async function pays(loan: PartnerLoan, amount: string): Promise<void> {
  const { celestium_loan_id: remark, payments } = await of(loan)
  const body = { method: 'NEFT', amount, payer_name: 'Asha Kulkarni', remark }
  const { status } = await ask(`${programs.sandboxUrl}/bank/borrower-payments`, { method: 'POST', body })
  assert.equal(status, 201)
  await until('the money is posted', async () => (await of(loan)).payments.length > payments.length)
}

/** Debits and credits are equal to the paisa, as the accountant reads it. */
async function booksBalance(): Promise<void> {
  await accountant.go('/desk/books')
  await accountant.page.getByText('The books balance').waitFor()
}

/** The lender, the headless API and the hosted page have the same instalments, with the same amounts, paid or not. A closed loan is no more on the page. */
async function channelsAgree(loan: PartnerLoan): Promise<void> {
  const plans = async () => {
    const [status, api] = [await of(loan), await planByApi(programs, loan)]
    const lender = planByStatus(status)
    if (status.loan_status !== 'CLOSED')
      return [
        { api, page: (await planOnPage(programs, loan)).plan },
        { api: lender, page: lender },
      ]
    const { status: journey } = await stateOf(await backAgain(programs, loan))
    return [
      { api, journey },
      { api: lender, journey: 'CLOSED' },
    ]
  }
  const agree = async () => isDeepStrictEqual(...((await plans()) as [unknown, unknown]))
  await until('the plan of the lender at every channel', agree, deadlineMs / 2).catch(() => undefined)
  const [channels, lender] = await plans()
  assert.deepEqual(channels, lender)
}

/** What a quote of the desk says that closes a loan today. */
async function quoted(loan: PartnerLoan, name: string): Promise<string> {
  await operations.go(`${pageOf(loan)}/payoff`)
  await operations.picture(name)
  const total = await operations.page
    .locator('dt', { hasText: 'Amount that closes the loan' })
    .locator('+ dd')
    .textContent()
  return total!.replace(/[₹,\s]/g, '')
}

test('D3 §1.1: the credit officer stops an accepted application for fraud; nothing is paid out and its journey ends', async () => {
  await credit.sees(pageOf(stopped), /Stop this application/)
  await credit.page.getByText('Stop this application').click()
  await credit.page.getByLabel('Who stops it, and why').selectOption('LENDER:SUSPECTED_FRAUD')
  await credit.page.getByLabel('In words, for the file').fill('The salary slips are forged.')
  await credit.picture('credit-stop')
  await credit.page.getByRole('button', { name: 'Stop the application' }).click()
  await credit.sees(pageOf(stopped), /Stopped by the lender/)
  await credit.picture('credit-stopped')
  const status = await of(stopped)
  assert.deepEqual([status.case_status, status.disbursement], ['REJECTED', null])
  await until('the journey ends', async () => (await stateOf(stopped.borrower)).status === 'REJECTED')
  await booksBalance()
})

test('D3 §1: a borrower leaves in the cooling-off period, for what the page and the desk say it costs', async () => {
  await pass('1d')
  for (const { signIn } of officers) await signIn()
  await operations.go(pageOf(left))
  await operations.page.getByRole('button', { name: 'The borrower leaves' }).click()
  await operations.sees(pageOf(left), /Money that closes the loan until/)
  const amount = await quoted(left, 'operations-exit')
  const { view } = await planOnPage(programs, left)
  assert.equal(view.leave?.cost?.total, amount, 'the page of the borrower')
  await pays(left, amount)
  const { loan_status, soa } = await of(left)
  assert.deepEqual([loan_status, soa!.total_outstanding], ['CLOSED', '0.00'])
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

test('D3 §2.5: two loans whose debits are returned pass through the classes; one pays its arrears and is standard again', async () => {
  // The first instalments were due on the seventh day; the last day that was ended is their sixty-first overdue.
  await pass('66d', { step: '1d' })
  for (const { signIn } of officers) await signIn()
  for (const loan of [cured, lost]) await operations.sees(pageOf(loan), /SMA-2/)
  await operations.go('/desk/collections')
  await operations.picture('operations-collections')
  await accountant.sees('/desk', /SMA-2/)
  await accountant.picture('accounts-overview')
  await booksBalance()
  const arrears = await of(cured)
  assert.equal(arrears.loan_status, 'OVERDUE')
  await pays(cured, arrears.soa!.total_overdue)
  const { loan_status, soa } = await of(cured)
  assert.deepEqual([loan_status, soa!.total_overdue], ['ACTIVE', '0.00'])
  await pass('1d')
  for (const { signIn } of officers) await signIn()
  await operations.sees(pageOf(cured), /All arrears of the borrower are paid/)
  await operations.picture('operations-cured')
  await booksBalance()
  await channelsAgree(cured)
})

test('D3 §2.5: the other is written off by two people; the borrower owes it all the same, and says so at every channel', async () => {
  const owed = async () => ({ ...(await of(lost)).soa, updated_at: null })
  const before = await owed()
  await accountant.go(pageOf(lost))
  const form = accountant.page.locator('details', { hasText: 'Write the loan off' }).last()
  await form.locator('summary').click()
  await form
    .getByLabel('Reason, for a second person who approves it')
    .fill('The shop is closed, the borrower is not found.')
  await form.getByRole('button', { name: 'Ask for approval' }).click()
  await accountant.page.getByRole('heading', { name: /^Waiting for approval/ }).waitFor()
  await credit.sees('/desk/approvals', /Beyond what your roles may approve/)
  await head.go('/desk/approvals')
  await head.picture('approvals')
  await head.page.getByRole('row', { name: /Write/ }).getByRole('button', { name: 'Approve' }).click()
  await head.page.getByText('Nothing waits for approval.').waitFor()
  await accountant.sees(pageOf(lost), /The borrower owes it all the same/)
  await accountant.picture('accounts-written-off')
  assert.deepEqual(await owed(), before)
  await booksBalance()
  await accountant.picture('accounts-books')
  await channelsAgree(lost)
})

test('of those days only the two loans whose debits are held were logged as an error', () => {
  const others = programs.complaints.filter(
    (line) => !line.includes('debits of a loan are held until a person has looked'),
  )
  assert.deepEqual([others, programs.complaints.length], [[], 2])
})

// A day of a small lender's staff in a real browser: from the application to the money and back, by people and then by rules.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { exampleData } from '#contract/exchange/example/event.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import { addStaff } from '#partner/desk/staff/staff.ts'
import { dayEnd } from '#partner/loan/day-end.ts'
import { announcing } from '#partner/work.ts'
import { assertAccessible } from '#test/setup/accessibility.ts'
import { startBank } from '#test/setup/bank.ts'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { sampleMp4 } from '#test/setup/files.ts'
import { startTestPartner } from '#test/setup/partner.ts'
import { freshPan, TestCase } from '#test/setup/partner-case.ts'

let ahead = 0
const clock = () => new Date(Date.now() + ahead)
const bank = await startBank({}, clock)
const partner = await startTestPartner(
  { PARTNER_AUTOPILOT: 'off', BANK_URL: bank.url, BANK_BEARER: bank.bearer, BANK_POLL_SECONDS: '1' },
  clock,
)
const email = 'meera@lender.example'
let password = 'correct horse battery'
await partner.db.tx((tx) => addStaff(tx, { email, name: 'Meera Nair', password, roles: ['admin'] }, clock()))

const patienceMs = deadlineMs
const browser = await sharedBrowser()
const context = await openContext(browser, { viewport: { width: 1280, height: 900 } })
const page = await context.newPage()
const complaints: string[] = []
page.on('console', (message) => {
  if (/Content Security Policy/.test(message.text())) complaints.push(message.text())
})

const go = (path: string) => page.goto(`${partner.url}${path}`)
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (name: string | RegExp) => page.getByRole('link', { name }).first().click()
const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Looks at the overview until that much waits there. */
async function waits(count: number, label: string): Promise<void> {
  const tile = page.getByRole('link', { name: new RegExp(`^${count} ${label}( oldest|$)`) })
  for (const deadline = Date.now() + patienceMs; ; ) {
    await go('/desk')
    if ((await tile.count()) > 0) return
    if (Date.now() > deadline) assert.fail(`${count} ${label}: ${await page.textContent('main')}`)
    await page.waitForTimeout(200)
  }
}

/** Looks at a page until it says that. */
async function says(path: string, text: RegExp): Promise<void> {
  for (const deadline = Date.now() + patienceMs; ; ) {
    await go(path)
    const words = (await page.textContent('main'))!
    if (text.test(words)) return
    if (Date.now() > deadline) assert.fail(`${text}: ${words}`)
    await page.waitForTimeout(200)
  }
}

/** Everybody can use it: on a screen and on a phone, by day and by night, without anything beyond the edge. */
async function usable(what: string): Promise<void> {
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await assertAccessible(page, `${what}, ${width} wide`)
    const needed = await page.evaluate('document.documentElement.scrollWidth')
    assert.ok(Number(needed) <= width, `${what} needs ${needed} of ${width}`)
  }
}

/** Somebody else at the desk, who signs in in a browser of their own. */
async function colleague(called: string): Promise<() => Promise<Page>> {
  const other = 'ravi@lender.example'
  const roles = ['credit', 'operations'] as const
  await partner.db.tx((tx) => addStaff(tx, { email: other, name: called, password, roles }, clock()))
  const own = await openContext(browser, { viewport: { width: 1280, height: 900 } })
  const opened = await own.newPage()
  return async () => {
    await opened.goto(`${partner.url}/desk/sign-in`)
    await opened.getByLabel('Email').fill(other)
    await opened.getByLabel('Password').fill(password)
    await opened.getByRole('button', { name: 'Sign in' }).click()
    await opened.waitForURL('**/desk')
    return opened
  }
}

/** A second person approves what waits. */
async function approved(ravi: Page, what: string): Promise<void> {
  await ravi.goto(`${partner.url}/desk/approvals`)
  await ravi.getByRole('region', { name: what }).getByRole('button', { name: 'Approve' }).click()
  await ravi.getByText('Nothing to approve.').waitFor()
}
const because = 'Reason, for a second person who approves it'

const ravi = await colleague('Ravi Menon')

async function signIn(): Promise<void> {
  await go('/desk/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await press('Sign in')
  await title('Overview')
}

const loanCase = new TestCase(partner)
Object.assign(loanCase.lead.borrower, { first_name: 'Asha', last_name: 'Varma' })
// Every debit of this account is stopped by its owner.
Object.assign(loanCase.lead.banking.account!, { account_number: '501009999314', holder_name: 'ASHA VARMA' })
const name = 'Asha Varma'
const casePath = `/desk/cases/${loanCase.caseRef}`

test('somebody signs in, and finds a desk without work', async () => {
  await go('/desk')
  await title('Sign in')
  await usable('signing in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('not that one')
  await press('Sign in')
  await page.getByRole('alert').getByText('Email or password is wrong.').waitFor()
  await signIn()
  await page.getByText('No leads yet.').waitFor()
  await page.getByRole('heading', { name: 'People decide' }).waitFor()
  await usable('an empty overview')
})

test('D3 §1.1: an application is found, read and approved for less', async () => {
  await loanCase.register()
  await waits(1, 'Applications to review')
  await usable('an overview')
  await follow('1 Applications to review')
  await title('Applications to review')
  await usable('a list of cases')
  await follow(name)
  await title(name)
  await page.getByText('₹1,00,000.00', { exact: false }).first().waitFor()
  await page.getByText('Reject the application').click()
  await usable('a case to review')
  await page.getByLabel('Amount, ₹').fill('60000')
  await press('Approve and offer')
  await page.getByRole('heading', { name: 'Offer other terms' }).waitFor()
  const { data } = await loanCase.received('MANUAL_REVIEW_DECIDED')
  assert.deepEqual([data.decision, data.offer!.loan_amount], ['APPROVED', '60000.00'])
  assert.match((await page.getByRole('table', { name: 'History' }).textContent())!, /Review: Approved\s*Meera Nair/)
})

test('D3 §6 rule 2: a video KYC is reviewed with its report at hand', async () => {
  await loanCase.decide()
  await loanCase.received('OFFER_DECISION_CONFIRMED')
  const { body } = await loanCase.upload('KYC_REPORT')
  const kyc = {
    ...exampleData('KYC_UPDATED'),
    mode: 'VIDEO_AND_MANUAL_REVIEW' as const,
    document_ids: [body.document_id],
  }
  await loanCase.send('KYC_UPDATED', { ...kyc, status: 'REVIEW_READY', verified: false, document_ids: [] })
  await waits(1, 'KYC to review')
  await follow('1 KYC to review')
  await follow(name)
  const download = page.getByRole('table', { name: 'Files' }).getByRole('link', { name: 'Download' })
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
  assert.match(file.suggestedFilename(), /\.pdf$/)
  await usable('a KYC to review')
  await follow('KYC report')
  await title('KYC report')
  await page.getByRole('heading', { name: 'Review the KYC' }).waitFor()
  await usable('a file beside the decision')
  await press('Approve the KYC')
  const { data } = await loanCase.received('KYC_REVIEW_DECIDED')
  assert.deepEqual([data.decision, data.reason_code], ['APPROVED', 'KYC_IN_ORDER'])
  await loanCase.send('KYC_UPDATED', { ...kyc, status: 'APPROVED', verified: true })
  await loanCase.upload('VKYC_RECORDING', undefined, { bytes: sampleMp4(), contentType: 'video/mp4' })
  await loanCase.send('MANDATE_UPDATED')
  await loanCase.send('ESIGN_UPDATED')
  await loanCase.upload('SIGNED_LOAN_AGREEMENT')
})

test('D3 §3: a case is found from every page by a name, with the keyboard alone; a note and a task are left on it', async () => {
  await go('/desk/portfolio')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('asha varma')
  await page.keyboard.press('Enter')
  await title(name)
  await page.getByText('Add a note').click()
  await page.getByLabel('Note', { exact: true }).fill('She prefers to be called in the evening.')
  await press('Add the note')
  await page.getByText('She prefers to be called in the evening.').waitFor()
  await page.getByText('Add a task').click()
  await page.getByLabel('What to do').fill('Check the address')
  await usable('a case with a note and a form for a task')
  await press('Add the task')
  await go('/desk')
  await usable('an overview with a task')
  await press('Done')
  await title(name)
})

test('D3 §1.1: the loan is paid out by two people', async () => {
  await waits(1, 'Ready to disburse')
  await go(casePath)
  await page.getByText(/goes to .* •••• 9314/).waitFor()
  await usable('a case to pay out')
  await page.getByLabel(because).first().fill('Everything is verified.')
  await page.getByRole('button', { name: 'Ask for approval' }).first().click()
  await page.getByRole('heading', { name: 'Waiting for approval: transfer to the borrower' }).waitFor()
  await usable('a case with a payout that waits')
  await approved(await ravi(), 'Transfer to the borrower')
  await says(casePath, /Next due₹[\d,.]+/)
  await usable('a loan')
  await page.getByText('Ledger', { exact: true }).click()
  await usable('a ledger')
})

test('D3 §6 rule 7: a debit is asked for, comes back for good, is held, and is let go on', async () => {
  ahead += 7 * 86_400_000
  await signIn()
  await go(casePath)
  await press('Collect now')
  await says(casePath, /Checked for a debit on .*: debit requested/)
  await waits(1, 'Debits on hold')
  await follow('1 Debits on hold')
  await page
    .getByRole('table', { name: 'Debits on hold' })
    .getByText('No debits until someone releases them.')
    .waitFor()
  await usable('money, with a hold')
  await go(casePath)
  await press('Collect now')
  await page.getByRole('alert').getByText('No debit was asked for: debits of this case are held.').waitFor()
  await press('Release debits')
  await waits(0, 'Debits on hold')
  await go('/desk/money')
  await press('Collect what is due today')
  await page
    .getByRole('status')
    .getByText(/\d cases? with something due today/)
    .waitFor()
})

test('D3 §6 rule 4: a receipt that is nobody’s is looked at beside a loan, and posted to it', async () => {
  await bank.payIn({ method: 'NEFT', amount: '1000.00', payer_name: 'A FRIEND', remark: 'for the shop' })
  await waits(1, 'Unmatched receipts')
  await go('/desk/money')
  await usable('money, with a receipt')
  await page.getByLabel('Loan number').fill('12345678')
  await press('Find')
  await page.getByText('No loan, or several loans, have this number.').waitFor()
  await page.getByLabel('Another loan or account number').fill(loanCase.loanId!)
  await press('Find')
  await page.getByRole('link', { name }).waitFor()
  await usable('whose receipt it is')
  await press('Post ₹1,000.00 to this loan')
  await title(name)
  const payments = (await page.getByRole('table', { name: 'Payments' }).textContent())!
  assert.match(payments, /NEFT\s*Posted\s*₹1,000\.00/)
  await waits(0, 'Unmatched receipts')
})

test('D3 §2.5: a waiver and a write-off are asked for by one person and approved by another, and the books balance after each', async () => {
  ahead += 10 * 86_400_000
  await dayEnd(partner.ctx, plusDays(businessDate(clock()), -1), announcing(partner.ctx))
  await signIn()
  await says(casePath, /Waive amounts due/)
  const checker = await ravi()
  const requested = async (form: string, fill: (part: Locator) => Promise<void>) => {
    await go(casePath)
    const part = page.locator('details', { hasText: form }).last()
    await part.locator('summary').click()
    await fill(part)
    await part.getByRole('button', { name: 'Ask for approval' }).click()
    await page.getByRole('heading', { name: /^Waiting for approval/ }).waitFor()
    await go('/desk/approvals')
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0, 'not by whoever asked for it')
    await page.getByRole('button', { name: 'Withdraw' }).waitFor()
  }
  await requested('Waive amounts due', async (part) => {
    await part.getByLabel(/^Interest, ₹/).fill('100.00')
    await part.getByLabel(because).fill('She was ill.')
  })
  await usable('what waits for approval')
  await approved(checker, 'Waiver')
  await go('/desk/books')
  await page.getByText('The books balance').waitFor()
  assert.match((await page.getByRole('row', { name: /Waived/ }).textContent())!, /₹100\.00.*₹100\.00 Dr/)
  await usable('the books')

  await requested('Write the loan off', (part) => part.getByLabel(because).fill('The shop is closed.'))
  await approved(checker, 'Write')
  await says(casePath, /The borrower still owes it/)
  await go('/desk/books')
  await page.getByText('The books balance').waitFor()
  await page.getByRole('row', { name: /Loans written off: loss.*Dr/ }).waitFor()
  await go('/desk/collections')
  await usable('collections')
  await go('/desk/policy')
  for (const form of await page.getByText('Propose a change', { exact: true }).all()) await form.click()
  await usable('the policy')
  await go('/desk/limits')
  await usable('the limits')
  await go('/desk/people')
  await usable('the people')
  await go('/desk/portfolio')
  await page.getByRole('img', { name: 'Disbursed by month' }).waitFor()
  for (const figures of await page.getByText('Figures', { exact: true }).all()) await figures.click()
  await usable('the portfolio')
})

test('the rules are put in force at the desk: the next application is decided before anybody sees it', async () => {
  await go('/desk')
  await press('Let the rules decide')
  await page.getByRole('heading', { name: 'Rules decide' }).waitFor()
  await page.getByText('Switched on by Meera Nair').waitFor()
  const next = new TestCase(partner, freshPan('9203'))
  await next.register()
  await next.received('MANUAL_REVIEW_DECIDED')
  await says(`/desk/cases/${next.caseRef}`, /Review: Rejected\s*The rules/)
  await go('/desk')
  await press('Let people decide')
  await page.getByRole('heading', { name: 'People decide' }).waitFor()
})

/** Of the page of the log that is shown, the newest first. */
const acts = async () => (await page.getByRole('table', { name: 'Acts' }).getByRole('row').allTextContents()).slice(1)

test('whoever is signed in changes their password, and everything that was done is on record', async () => {
  await go('/desk/me')
  await usable('the own page')
  const fresh = 'a longer horse battery'
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password (at least 12 characters)').fill(fresh)
  await page.getByLabel('Re-enter new password').fill(fresh)
  await press('Change')
  await page.getByRole('status').getByText('Your password is changed').waitFor()
  password = fresh
  await press('Sign out')
  await title('Sign in')
  await signIn()
  await go('/desk/exchange')
  await usable('the exchange')
  await follow('Audit log')
  await title('Audit log')
  await usable('who did what')
  const pages = [await acts()]
  const next = page.getByRole('navigation', { name: 'Pages of Acts' }).getByRole('link', { name: 'Next' })
  while ((await next.count()) > 0) {
    await next.click()
    await page.getByRole('link', { name: 'First page' }).waitFor()
    await page.waitForLoadState()
    pages.push(await acts())
  }
  const did = pages.flat().reverse().join('\n')
  const order = [
    'approved, and offered terms',
    'viewed a file',
    'reviewed the KYC',
    'asked for approval',
    'checked the case for a debit',
    'released debits',
    'checked everything due for debits',
    'posted a receipt',
    'put the rules in force',
    'took over from the rules',
    'changed their own password',
    'signed out',
  ]
  for (let [i, from] = [0, 0]; i < order.length; i++) {
    const place = did.indexOf(`Meera Nair${order[i]}`, from)
    assert.notEqual(place, -1, `${order[i]} after ${did.slice(0, from)}`)
    from = place
  }
  assert.deepEqual(complaints, [])
})

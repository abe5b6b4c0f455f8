// A lender's desk in a real browser, from application to repayment: decisions of people, then of rules.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { addStaff } from '@lendloom/partner/src/desk/staff/staff.ts'
import { dayEnd } from '@lendloom/partner/src/servicing/loan/day-end.ts'
import { reportDayEnd } from '@lendloom/partner/src/work.ts'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import type { Locator, Page } from 'playwright-core'
import { assertAccessible } from '#test/setup/accessibility.ts'
import { startBank } from '#test/setup/bank.ts'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { chooseAct } from '#test/setup/desk-page.ts'
import { sampleMp4 } from '#test/setup/files.ts'
import { startTestPartner } from '#test/setup/partner.ts'
import { freshPan, TestCase } from '#test/setup/partner-case.ts'

// The story begins at ten in the morning, so that no business day ends in it: on the next day a debit is presented again,
// and the case would change between an officer's page and the officer's decision.
const startsAt = startOf(plusDays(businessDate(new Date()), 1)).getTime() + 10 * 3_600_000
let clockOffsetMs = startsAt - Date.now()
const clock = () => new Date(Date.now() + clockOffsetMs)
const bank = await startBank({}, clock)
const partner = await startTestPartner(
  { PARTNER_AUTOPILOT: 'off', BANK_URL: bank.url, BANK_BEARER: bank.bearer, BANK_POLL_SECONDS: '1' },
  clock,
)
const email = 'meera@lender.example'
let password = 'correct horse battery'
await partner.db.tx((tx) => addStaff(tx, { email, name: 'Meera Nair', password, roles: ['admin'] }, clock()))

const browser = await sharedBrowser()
const context = await openContext(browser, { viewport: { width: 1280, height: 900 } })
const page = await context.newPage()
const complaints: string[] = []
page.on('console', (message) => {
  if (/Content Security Policy/.test(message.text())) complaints.push(message.text())
})

const goTo = (path: string) => page.goto(`${partner.url}${path}`)
const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const follow = (name: string | RegExp) => page.getByRole('link', { name }).first().click()
/** Follows a tab of the page of a case. */
const followTab = (name: string) =>
  page.getByRole('navigation', { name: 'Parts of the case' }).getByRole('link', { name }).click()
const choose = (act: string) => chooseAct(page, act)
const waitForTitle = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Reloads the overview until a tile has this count. */
async function waitForTile(count: number, label: string): Promise<void> {
  const tile = page.locator('.queue a', { hasText: new RegExp(`^${count} ${label}( oldest|$)`) })
  for (const deadline = Date.now() + deadlineMs; ; ) {
    await goTo('/desk')
    if ((await tile.count()) > 0) return
    if (Date.now() > deadline) assert.fail(`${count} ${label}: ${await page.textContent('main')}`)
    await page.waitForTimeout(200)
  }
}

/** Reloads a page until its text matches. */
async function waitForText(path: string, text: RegExp): Promise<void> {
  for (const deadline = Date.now() + deadlineMs; ; ) {
    await goTo(path)
    const content = (await page.textContent('main'))!
    if (text.test(content)) return
    if (Date.now() > deadline) assert.fail(`${text}: ${content}`)
    await page.waitForTimeout(200)
  }
}

/** Asserts that the page is accessible and fits the width of a desktop in light mode and of a phone in dark mode. */
async function assertUsableHere(what: string): Promise<void> {
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate('scrollTo(0, 0)')
    await assertAccessible(page, `${what}, ${width} wide`)
    const contentWidth = await page.evaluate('document.documentElement.scrollWidth')
    assert.ok(Number(contentWidth) <= width, `${what} is ${contentWidth} wide, the window ${width}`)
  }
}

/** Adds a second officer. Returns a function that signs the officer in, in a separate browser context. */
async function addSecondOfficer(fullName: string): Promise<() => Promise<Page>> {
  const officerEmail = 'ravi@lender.example'
  const roles = ['credit', 'operations'] as const
  await partner.db.tx((tx) => addStaff(tx, { email: officerEmail, name: fullName, password, roles }, clock()))
  const officerContext = await openContext(browser, { viewport: { width: 1280, height: 900 } })
  const officerPage = await officerContext.newPage()
  return async () => {
    await officerPage.goto(`${partner.url}/desk/sign-in`)
    await officerPage.getByLabel('Email').fill(officerEmail)
    await officerPage.getByLabel('Password').fill(password)
    await officerPage.getByRole('button', { name: 'Sign in' }).click()
    await officerPage.waitForURL('**/desk')
    return officerPage
  }
}

/** Approves a request on the second officer's page. */
async function approve(officerPage: Page, what: string): Promise<void> {
  await officerPage.goto(`${partner.url}/desk/approvals`)
  await officerPage.getByRole('region', { name: what }).getByRole('button', { name: 'Approve' }).click()
  await officerPage.getByText('Nothing to approve.').waitFor()
}
const reasonLabel = 'Reason, for the approver'

const signInRavi = await addSecondOfficer('Ravi Menon')

async function signIn(): Promise<void> {
  await goTo('/desk/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await press('Sign in')
  await waitForTitle('Overview')
}

const loanCase = new TestCase(partner)
Object.assign(loanCase.lead.borrower, { first_name: 'Asha', last_name: 'Varma' })
// The sandbox's bank reports that the owner of an account ending in 9314 has stopped every debit.
Object.assign(loanCase.lead.banking.account!, { account_number: '501009999314', holder_name: 'ASHA VARMA' })
const name = 'Asha Varma'
const casePath = `/desk/cases/${loanCase.caseRef}`

describe('D3 §1.1: a lender’s desk in the browser, one story', () => {
  test('an admin signs in and sees an empty overview', async () => {
    await goTo('/desk')
    await waitForTitle('Sign in to the desk')
    await assertUsableHere('signing in')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('not that one')
    await press('Sign in')
    await page.getByRole('alert').getByText('The email or password is wrong.').waitFor()
    await signIn()
    await page.getByText('No leads yet.').waitFor()
    await page.getByText('Nothing waits for you.').waitFor()
    await assertUsableHere('an empty overview')
    await goTo('/desk/cases')
    await assertUsableHere('an empty list of cases')
    await goTo('/desk')
  })

  test('D3 §1.1: an application is reviewed and approved for a smaller amount', async () => {
    await loanCase.register()
    await waitForTile(1, 'Applications to review')
    await assertUsableHere('an overview')
    await follow('1 Applications to review')
    await waitForTitle('Applications to review')
    await assertUsableHere('a list of cases')
    await page.locator('main').getByPlaceholder('Name, mobile, PAN, any number').waitFor()
    await follow(name)
    await waitForTitle(name)
    await page.getByText('₹1,00,000', { exact: false }).first().waitFor()
    await assertUsableHere('a case to review')
    await follow('Reject')
    await page.getByRole('heading', { name: 'Reject the application Asha Varma' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Approve and offer' }).count(), 0, 'one act at a time')
    await assertUsableHere('a case to reject')
    await follow('Close')
    await page.getByLabel('Amount, ₹').fill('60000')
    await press('Approve and offer')
    await page.getByRole('alert').getByText('These are the figures for ₹60,000').waitFor()
    await press('Approve and offer')
    await page.getByRole('status').getByText('Approved, and offered terms').waitFor()
    await choose('Offer other terms')
    await page.getByRole('heading', { name: 'Offer other terms' }).waitFor()
    const { data } = await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED')
    assert.equal(data.decision, 'APPROVED')
    assert.equal(data.offer!.loan_amount, '60000.00')
    await followTab('History')
    await assertUsableHere('the history of a case')
    const lefts = (part: string) =>
      page
        .locator(`.timeline ${part}`)
        .evaluateAll((all) => new Set(all.map((each) => each.getBoundingClientRect().x)).size)
    for (const part of ['time', ':is(h3, .what)', ':is(header, .entry) > .quiet'])
      assert.equal(await lefts(part), 1, `statuses and entries have one column of ${part}`)
    assert.match((await page.getByRole('region', { name: 'History' }).textContent())!, /Review: Approved\s*Meera Nair/)
  })

  test('D3 §6 rule 2: a video KYC is reviewed beside its report', async () => {
    await loanCase.decide()
    await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED')
    const { body } = await loanCase.upload('KYC_REPORT')
    const kyc = {
      ...exampleData('KYC_UPDATED'),
      mode: 'VIDEO_AND_MANUAL_REVIEW' as const,
      document_ids: [body.document_id],
    }
    await loanCase.send('KYC_UPDATED', { ...kyc, status: 'REVIEW_READY', verified: false, document_ids: [] })
    await waitForTile(1, 'KYC to review')
    await follow('1 KYC to review')
    await follow(name)
    await assertUsableHere('a KYC to review')
    await followTab('Documents')
    const download = page.getByRole('table', { name: 'Files' }).getByRole('link', { name: 'Download' })
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
    assert.match(file.suggestedFilename(), /\.pdf$/)
    await assertUsableHere('the documents of a case')
    await follow('KYC report')
    await page.getByRole('heading', { name: 'KYC report' }).waitFor()
    await page.getByRole('heading', { name: 'Review the KYC' }).waitFor()
    await assertUsableHere('a file beside the decision')
    await press('Approve the KYC')
    const { data } = await loanCase.waitForEvent('KYC_REVIEW_DECIDED')
    assert.equal(data.decision, 'APPROVED')
    assert.equal(data.reason_code, 'KYC_IN_ORDER')
    await loanCase.send('KYC_UPDATED', { ...kyc, status: 'APPROVED', verified: true })
    await loanCase.upload('VKYC_RECORDING', undefined, { bytes: sampleMp4(), contentType: 'video/mp4' })
    await loanCase.send('MANDATE_UPDATED')
    await loanCase.send('ESIGN_UPDATED')
    await loanCase.upload('SIGNED_LOAN_AGREEMENT')
  })

  test('D3 §3: a case is found by name with only the keyboard, and gets a note and a task', async () => {
    await goTo('/desk/portfolio')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
    await page.getByRole('searchbox').focus()
    await page.keyboard.type('asha varma')
    await page.keyboard.press('Enter')
    await waitForTitle(name)
    await choose('Add a note')
    await page.getByLabel('Note', { exact: true }).fill('She prefers to be called in the evening.')
    await press('Add note')
    await page.getByText('She prefers to be called in the evening.').waitFor()
    await choose('Add a task')
    await page.getByLabel('What to do').fill('Check the address')
    await assertUsableHere('a case with a note and a form for a task')
    await press('Add task')
    await goTo('/desk')
    await assertUsableHere('an overview with a task')
    await press('Done')
    await waitForTitle(name)
  })

  test('D3 §1.1: a second person approves the payout', async () => {
    await waitForTile(1, 'Ready to disburse')
    await goTo(casePath)
    await page.getByText(/goes to .* •••• 9314/).waitFor()
    await assertUsableHere('a case to pay out')
    await page.getByLabel(reasonLabel).first().fill('Everything is verified.')
    await page.getByRole('button', { name: 'Ask for approval' }).first().click()
    await page.getByRole('heading', { name: 'Waiting for a second person: transfer to the borrower' }).waitFor()
    await assertUsableHere('a case with a payout that waits')
    await approve(await signInRavi(), 'Transfer to the borrower')
    await waitForText(casePath, /Next due₹[\d,.]+/)
    await assertUsableHere('a loan')
    assert.equal(await page.locator('main .primary').count(), 0, 'a healthy loan has no next act')
    await followTab('Documents')
    await page.getByLabel('Language of the documents').selectOption('தமிழ்')
    const row = page.getByRole('row', { name: /^Statement of account/ })
    const [paper] = await Promise.all([page.waitForEvent('download'), row.getByRole('button').click()])
    assert.match(paper.suggestedFilename(), /^statement-\d+-ta\.pdf$/)
    await followTab('Ledger')
    await assertUsableHere('a ledger')
  })

  test('D3 §6 rule 7: a permanently returned debit puts all debits on hold, and an officer releases them', async () => {
    clockOffsetMs += 7 * 86_400_000
    await signIn()
    await goTo(casePath)
    await press(/^Collect ₹[\d,.]+ now$/)
    await waitForText(casePath, /Last debit, \d+ \w+ \d+:/)
    await waitForTile(1, 'Debits on hold')
    await follow('1 Debits on hold')
    await page
      .getByRole('table', { name: 'Debits on hold' })
      .getByText('No debits until a staff member releases them.')
      .waitFor()
    await assertUsableHere('the money page with debits on hold')
    await goTo(casePath)
    await page.getByText('Payment stopped by the account holder (06)').first().waitFor()
    assert.equal(await page.getByRole('button', { name: /^Collect .*now$/ }).count(), 0)
    await press('Release debits')
    await waitForTile(0, 'Debits on hold')
    await goTo('/desk/money')
    await press('Collect what is due today')
    await page
      .getByRole('status')
      .getByText(/\d cases? with something due today/)
      .waitFor()
  })

  test('D3 §6 rule 4: two people post an unmatched receipt of another payer to a loan', async () => {
    await bank.payIn({ method: 'NEFT', amount: '1000.00', payer_name: 'A FRIEND', remark: 'for the shop' })
    await waitForTile(1, 'Unmatched receipts')
    await goTo('/desk/money')
    await assertUsableHere('the money page with a receipt')
    await page.getByLabel('Loan number').fill('12345678')
    await press('Find')
    await page.getByText('No loan, or several loans, have this number.').waitFor()
    await page.getByLabel('Another loan or account number').fill(loanCase.loanId!)
    await press('Find')
    await page.getByRole('link', { name }).waitFor()
    await page.getByText('The payer is not the borrower.').waitFor()
    await assertUsableHere('the loan found for a receipt')
    await page.getByLabel(reasonLabel).fill('She sent the friend’s message about the payment.')
    await press('Ask for approval')
    await waitForTitle(name)
    const checker = await signInRavi()
    await checker.goto(`${partner.url}/desk/approvals`)
    await checker.getByRole('link', { name: 'See the payer and decide' }).click()
    await checker.getByRole('button', { name: 'Approve the posting of a receipt' }).click()
    await checker.waitForURL(/done=/)
    await goTo(casePath)
    await followTab('Ledger')
    const payments = (await page.getByRole('table', { name: 'Payments' }).textContent())!
    assert.match(payments, /NEFT\s*Posted\s*₹1,000/)
    await waitForTile(0, 'Unmatched receipts')
  })

  test('D3 §2.5: a waiver and a write-off need a second person’s approval, and the books balance after each', async () => {
    clockOffsetMs += 10 * 86_400_000
    await dayEnd(partner.ctx, plusDays(businessDate(clock()), -1), reportDayEnd(partner.ctx))
    await signIn()
    await waitForText(casePath, /Waive amounts due/)
    const checker = await signInRavi()
    const request = async (form: string, fill: (part: Locator) => Promise<void>) => {
      await goTo(casePath)
      await choose(form)
      const part = page.locator('.act')
      await fill(part)
      await part.getByRole('button', { name: 'Ask for approval' }).click()
      await page.getByRole('heading', { name: /^Waiting for a second person/ }).waitFor()
      await goTo('/desk/approvals')
      assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0, 'the requester cannot approve')
      await page.getByRole('button', { name: 'Withdraw' }).waitFor()
    }
    await request('Waive amounts due', async (part) => {
      await part.getByLabel(/^Interest, ₹/).fill('100.00')
      await part.getByLabel(reasonLabel).fill('She was ill.')
    })
    await assertUsableHere('requests that wait for approval')
    await approve(checker, 'Waiver')
    await goTo('/desk/books')
    await page.getByText('The books balance').waitFor()
    assert.match((await page.getByRole('row', { name: /Waived/ }).textContent())!, /₹100\.00.*₹100\.00 Dr/)
    await assertUsableHere('the books')

    await request('Write the loan off', (part) => part.getByLabel(reasonLabel).fill('The shop is closed.'))
    await approve(checker, 'Write')
    await waitForText(casePath, /The borrower still owes it/)
    await goTo('/desk/books')
    await page.getByText('The books balance').waitFor()
    await page.getByRole('row', { name: /Loans written off: loss.*Dr/ }).waitFor()
    await goTo('/desk/collections')
    await assertUsableHere('collections')
    await goTo('/desk/policy')
    for (const form of await page.getByText('Propose a change', { exact: true }).all()) await form.click()
    await assertUsableHere('the policy')
    await goTo('/desk/limits')
    await assertUsableHere('the limits')
    await goTo('/desk/people')
    await assertUsableHere('the people')
    await goTo('/desk/portfolio')
    await page.getByRole('img', { name: 'Disbursed by month' }).waitFor()
    for (const figures of await page.getByText('Show numbers', { exact: true }).all()) await figures.click()
    await assertUsableHere('the portfolio')
  })

  test('after an officer turns the rules on, they decide the next application', async () => {
    await goTo('/desk/policy')
    await page.getByText('Switch on automatic decisions').click()
    await press('Switch on')
    await page.getByRole('heading', { name: 'Automatic decisions: on' }).waitFor()
    await page.getByText('Switched on by Meera Nair').waitFor()
    const next = new TestCase(partner, freshPan('9203'))
    await next.register()
    await next.waitForEvent('MANUAL_REVIEW_DECIDED')
    await waitForText(`/desk/cases/${next.caseRef}?tab=history`, /Review: Rejected\s*The rules/)
    await goTo('/desk')
    assert.equal(await page.getByRole('button', { name: /^Switch/ }).count(), 0, 'the start page switches nothing')
    await page.getByRole('link', { name: 'See Policy' }).click()
    await page.getByText('Switch off automatic decisions').click()
    await press('Switch off')
    await page.getByRole('heading', { name: 'Automatic decisions: off' }).waitFor()
  })

  /** The rows of the current page of the audit log, newest first. */
  const actsOnPage = async () =>
    (await page.getByRole('table', { name: 'Acts' }).getByRole('row').allTextContents()).slice(1)

  test('an officer changes the password, and the audit log has every act', async () => {
    await goTo('/desk/me')
    await assertUsableHere('the account page')
    const newPassword = 'a longer horse battery'
    await page.getByLabel('Current password').first().fill(password)
    await page.getByLabel(/^New password/).fill(newPassword)
    await page.getByLabel('Re-enter new password').fill(newPassword)
    await press('Change password')
    await page.getByRole('status').getByText('Your password is changed').waitFor()
    password = newPassword
    await press('Sign out')
    await waitForTitle('Sign in to the desk')
    await signIn()
    await goTo('/desk/exchange')
    await assertUsableHere('the exchange')
    await follow('Audit log')
    await waitForTitle('Audit log')
    await assertUsableHere('the audit log')
    await goTo('/desk/acts?act=ALL')
    const pages = [await actsOnPage()]
    const next = page.getByRole('navigation', { name: 'Pages of Acts' }).getByRole('link', { name: 'Next' })
    while ((await next.count()) > 0) {
      await next.click()
      await page.getByRole('link', { name: 'First page' }).waitFor()
      await page.waitForLoadState()
      pages.push(await actsOnPage())
    }
    const log = pages.flat().reverse().join('\n')
    const expectedActs = [
      'Approved, and offered terms',
      'Viewed a file',
      'Reviewed the KYC',
      'Asked for approval',
      'Started the debit check of the case',
      'Lifted the hold on debits',
      'Started the debit check of all cases with dues',
      'Asked for approval',
      'Switched on the automatic decision rules',
      'Switched off the automatic decision rules',
      'Changed their own password',
      'Signed out',
    ]
    let from = 0
    for (const expected of expectedActs) {
      const position = log.indexOf(`Meera Nair${expected}`, from)
      assert.notEqual(position, -1, `${expected} after ${log.slice(0, from)}`)
      from = position
    }
    assert.deepEqual(complaints, [])
  })
})

// Bank statements in a real browser: the borrower's upload page, and the figures on the lender's desk.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addStaff } from '@lendloom/partner/src/desk/staff/staff.ts'
import { askForStatement } from '@lendloom/platform/src/lenders/partner/reactions/statement/request-statement.ts'
import { statementUrl } from '@lendloom/platform/src/lenders/partner/reactions/statement/statement-link.ts'
import { findCase, newestStatement } from '@lendloom/platform/src/lenders/partner/store.ts'
import { detailsContext } from '@lendloom/platform/src/lending/borrower/borrower.ts'
import { updateProfile } from '@lendloom/platform/src/lending/profile/store.ts'
import { figuresOf } from '@lendloom/sandbox/src/verification/bank-statement-figures.ts'
import { sandboxProviders } from '@lendloom/wire/sandbox/provider-settings'
import type { Page } from 'playwright-core'
import { assertAccessible } from '#test/setup/accessibility.ts'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { samplePdf } from '#test/setup/files.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { startTestPartner } from '#test/setup/partner.ts'
import { TestCase } from '#test/setup/partner-case.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { caseAt } from '#test/setup/platform-case.ts'
import { until } from '#test/setup/programs.ts'
import { startProviders } from '#test/setup/providers.ts'

const browser = await sharedBrowser()
const pictures = process.env.PICTURES
const appearances = [
  [1280, 'light'],
  [390, 'dark'],
] as const

async function assertPageAccessible(page: Page): Promise<void> {
  await assertAccessible(page, page.url(), { rules: 'every' })
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  assert.equal(overflow, 0, 'no horizontal overflow')
}

async function checkAppearances(url: string, name: string, page: Page): Promise<void> {
  for (const [width, colorScheme] of appearances) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.goto(url)
    await assertPageAccessible(page)
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-${width}.png`, fullPage: true })
  }
}

test('D3 §2.3: a borrower reads the consent, uploads a PDF and gets a confirmation', async () => {
  const lender = await startLenderExchange()
  const providers = await startProviders(0)
  const env = { ...lender.env, ...sandboxProviders(providers.url), PARTNER_BANK_STATEMENT: 'OPTIONAL' }
  const platform = await testPlatform(env)
  const { ctx } = platform
  const testCase = await caseAt(platform, 'CHOSEN')
  const key = { tenantId: testCase.tenantId, caseRef: testCase.ids.caseRef }
  const person = {
    personal: { mobile: '9876543210', pan: 'ABCPE1234F', panName: 'Asha Kulkarni', dob: '1992-02-29' },
    work: { employmentType: 'selfEmployed', companyName: 'Asha Stores', income: 85_000 },
    address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
    bank: { accountHolderName: 'Asha Kulkarni', accountNumber: '50100123456789', ifsc: 'HDFC0000001' },
    gold: null,
  }
  const at = ctx.clock()
  await ctx.db.tx(async (tx) => {
    const profileSealed = ctx.seal.json(person, detailsContext(testCase.tenantId, testCase.journeyId))
    const digests = { panDigest: null, emailDigest: null, officialEmailDigest: null }
    await updateProfile(tx, {
      tenantId: testCase.tenantId,
      journeyId: testCase.journeyId,
      profileSealed,
      ...digests,
      updatedAt: at,
    })
    const loanCase = (await findCase(tx, key))!
    await askForStatement({ ...ctx, tx, at }, { loanCase, journey: await testCase.journey() })
  })
  const url = statementUrl(ctx, key)
  for (const locale of ['hi-IN', 'en-IN']) {
    const context = await openContext(browser, { locale })
    const page = await context.newPage()
    await checkAppearances(url, `statement-${locale.slice(0, 2)}`, page)
    if (locale === 'en-IN') {
      await page.getByText('By sharing a statement I agree').waitFor()
      const bytes = await samplePdf('Statement')
      const file = { name: 'statement.pdf', mimeType: 'application/pdf', buffer: bytes }
      await page.getByLabel('Your bank statement').setInputFiles(file)
      await page.getByRole('button', { name: 'Upload this file' }).click()
      await until('the analysis', async () => (await newestStatement(ctx.db, key))?.status !== 'PENDING')
      await page.goto(url)
      await page.getByRole('heading', { name: 'Done' }).waitFor()
    }
    await context.close()
  }
  assert.equal((await newestStatement(ctx.db, key))?.status, 'COMPLETED')
})

test('D3 §2.3: the desk shows the statement’s figures, the rules and their result beside the decision', async () => {
  const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
  const email = 'meera@lender.example'
  const password = 'correct horse battery'
  await partner.db.tx((tx) => addStaff(tx, { email, name: 'Meera', password, roles: ['credit'] }, new Date()))
  const loanCase = new TestCase(partner)
  const { insights, periodFrom, periodTo } = figuresOf('50100123456789', 'statement-bouncing', new Date())
  Object.assign(loanCase.lead.banking, {
    report_data: insights,
    period_from: periodFrom,
    period_to: periodTo,
    analyzed_at: new Date().toISOString(),
  })
  await loanCase.register()
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.goto(`${partner.url}/desk/sign-in`)
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=password]').fill(password)
  await page.getByRole('button').first().click()
  await page.waitForURL(`${partner.url}/desk`)
  await checkAppearances(`${partner.url}/desk/cases/${loanCase.caseRef}`, 'desk', page)
  const text = await page.locator('main').innerText()
  assert.match(text, /Bank statement/)
  assert.match(text, /Decline/)
  assert.match(text, /Excessive returned debits/)
  assert.match(text, /at most 5/)
  const [row] = await partner.db<{ decision: string; text: string }>`
    select decision, encode(review_sealed, 'escape') as text from case_bank_review where case_ref = ${loanCase.caseRef}`
  assert.equal(row?.decision, 'DECLINE')
  assert.doesNotMatch(row!.text, /inflowPaise/, 'the figures are sealed')
  await context.close()
})

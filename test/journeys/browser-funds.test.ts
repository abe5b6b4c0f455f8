// A borrower's whole loan against mutual funds in a real browser: consent, offers, account, KYC, lien, mandate, signature, the money.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FrameLocator } from 'playwright-core'
import { launchBrowser } from '#test/setup/browser.ts'
import { startWorld } from '#test/setup/world.ts'

const world = await startWorld()
const browser = await launchBrowser()
after(() => browser.close())

const patience = 30_000
const heading = (frame: FrameLocator, text: RegExp): Promise<void> =>
  frame.getByRole('heading', { level: 1, name: text }).waitFor({ timeout: patience })

test('D1 §4, FIS12 §10.2: a borrower goes from the consent to the money in a browser, pledging units on the way', {
  timeout: 240_000,
}, async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 }, locale: 'en-IN' })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const violations: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) violations.push(message.text())
  })
  page.on('pageerror', (error) => violations.push(error.message))
  await page.goto(`${world.platformUrl}/demo`)
  await page.getByLabel('Product').selectOption('Loan against mutual funds')
  await page.getByRole('button', { name: 'Start' }).click()
  const frame = page.frameLocator('iframe')

  await frame.getByText('Your mobile number is').waitFor()
  await frame.getByRole('button', { name: 'Continue' }).click()
  await heading(frame, /work and home/)
  await frame.getByRole('button', { name: 'Continue' }).click()
  await heading(frame, /consent/)
  await frame.getByLabel('What is the loan for?').selectOption('education')
  for (const box of await frame.getByRole('checkbox').all()) await box.check()
  await frame.getByRole('button', { name: 'Agree and get offers' }).click()

  await heading(frame, /You have/)
  // Another lender, which may be the first to offer, has one page for everything.
  await frame.getByRole('button', { name: 'Choose Meridian Finance' }).click()
  await frame.getByRole('button', { name: 'Get the final offer' }).click()
  await heading(frame, /final offer from/)
  await frame.getByRole('checkbox').check()
  await frame.getByRole('button', { name: 'Accept this loan' }).click()

  await heading(frame, /Where should the money go/)
  await frame.getByLabel('Account holder’s name').fill('Asha Rao')
  await frame.getByLabel('Account number').fill('50100123456789')
  await frame.getByLabel('IFSC').fill('hdfc0000001')
  await frame.getByLabel('Savings').check()
  await frame.getByRole('button', { name: 'Confirm account' }).click()
  for (const title of [/Confirm who you are/, /Pledge your fund units/, /Set up automatic repayment/, /Sign the/]) {
    await heading(frame, title)
    const opened = context.waitForEvent('page')
    await frame.getByRole('button', { name: /^Continue at/ }).click()
    const lender = await opened
    await lender.waitForURL((url) => url.href.startsWith(world.sandboxUrl), { timeout: patience })
    await lender.locator('button[name=outcome][value=approve]').click()
    await lender.waitForLoadState().catch(() => {})
    await lender.close().catch(() => {})
  }
  await heading(frame, /Your loan is paid out/)
  await frame.getByText(/please turn to .+ directly/).waitFor()
  assert.deepEqual(violations, [], 'nothing broke the content security policy')
  await context.close()
})

// A borrower in a real browser, in the demo app: the start, the screens that loans have in common, and lenders' pages.

import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core'
import { deadlineMs } from './deadline.ts'
import type { Programs } from './programs.ts'

export const patience = deadlineMs

export interface InDemo {
  context: BrowserContext
  page: Page
  /** The hosted page within. */
  frame: FrameLocator
  /** Breaches of the content security policy, and errors of any page. */
  violations: string[]
}

/** Opens the demo app and starts where all goes well; a personal loan unless another product is named as the demo names it. */
export async function startInDemo(browser: Browser, ctx: Programs, product?: string): Promise<InDemo> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 1000 },
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
  })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const violations: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) violations.push(message.text())
  })
  page.on('pageerror', (error) => violations.push(error.message))
  await page.goto(`${ctx.platformUrl}/demo`)
  if (product) await page.getByRole('button', { name: product, exact: true }).click()
  await page.getByRole('button', { name: /^All goes well/ }).click()
  return { context, page, frame: page.frameLocator('iframe'), violations }
}

export const heading = (frame: FrameLocator, text: RegExp): Promise<void> =>
  frame.getByRole('heading', { level: 1, name: text }).waitFor({ timeout: patience })

/** The last part of the profile: what the loan is for, and the consents. */
export async function agree(frame: FrameLocator, endUse: string): Promise<void> {
  await heading(frame, /consent/)
  await frame.getByLabel('What is the loan for?').selectOption(endUse)
  for (const box of await frame.getByRole('checkbox').all()) await box.check()
  await frame.getByRole('button', { name: 'Agree and get offers' }).click()
}

export async function acceptFinalOffer(frame: FrameLocator): Promise<void> {
  await heading(frame, /final offer from/)
  await frame.getByRole('checkbox').check()
  await frame.getByRole('button', { name: 'Accept this loan' }).click()
}

export async function giveAccount(frame: FrameLocator): Promise<void> {
  await heading(frame, /Where should the money go/)
  await frame.getByLabel('Account holder’s name').fill('Asha Rao')
  await frame.getByLabel('Account number').fill('50100123456789')
  await frame.getByLabel('The same number once more').fill('50100123456789')
  await frame.getByLabel('IFSC').fill('hdfc0000001')
  await frame.getByLabel('Savings').check()
  await frame.getByRole('button', { name: 'Confirm account' }).click()
}

/** Goes to the lender's page, does what it asks, and comes back. */
export async function atTheLender({ context, frame }: InDemo, { sandboxUrl }: Programs, title: RegExp): Promise<void> {
  await heading(frame, title)
  const opened = context.waitForEvent('page')
  await frame.getByRole('button', { name: /^Continue at/ }).click()
  const lender = await opened
  await lender.waitForURL((url) => url.href.startsWith(sandboxUrl), { timeout: patience })
  await lender.locator('button[name=outcome][value=approve]').click()
  await lender.waitForLoadState().catch(() => {})
  await lender.close().catch(() => {})
}

// Plays a borrower on a phone who taps through the hosted page and the lenders' pages, and counts the taps.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { installWatcher, type PageQuality, readQuality, slowDown } from './page-quality.ts'

export interface Phone {
  context: BrowserContext
  page: Page
  /** Taps so far in all windows; a choice from a list counts as two. */
  taps: number
  stop(): Promise<void>
}

/** Opens a new throttled phone with empty storage. */
export async function newPhone(browser: Browser): Promise<Phone> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
  })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  await installWatcher(page)
  await slowDown(page)
  return { context, page, taps: 0, stop: () => context.close() }
}

/** Opens the page, types into its first field until the letter is drawn, and returns the measurements after loading. */
export async function typeFirstCharacter(phone: Phone, url: string): Promise<PageQuality> {
  const { page } = phone
  await page.goto(url, { waitUntil: 'commit' })
  const field = page.locator('main input').first()
  await field.focus()
  await page.keyboard.press('A')
  // The page's content security policy blocks `waitForFunction`.
  while ((await readQuality(page)).firstCharacter === null) await sleep(20)
  // The letter must survive the session's response and the loading of later screens.
  await page.getByText('+91').first().waitFor()
  await page.waitForLoadState('networkidle')
  if (!(await field.inputValue()).startsWith('A')) throw new Error('the typed letter was lost')
  return readQuality(page)
}

const tap = async (phone: Phone, target: Locator): Promise<void> => {
  phone.taps++
  await target.tap()
}

const button = ({ page }: Phone, name: string | RegExp): Locator => page.getByRole('button', { name }).first()

const waitForHeading = ({ page }: Phone, name: RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor()

async function fill(phone: Phone, label: string, text: string): Promise<void> {
  const field = phone.page.getByLabel(label, { exact: true })
  if ((await field.inputValue()) !== '') return
  await tap(phone, field)
  await phone.page.keyboard.type(text)
}

/** Goes from the first screen to the offers, with everything prefilled except the purpose. */
export async function walkToOffers(phone: Phone, url: string): Promise<void> {
  await phone.page.goto(url)
  await waitForHeading(phone, /start with you/)
  const first = phone.page.locator('main input').first()
  while ((await first.inputValue()) === '') await sleep(50)
  await tap(phone, button(phone, 'Continue'))
  await waitForHeading(phone, /work and home/)
  await tap(phone, button(phone, 'Continue'))
  await waitForHeading(phone, /consent/)
  phone.taps += 2
  await phone.page.getByLabel('What is the loan for?').selectOption('education')
  for (const box of await phone.page.getByRole('checkbox').all()) await tap(phone, box)
  await tap(phone, button(phone, 'Agree and get offers'))
  await waitForHeading(phone, /You have/)
}

/** Goes from the offers to the disbursal with the cheapest offer. */
export async function walkToDisbursal(phone: Phone): Promise<void> {
  await tap(phone, button(phone, /^Choose/))
  await waitForHeading(phone, /final offer from/)
  await tap(phone, phone.page.getByRole('checkbox'))
  await tap(phone, button(phone, 'Accept this loan'))
  await approveAtLender(phone, /Verify your identity/)
  await waitForHeading(phone, /Where should the money go/)
  await fill(phone, 'Account holder’s name', 'Asha Kulkarni')
  await fill(phone, 'Account number', '50100123456789')
  await fill(phone, 'Re-enter account number', '50100123456789')
  await fill(phone, 'IFSC', 'HDFC0000001')
  await tap(phone, phone.page.getByLabel('Savings'))
  await tap(phone, button(phone, 'Confirm account'))
  await approveAtLender(phone, /Set up autopay/)
  await approveAtLender(phone, /Sign the agreement/)
  await waitForHeading(phone, /Your loan is paid out/)
}

async function approveAtLender(phone: Phone, title: RegExp): Promise<void> {
  await waitForHeading(phone, title)
  const opened = phone.context.waitForEvent('page')
  await tap(phone, button(phone, /^Continue at/))
  const lender = await opened
  const sent = lender.waitForResponse((response) => response.request().method() === 'POST')
  await tap(phone, lender.locator('button[name=outcome][value=approve]'))
  await sent
  await lender.close().catch(() => {})
}

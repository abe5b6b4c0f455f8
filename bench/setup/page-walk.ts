// A borrower with a phone: taps through the hosted page and the lender's pages beside it, and each tap is counted.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { seenBy, slowDown, type Watched, watch } from './page-quality.ts'

export interface Phone {
  context: BrowserContext
  page: Page
  /** Taps so far, in all windows; a choice from a list counts twice, once to open it. */
  taps: number
  stop(): Promise<void>
}

/** A new phone, with nothing kept of another. It is slow from the first request on. */
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
  await watch(page)
  await slowDown(page)
  return { context, page, taps: 0, stop: () => context.close() }
}

/** Opens the page and types into its first field until a letter is drawn; gives what the browser measured until all was there. */
export async function typesFirstCharacter(phone: Phone, url: string): Promise<Watched> {
  const { page } = phone
  await page.goto(url, { waitUntil: 'commit' })
  const field = page.locator('main input').first()
  await field.focus()
  await page.keyboard.press('A')
  // The page's policy forbids what `waitForFunction` would run.
  while ((await seenBy(page)).firstCharacter === null) await sleep(20)
  // The letter must still be there once the session is open and the later screens have come.
  await page.getByText('+91').first().waitFor()
  await page.waitForLoadState('networkidle')
  if (!(await field.inputValue()).startsWith('A')) throw new Error('the letter is lost')
  return seenBy(page)
}

const tap = async (phone: Phone, target: Locator): Promise<void> => {
  phone.taps++
  await target.tap()
}

const button = ({ page }: Phone, name: string | RegExp): Locator => page.getByRole('button', { name }).first()

const heading = ({ page }: Phone, name: RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor()

async function fill(phone: Phone, label: string, text: string): Promise<void> {
  const field = phone.page.getByLabel(label, { exact: true })
  if ((await field.inputValue()) !== '') return
  await tap(phone, field)
  await phone.page.keyboard.type(text)
}

/** From the first screen to the offers, for somebody of whom the app told all but what the loan is for. */
export async function toOffers(phone: Phone, url: string): Promise<void> {
  await phone.page.goto(url)
  await heading(phone, /start with you/)
  const first = phone.page.locator('main input').first()
  while ((await first.inputValue()) === '') await sleep(50)
  await tap(phone, button(phone, 'Continue'))
  await heading(phone, /work and home/)
  await tap(phone, button(phone, 'Continue'))
  await heading(phone, /consent/)
  phone.taps += 2
  await phone.page.getByLabel('What is the loan for?').selectOption('education')
  for (const box of await phone.page.getByRole('checkbox').all()) await tap(phone, box)
  await tap(phone, button(phone, 'Agree and get offers'))
  await heading(phone, /You have/)
}

/** From the offers to the money, with the lender of the cheapest offer. */
export async function toMoney(phone: Phone): Promise<void> {
  await tap(phone, button(phone, /^Choose/))
  await heading(phone, / over \d+ months from /)
  await tap(phone, button(phone, 'Get the final offer'))
  await heading(phone, /final offer from/)
  await tap(phone, phone.page.getByRole('checkbox'))
  await tap(phone, button(phone, 'Accept this loan'))
  await atTheLender(phone, /Verify your identity/)
  await heading(phone, /Where should the money go/)
  await fill(phone, 'Account holder’s name', 'Asha Kulkarni')
  await fill(phone, 'Account number', '50100123456789')
  await fill(phone, 'Re-enter account number', '50100123456789')
  await fill(phone, 'IFSC', 'HDFC0000001')
  await tap(phone, phone.page.getByLabel('Savings'))
  await tap(phone, button(phone, 'Confirm account'))
  await atTheLender(phone, /Set up automatic repayment/)
  await atTheLender(phone, /Sign the agreement/)
  await heading(phone, /Your loan is paid out/)
}

async function atTheLender(phone: Phone, title: RegExp): Promise<void> {
  await heading(phone, title)
  const opened = phone.context.waitForEvent('page')
  await tap(phone, button(phone, /^Continue at/))
  const lender = await opened
  const sent = lender.waitForResponse((response) => response.request().method() === 'POST')
  await tap(phone, lender.locator('button[name=outcome][value=approve]'))
  await sent
  await lender.close().catch(() => {})
}

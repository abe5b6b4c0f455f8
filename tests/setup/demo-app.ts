// A borrower in a real browser in the demo app: start, the screens that all loans share, and lenders' pages.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Language } from '@lendloom/lending/language'
import type { TextKey } from '@lendloom/page/text'
import { textFilesOf } from '@lendloom/page/text/catalogues'
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core'
import { openContext } from './browser.ts'
import { deadlineMs } from './deadline.ts'
import type { Programs } from './programs.ts'

export const demoTimeoutMs = deadlineMs

export interface DemoAppearance {
  language: Language
  colorScheme: 'light' | 'dark'
  width: 390 | 1280
}

/** Each product's whole journey runs in both. */
export const demoAppearances: readonly DemoAppearance[] = [
  { language: 'en', colorScheme: 'light', width: 390 },
  { language: 'hi', colorScheme: 'dark', width: 1280 },
]

export const appearanceText = ({ language, colorScheme, width }: DemoAppearance): string =>
  `${language}, ${colorScheme}, ${width} px`

export interface DemoSession {
  context: BrowserContext
  page: Page
  /** The hosted page inside the demo app. */
  frame: FrameLocator
  /** Returns a pattern for the text of a key in the page's language, with any values for its placeholders. */
  say(key: TextKey): RegExp
  heading(key: TextKey): Promise<void>
  button(key: TextKey): Locator
  /** Shows one of the demo's three panels; a wide screen shows all. */
  show(part: string): Promise<void>
  /** Violations of the content security policy, and page errors. */
  violations: string[]
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns a pattern for a text with any values for its placeholders. */
function patternOf(text: string): string {
  return text
    .split(/\{\w+\}/)
    .map(escapePattern)
    .join('.+')
}

export function textPatterns(language: Language): DemoSession['say'] {
  const texts = Object.assign({}, ...Object.values(textFilesOf(language)))
  return (key) => {
    const message = texts[key]
    if (message === undefined) throw new Error(`the text ${key} does not exist`)
    const forms: string[] = typeof message === 'string' ? [message] : [message.one, message.other]
    return new RegExp(`^(?:${forms.map(patternOf).join('|')})$`)
  }
}

/** Opens the demo app and starts its successful scenario; by default a personal loan. */
export async function startDemo(
  browser: Browser,
  ctx: Programs,
  { language, colorScheme, width }: DemoAppearance,
  product?: string,
): Promise<DemoSession> {
  const context = await openContext(browser, {
    viewport: { width, height: width === 390 ? 844 : 1000 },
    colorScheme,
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
  })
  const page = await context.newPage()
  const violations: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) violations.push(message.text())
  })
  page.on('pageerror', (error) => violations.push(error.message))
  await page.goto(`${ctx.platformUrl}/demo`)
  await page.getByLabel('Language').selectOption(language)
  if (product) await page.getByRole('button', { name: product, exact: true }).click()
  await page.getByRole('button', { name: /^All goes well/ }).click()
  const frame = page.frameLocator('iframe')
  const say = textPatterns(language)
  await frame.locator(`html[lang=${language}]`).waitFor()
  return {
    context,
    page,
    frame,
    say,
    violations,
    heading: (key) => frame.getByRole('heading', { level: 1, name: say(key) }).waitFor({ timeout: demoTimeoutMs }),
    button: (key) => frame.getByRole('button', { name: say(key) }).first(),
    async show(part) {
      if (width === 390) await page.getByRole('button', { name: part }).first().click()
    },
  }
}

/** Waits until the profile is prefilled and continues from the first screen. */
export async function continueFromFirstScreen({ frame, button }: DemoSession): Promise<void> {
  while ((await frame.locator('#field-pan').inputValue()) === '') await sleep(50)
  await button('profile.next').click()
}

/** Fills the last part of the profile: purpose and consents. */
export async function submitConsents({ frame, heading, button }: DemoSession, endUse: string): Promise<void> {
  await heading('profile.2')
  await frame.locator('#field-endUse').selectOption(endUse)
  for (const box of await frame.getByRole('checkbox').all()) await box.check()
  await button('profile.submit').click()
}

export async function acceptFinalOffer({ frame, heading, button }: DemoSession): Promise<void> {
  await heading('final.title')
  await frame.getByRole('checkbox').check()
  await button('final.accept').click()
}

export async function enterBankAccount({ frame, heading, button }: DemoSession): Promise<void> {
  await heading('bank.title')
  await frame.locator('#field-accountHolderName').fill('Asha Rao')
  await frame.locator('#field-accountNumber').fill('50100123456789')
  await frame.locator('#field-accountAgain').fill('50100123456789')
  await frame.locator('#field-ifsc').fill('hdfc0000001')
  await frame.locator('input[name=accountType][value=saving]').check()
  await button('bank.submit').click()
}

/** Opens the lender's page, approves there and returns. */
export async function approveAtLender(
  { context, heading, button }: DemoSession,
  { sandboxUrl }: Programs,
  title: 'step.kyc' | 'step.lien' | 'step.eMandate' | 'step.loanAgreement',
): Promise<void> {
  await heading(title)
  const opened = context.waitForEvent('page')
  await button('step.open').click()
  const lender = await opened
  await lender.waitForURL((url) => url.href.startsWith(sandboxUrl), { timeout: demoTimeoutMs })
  await lender.locator('button[name=outcome][value=approve]').click()
  await lender.waitForLoadState().catch(() => {})
  await lender.close().catch(() => {})
}

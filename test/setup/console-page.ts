// The console in a real browser, for tests: somebody signed in, with whatever the browser complains about.
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

export interface ConsolePage {
  context: BrowserContext
  page: Page
  /** Errors of the page and violations of its policy. */
  problems: string[]
}

/** A window of its own at this address. */
export async function openConsole(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on(
    'console',
    (message) => /content security policy|trusted/i.test(message.text()) && problems.push(message.text()),
  )
  await page.goto(url)
  return { context, page, problems }
}

/** Types what somebody signs in with, and waits for the navigation. */
export async function signIn(page: Page, person: { email: string; password: string } | undefined): Promise<void> {
  assert.ok(person, 'somebody with that role')
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation', { name: 'Areas' }).waitFor()
}

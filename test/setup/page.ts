// A window of a real browser, for tests: what the browser complains about in it, and whether everybody can use what it shows.
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import { assertAccessible } from './accessibility.ts'
import { openContext } from './browser.ts'

export interface OpenPage {
  context: BrowserContext
  page: Page
  /** Errors of the page, and what its console says that `isProblem` takes for one. */
  problems: string[]
}

const violatesPolicy = (message: ConsoleMessage): boolean => /content security policy|trusted/i.test(message.text())

/** A window with nothing in it yet. Violations of the content security policy are problems unless told otherwise. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
  isProblem = violatesPolicy,
): Promise<OpenPage> {
  const context = await openContext(browser, { viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => isProblem(message) && problems.push(message.text()))
  return { context, page, problems }
}

/** Fails when axe finds a barrier in what is shown, or when it is wider than the window. */
export async function isUsable(page: Page, where: string): Promise<void> {
  await assertAccessible(page, where)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), page.viewportSize()?.width, `${where} fits`)
}

// A window of a real browser for tests, with its errors and an accessibility check.
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import { assertAccessible, type Scope } from './accessibility.ts'
import { openContext } from './browser.ts'

export interface OpenPage {
  context: BrowserContext
  page: Page
  /** Errors of the page, and console messages that `isProblem` accepts. */
  problems: string[]
}

const violatesPolicy = (message: ConsoleMessage): boolean => /content security policy|trusted/i.test(message.text())

/** Opens an empty window. By default, violations of the content security policy are problems. */
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

/** Fails when axe finds a barrier on the page, or when the page is wider than the window. */
export async function assertUsable(page: Page, where: string, scope: Scope = {}): Promise<void> {
  await assertAccessible(page, where, scope)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), page.viewportSize()?.width, `${where} fits`)
}

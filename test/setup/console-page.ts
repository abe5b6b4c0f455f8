// The console in a real browser, for tests: somebody signed in, with whatever the browser complains about.
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type OpenPage, openPage } from './page.ts'

/** A window of its own at this address. */
export async function openConsole(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const opened = await openPage(browser, options)
  await opened.page.goto(url)
  return opened
}

/** Types what somebody signs in with, and waits for the navigation. */
export async function signIn(page: Page, person: { email: string; password: string } | undefined): Promise<void> {
  assert.ok(person, 'somebody with that role')
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation', { name: 'Areas' }).waitFor()
}

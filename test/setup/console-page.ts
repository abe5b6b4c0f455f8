// The console in a real browser, for tests: somebody signed in, with whatever the browser complains about.
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
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

/** Cookies of those who have signed in, by program and person: a person may type a password only so often. */
const cookiesOf = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>()

/** Signs in as a person, by the session of an earlier test where there is one, and waits for the navigation. */
export async function signIn(page: Page, person: { email: string; password: string } | undefined): Promise<void> {
  assert.ok(person, 'a person with that role')
  const key = `${new URL(page.url()).origin} ${person.email}`
  const [areas, email] = [page.getByRole('navigation', { name: 'Areas' }), page.getByLabel('Email')]
  const kept = cookiesOf.get(key)
  if (kept) {
    await page.context().addCookies(kept)
    await page.reload()
  }
  await areas.or(email).first().waitFor()
  if (await email.isVisible()) {
    await email.fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await areas.waitFor()
  cookiesOf.set(key, await page.context().cookies())
}

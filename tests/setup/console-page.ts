// The console in a real browser, for tests: opens it and signs users in.
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type OpenPage, openPage } from './page.ts'

/** Opens this address in a new window. */
export async function openConsole(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const consolePage = await openPage(browser, options)
  await consolePage.page.goto(url)
  return consolePage
}

/** Cookies by origin and user, because password sign-ins are rate limited. */
const cookiesOf = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>()

/** Signs a user in, with the session of an earlier test if there is one, and waits for the navigation. */
export async function signIn(page: Page, person: { email: string; password: string } | undefined): Promise<void> {
  assert.ok(person, 'a user with this role must exist')
  const key = `${new URL(page.url()).origin} ${person.email}`
  const areas = page.getByRole('navigation', { name: 'Areas' })
  const email = page.getByLabel('Email')
  const cookies = cookiesOf.get(key)
  if (cookies) {
    await page.context().addCookies(cookies)
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

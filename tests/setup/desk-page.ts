// Users of the partner's desk in a real browser, each in a separate window.
import { join } from 'node:path'
import { addStaff } from '@lendloom/partner/src/desk/staff/staff.ts'
import type { Role } from '@lendloom/partner/src/people/person.ts'
import type { Db } from '@lendloom/postgres/sql'
import type { Page } from 'playwright-core'
import { openContext, sharedBrowser } from './browser.ts'
import { deadlineMs } from './deadline.ts'

const deskPassword = 'correct horse battery'

export interface Officer {
  page: Page
  go(path: string): Promise<unknown>
  /** Signs in again; a desk session expires when the clock is advanced by hours. */
  signIn(): Promise<void>
  /** Reloads a page until it contains the text. */
  waitForText(path: string, text: RegExp): Promise<void>
  /** Saves a screenshot to the directory `PICTURES`, if that variable is set. */
  picture(name: string): Promise<void>
}

/** Chooses an act in the menu of a case, which opens its form. */
export async function chooseAct(page: Page, act: string): Promise<void> {
  await page.getByText('Actions', { exact: true }).click()
  await page.locator('.acts-menu').getByRole('link', { name: act }).click()
  await page.waitForURL(/[?&]act=/)
}

/** Creates a desk user with these roles and signs in. */
export async function officerAt(desk: { db: Db; url: string }, name: string, ...roles: Role[]): Promise<Officer> {
  const email = `${name.toLowerCase()}@lender.example`
  await desk.db.tx((tx) => addStaff(tx, { email, name, password: deskPassword, roles }, new Date()))
  const browser = await sharedBrowser()
  const context = await openContext(browser, { viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const go = (path: string) => page.goto(`${desk.url}${path}`)
  const signIn = async () => {
    await go('/desk/sign-in')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(deskPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/desk')
  }
  await signIn()
  return {
    page,
    go,
    signIn,
    async waitForText(path, text) {
      for (const deadline = Date.now() + deadlineMs; ; await page.waitForTimeout(200)) {
        await go(path)
        const words = (await page.textContent('main')) ?? ''
        if (text.test(words)) return
        if (Date.now() > deadline) throw new Error(`${path} does not contain ${text}: ${words}`)
      }
    },
    async picture(file) {
      if (process.env.PICTURES)
        await page.screenshot({ path: join(process.env.PICTURES, `${file}.png`), fullPage: true })
    },
  }
}

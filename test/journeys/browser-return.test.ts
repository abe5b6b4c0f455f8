// A borrower who leaves and comes back: a reload, a second window, a lost connection, a session that has ended, another device.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { application, newApplicant, openSession } from '#test/setup/borrower.ts'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()

const device = (width: number): Promise<BrowserContext> =>
  openContext(browser, { viewport: { width, height: 844 }, locale: 'en-IN' })

const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
/** What the app told is filled in once the page has its view. */
const hasPan = (page: Page) =>
  until(
    'the PAN that the app told',
    async () => (await page.getByLabel('PAN', { exact: true }).inputValue()) === application().profile.pan,
  )
const tap = (page: Page, name: string) => page.getByRole('button', { name }).click()
/** Opens the journey by a link of the app and goes on to the questions on work and home. */
async function goToWork(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await title(page, /start with you/)
  await hasPan(page)
  await tap(page, 'Continue')
  await title(page, /work and home/)
}

describe('D1 §5: a borrower who comes back', { timeout: 4 * deadlineMs }, () => {
  const { profile, workProfile } = application()
  const person = newApplicant()
  const known = { ...person, profile: { ...profile, ...person.profile }, workProfile }
  /** A fresh link from the app for the same borrower (D1 §1). */
  const link = async (): Promise<string> => {
    const { status, body } = await openSession(programs.platformUrl, programs.tenant, known)
    assert.ok(status === 200 || status === 201, JSON.stringify(body))
    return body.embedUrl
  }
  let phone: BrowserContext
  let laptop: BrowserContext
  let page: Page
  let there: Page
  let cheapest: string

  test('D1 §5: without a connection what was typed stays, and the journey goes on once it is back', async () => {
    phone = await device(390)
    page = await phone.newPage()
    await goToWork(page, await link())
    await page.getByLabel('House and street').fill('7 Fort Road')
    for (const [label, text] of [
      ['PIN code', '400001'],
      ['City', 'Mumbai'],
      ['State', 'Maharashtra'],
    ] as const)
      await page.getByLabel(label).fill(text)

    await phone.setOffline(true)
    await tap(page, 'Continue')
    await page.getByText('You seem to be offline. What you entered is still here.').first().waitFor()
    assert.equal(await page.getByLabel('House and street').inputValue(), '7 Fort Road')
    await phone.setOffline(false)
    await tap(page, 'Try again')
    await title(page, /consent/)
  })

  test('D1 §5: a journey goes on where it was after a reload', async () => {
    await page.reload()
    await title(page, /consent/)
  })

  test('D1 §5: a second window of the phone takes the journey over, and the first one can take it back', async () => {
    const second = await phone.newPage()
    await second.goto(await link())
    await title(second, /consent|start with you/)
    await page.bringToFront()
    await page.evaluate('void dispatchEvent(new Event("pageshow"))')
    await title(page, 'This application is open in another window')
    await tap(page, 'Continue here')
    await title(page, /consent/)
    await second.close()
  })

  test('D1 §5: once the session has ended nothing of the person stays on the page', async () => {
    const ended =
      await programs.db`update embed_session set expires_at = now() - interval '1 minute' where tenant_id = ${programs.tenant.tenantId} returning 1`
    assert.ok(ended.length > 0)
    await page.evaluate('void dispatchEvent(new Event("pageshow"))')
    await title(page, 'We closed this page for your safety')
    assert.doesNotMatch(await page.innerText('body'), /7 Fort Road|Asha/)
  })

  test('D1 §5: with a fresh link another device has what was typed, and goes on to the offers', async () => {
    laptop = await device(1280)
    there = await laptop.newPage()
    await goToWork(there, await link())
    assert.equal(await there.getByLabel('House and street').inputValue(), '7 Fort Road', 'it was kept')
    await tap(there, 'Continue')
    await title(there, /consent/)
    await there.getByLabel('What is the loan for?').selectOption('education')
    for (const box of await there.getByRole('checkbox').all()) await box.check()
    await tap(there, 'Agree and get offers')
    await title(there, /You have/)
    cheapest = await there.locator('.offer h2').first().innerText()
    await there.reload()
    await title(there, /You have/)
  })

  test('D1 §5: with a fresh link the phone has the offers of the other device', async () => {
    await page.goto('about:blank')
    await page.goto(await link())
    await title(page, /You have/)
    assert.equal(await page.locator('.offer h2').first().innerText(), cheapest)
    await Promise.all([phone.close(), laptop.close()])
  })
})

// A borrower returns to a journey: reload, second window, lost connection, expired session, another device.

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

const openDevice = (width: number): Promise<BrowserContext> =>
  openContext(browser, { viewport: { width, height: 844 }, locale: 'en-IN' })

const waitForTitle = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
/** Waits until the page shows the PAN from the app. */
const waitForPan = (page: Page) =>
  until(
    'the prefilled PAN',
    async () => (await page.getByLabel('PAN', { exact: true }).inputValue()) === application().profile.pan,
  )
const tap = (page: Page, name: string) => page.getByRole('button', { name }).click()
/** Opens the journey with a link and continues to the part on work and home. */
async function goToWork(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await waitForTitle(page, /start with you/)
  await waitForPan(page)
  await tap(page, 'Continue')
  await waitForTitle(page, /work and home/)
}

describe('D1 §5: a returning borrower, one story', { timeout: 4 * deadlineMs }, () => {
  const { profile, workProfile } = application()
  const person = newApplicant()
  const sessionRequest = { ...person, profile: { ...profile, ...person.profile }, workProfile }
  /** A fresh link from the app for the same borrower (D1 §1). */
  const newLink = async (): Promise<string> => {
    const { status, body } = await openSession(programs.platformUrl, programs.tenant, sessionRequest)
    assert.ok(status === 200 || status === 201, JSON.stringify(body))
    return body.embedUrl
  }
  let phone: BrowserContext
  let laptop: BrowserContext
  let page: Page
  let laptopPage: Page
  let cheapest: string

  test('D1 §5: the page keeps the typed input while offline, and continues when the connection is back', async () => {
    phone = await openDevice(390)
    page = await phone.newPage()
    await goToWork(page, await newLink())
    await page.getByLabel('House and street').fill('7 Fort Road')
    for (const [label, text] of [
      ['PIN code', '400001'],
      ['City', 'Mumbai'],
    ] as const)
      await page.getByLabel(label).fill(text)
    await page.getByLabel('State', { exact: true }).selectOption('Maharashtra')

    await phone.setOffline(true)
    await tap(page, 'Continue')
    await page.getByText('You are offline. We keep trying; your answers are still on this page.').first().waitFor()
    assert.equal(await page.getByLabel('House and street').inputValue(), '7 Fort Road')
    await phone.setOffline(false)
    await waitForTitle(page, /consent/)
  })

  test('D1 §5: a reload resumes the journey', async () => {
    await page.reload()
    await waitForTitle(page, /consent/)
  })

  test('D1 §5: a second window takes over the journey, and the first window can reclaim it', async () => {
    const second = await phone.newPage()
    await second.goto(await newLink())
    await waitForTitle(second, /consent|start with you/)
    await page.bringToFront()
    await page.evaluate('void dispatchEvent(new Event("pageshow"))')
    await waitForTitle(page, 'This application is open in another window')
    await tap(page, 'Continue here')
    await waitForTitle(page, /consent/)
    await second.close()
  })

  test('D1 §5: an expired session clears personal data from the page', async () => {
    const expired =
      await programs.db`update embed_session set expires_at = now() - interval '1 minute' where tenant_id = ${programs.tenant.tenantId} returning 1`
    assert.ok(expired.length > 0)
    await until('the end of the cached session', async () => {
      await page.evaluate('void dispatchEvent(new Event("pageshow"))')
      return page.getByRole('heading', { level: 1, name: 'We closed this page for your safety' }).isVisible()
    })
    assert.doesNotMatch(await page.innerText('body'), /7 Fort Road|Asha/)
  })

  test('D1 §5: a new link on another device shows the saved input and continues to the offers', async () => {
    laptop = await openDevice(1280)
    laptopPage = await laptop.newPage()
    await goToWork(laptopPage, await newLink())
    assert.equal(await laptopPage.getByLabel('House and street').inputValue(), '7 Fort Road', 'it was saved')
    await tap(laptopPage, 'Continue')
    await waitForTitle(laptopPage, /consent/)
    await laptopPage.getByLabel('What is the loan for?').selectOption('education')
    for (const box of await laptopPage.getByRole('checkbox').all()) await box.check()
    await tap(laptopPage, 'Agree and get offers')
    await waitForTitle(laptopPage, /You have/)
    cheapest = await laptopPage.locator('.offer h2').first().innerText()
    await laptopPage.reload()
    await waitForTitle(laptopPage, /You have/)
  })

  test('D1 §5: a new link on the phone shows the same offers as the other device, without the form before them', async () => {
    await page.goto('about:blank')
    await page.addInitScript(`new MutationObserver(() => { window.hasShownForm ||= !!document.querySelector('[name=pan]') })
      .observe(document, { childList: true, subtree: true })`)
    await page.goto(await newLink())
    await waitForTitle(page, /You have/)
    assert.equal(await page.evaluate('window.hasShownForm'), false)
    assert.equal(await page.locator('.offer h2').first().innerText(), cheapest)
    await Promise.all([phone.close(), laptop.close()])
  })
})

// The demo app in a real browser: one click starts a journey, and the page shows the server's log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sharedBrowser } from '#test/setup/browser.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { assertUsable, openPage } from '#test/setup/page.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()

const sizes = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const

async function openDemo({ width, height, colorScheme }: (typeof sizes)[number], address = '') {
  const opened = await openPage(browser, { viewport: { width, height }, colorScheme, locale: 'en-IN' })
  await opened.page.goto(`${programs.platformUrl}/demo${address}`)
  return opened
}

async function savePicture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/demo-${name}.png` })
}

const firstScreen = (page: Page) => page.frameLocator('iframe').getByRole('heading', { level: 1 })

for (const size of sizes)
  test(`D1 §2.2, §4: a card starts a journey of each product, ${size.width} pixels wide, ${size.colorScheme}`, {
    timeout: 4 * deadlineMs,
  }, async () => {
    const { context, page, problems } = await openDemo(size)
    const isNarrow = size.width < 1152
    const showPanel = async (name: string) => isNarrow && (await page.getByRole('button', { name }).first().click())
    await page.getByRole('heading', { name: 'Choose an outcome' }).waitFor()
    await assertUsable(page, 'the scenarios')
    await savePicture(page, `choose-${size.width}`)
    const folded = page.locator('details.ending:not([open]) > summary')
    assert.equal((await folded.count()) > 0, size.width < 640, 'a phone folds all groups but the first')
    for (const [product, card, slug] of [
      ['Personal loan', /^KYC on the second try/, 'personal-loan&scenario=9007'],
      ['Gold loan', /^Gold declined at the branch/, 'gold-loan&scenario=9041'],
      ['Loan against mutual funds', /^Lien rejected/, 'lamf&scenario=9052'],
    ] as const) {
      await showPanel('Scenarios')
      await page.getByRole('button', { name: product, exact: true }).click()
      while ((await folded.count()) > 0) await folded.first().click()
      await page.getByRole('button', { name: card }).click()
      await firstScreen(page).waitFor()
      assert.ok(page.url().endsWith(`/demo?product=${slug}`), page.url())
      await assertUsable(page, `the first screen of ${product}`)
      await savePicture(page, `app-${slug.slice(0, 4)}-${size.width}`)
      await showPanel('Your server')
      await page.getByText('signature verified').first().waitFor()
      const call = page.locator('details.call')
      await call.locator('summary').click()
      await call.getByText(/curl -X POST/).waitFor()
      assert.doesNotMatch(await page.locator('.log').innerText(), /sk_test_/, 'the API key is not logged')
      await assertUsable(page, `the server of ${product}`)
      await savePicture(page, `server-${slug.slice(0, 4)}-${size.width}`)
    }
    assert.deepEqual(problems, [])
    await context.close()
  })

test('D1 §2.3: a URL starts its scenario, and the borrower stays the same after closing and reloading', {
  timeout: 4 * deadlineMs,
}, async () => {
  const { context, page, problems } = await openDemo(sizes[0], '?product=gold-loan&scenario=9042')
  await firstScreen(page).waitFor()
  await page.getByRole('heading', { name: 'A silent branch', level: 2 }).waitFor()
  const borrower = () => page.evaluate('history.state.borrower')
  const first = await borrower()
  assert.match(String(first), /^demo-9042-\d{8}$/)
  await page.getByRole('button', { name: 'Close and come back later' }).click()
  await firstScreen(page).waitFor()
  assert.equal(await borrower(), first)
  await page.reload()
  await firstScreen(page).waitFor()
  assert.equal(await borrower(), first)
  await page.getByRole('button', { name: 'New borrower' }).click()
  // Without `waitForFunction`, because the page's policy forbids it to evaluate strings.
  await until('another borrower', async () => {
    const now = await borrower()
    return Boolean(now) && now !== first
  })
  await firstScreen(page).waitFor()

  await page.getByLabel('Colours').selectOption('dark')
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
  const dark = page.frameLocator('iframe[src*="scheme=dark"]').locator('html')
  await dark.locator('h1').waitFor()
  assert.equal(await dark.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark')
  assert.equal(await borrower(), await page.evaluate('history.state.borrower'))
  await page.getByLabel('Language').selectOption('hi')
  await page.frameLocator('iframe').locator('html[lang=hi] h1').waitFor()
  await assertUsable(page, 'dark, in Hindi')
  await savePicture(page, 'dark-1280')
  assert.deepEqual(problems, [])
  await context.close()
})

test('docs/reference/sandbox.md: the demo reports an unavailable platform and offers a retry', async () => {
  const { context, page } = await openDemo(sizes[0])
  await page.route('**/demo/session', (route) => route.abort())
  await page.getByRole('button', { name: 'See my offers' }).click()
  await page.getByRole('alert').getByText('does not respond').waitFor()
  await assertUsable(page, 'the platform does not answer')
  await savePicture(page, 'trouble-1280')
  await page.unroute('**/demo/session')
  await page.getByRole('button', { name: 'Try again' }).click()
  await firstScreen(page).waitFor()
  await page.getByLabel('Search scenarios').fill('kyc')
  await page.getByRole('button', { name: /^KYC rejected/ }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Slow payout/ }).count(), 0)
  await context.close()
})

test('docs/reference/sandbox.md: the demo’s log has one clock after the sandbox’s clock was moved', async () => {
  const { context, page } = await openDemo(sizes[0])
  await page.getByRole('heading', { name: 'Choose an outcome' }).waitFor()
  const ahead = 3 * 86_400_000
  await page.route('**/demo/session', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    const calledAt = new Date(new Date(body.calledAt).getTime() + ahead).toISOString()
    return route.fulfill({ response: answer, json: { ...body, calledAt } })
  })
  await page.getByRole('button', { name: /^KYC on the second try/ }).click()
  await firstScreen(page).waitFor()
  await page.getByRole('checkbox', { name: 'Show control messages' }).check()
  const day = new Date(Date.now() + ahead).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
  const times = page.locator('.log :is(.call, .control, .window) time')
  await until('messages of the page', async () => (await times.count()) > 2)
  for (const time of await times.allInnerTexts()) assert.ok(time.startsWith(`${day}, `), time)
  await context.close()
})

// The front pages of the programs and the API reference, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sharedBrowser } from '#test/setup/browser.ts'
import { assertUsable, openPage } from '#test/setup/page.ts'
import { startTestPartner } from '#test/setup/partner.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const { platformUrl, sandboxUrl, tenant } = await sharedPrograms()
const browser = await sharedBrowser()

const appearances = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const

async function savePicture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/front-${name}.png`, fullPage: true })
}

for (const { width, colorScheme } of appearances) {
  const open = async (url: string) => {
    const opened = await openPage(browser, { viewport: { width, height: 900 }, colorScheme })
    await opened.page.goto(url)
    return opened
  }

  test(`docs/reference/sandbox.md: the sandbox’s front page finds and starts journeys, at ${width} pixels`, async () => {
    const { context, page, problems } = await open(`${sandboxUrl}/`)
    await page.getByRole('heading', { name: 'Money arrives' }).waitFor()
    await assertUsable(page, 'the front page of the sandbox')
    await savePicture(page, `sandbox-${width}`)
    await page.getByRole('link', { name: 'Gold loan' }).click()
    await page.getByRole('searchbox', { name: 'Search journeys' }).fill('GOLD declined')
    await page.getByRole('button', { name: 'Search' }).click()
    const starts = page.getByRole('link', { name: /^Start this journey/ })
    assert.equal(await starts.count(), 1)
    await assertUsable(page, 'the search results')
    await starts.click()
    await page
      .getByRole('heading', { name: 'Gold declined at the branch', level: 2, includeHidden: true })
      .waitFor({ state: 'attached' })
    assert.equal(page.url(), `${platformUrl}/demo?product=gold-loan&scenario=9041`)
    await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor()
    await page.goto(`${sandboxUrl}/?product=lamf&q=nothing+like+it`)
    await page.getByText('No journey matches these words').waitFor()
    assert.deepEqual(problems, [])
    await context.close()
  })

  test(`D1 §2: the platform’s front page links to its pages, at ${width} pixels`, async () => {
    const { context, page, problems } = await open(`${platformUrl}/`)
    const addresses = await page
      .locator('main a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    for (const path of ['/demo', '/docs', '/docs/guide/', '/docs/partner-exchange', '/console', '/healthz', '/readyz'])
      assert.ok(addresses.includes(path), path)
    for (const path of addresses) {
      const { status } = await fetch(platformUrl + path)
      // The guides are built by a command of their own.
      assert.ok(status === 200 || (status === 404 && path === '/docs/guide/'), `${path}: ${status}`)
    }
    await assertUsable(page, 'the front page of the platform')
    await savePicture(page, `platform-${width}`)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

for (const { width, colorScheme } of appearances)
  test(`D1 §2, D2 §1: the API reference shows samples and sends a request, at ${width} pixels`, async () => {
    const { context, page, problems } = await openPage(browser, { viewport: { width, height: 900 }, colorScheme })
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(platformUrl))
        elsewhere.push(request.url())
    })
    await page.goto(`${platformUrl}/docs#tag/hosted-sessions/GET/api/lab/features`)
    await page.getByRole('button', { name: /^Test Request.*lab\/features/ }).click()
    const client = page.getByRole('dialog')
    await client.getByPlaceholder('Token').fill(tenant.apiKey)
    await client.getByRole('button', { name: /Send/ }).first().click()
    await client.getByText('200').first().waitFor()
    await client.getByText('PERSONAL_LOAN').first().waitFor()
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/docs-${width}.png` })
    assert.deepEqual(elsewhere, [])
    assert.deepEqual(problems, [])
    await context.close()
  })

test('D3 §1: the lending partner’s front page links to its desk', async () => {
  const { url } = await startTestPartner()
  const { context, page } = await openPage(browser)
  await page.goto(url)
  await page.getByRole('link', { name: /^Desk/ }).waitFor()
  await assertUsable(page, 'the front page of the partner')
  await savePicture(page, 'partner')
  await context.close()
})

// The browser the journey tests use: it starts, shows a page and runs its script.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from './browser.ts'

let browser: Browser
before(async () => {
  browser = await launchBrowser()
})
after(() => browser?.close())

test('the browser shows a page and runs its script', async () => {
  const page = await browser.newPage()
  await page.setContent('<p id="greeting"></p><script>greeting.textContent = "good evening"</script>')
  assert.equal(await page.textContent('#greeting'), 'good evening')
})

// The browser of the journey tests: it runs scripts, and axe finds accessibility barriers in its pages.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible } from './accessibility.ts'
import { launchBrowser, openContext } from './browser.ts'

let browser: Browser
before(async () => {
  browser = await launchBrowser()
})
after(() => browser?.close())

test('the browser shows a page and runs its script', async () => {
  const page = await (await openContext(browser)).newPage()
  await page.setContent('<p id="greeting"></p><script>greeting.textContent = "good evening"</script>')
  assert.equal(await page.textContent('#greeting'), 'good evening')
})

test('axe finds barriers in the page and in a cross-site frame, and `within` limits the check to one element', async () => {
  const page = await (await openContext(browser)).newPage()
  const pages: Record<string, string> = {
    'http://app.example/':
      '<html lang="en"><title>App</title><img src=""><iframe title="Loan" src="http://lender.example/"></iframe>',
    'http://lender.example/': '<html lang="en"><title>Loan</title><button></button>',
  }
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: pages[route.request().url()]! }))
  await page.goto('http://app.example/')
  const image = 'image-alt: <img src="">'
  const button = 'button-name: <button></button>'
  await assert.rejects(assertAccessible(page, 'both'), { actual: [button, image] })
  await assert.rejects(assertAccessible(page, 'the frame', { within: 'iframe' }), { actual: [button] })
  await assert.rejects(assertAccessible(page, 'images', { rules: ['image-alt'] }), { actual: [image] })
  await assertAccessible(page, 'no image in the frame', { within: 'iframe', rules: ['image-alt'] })
})

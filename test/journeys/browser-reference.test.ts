// The API reference in the console, in a real browser: samples and calls with a temporary API key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedBrowser } from '#test/setup/browser.ts'
import { consoleUser } from '#test/setup/console.ts'
import { assertUsable, openPage } from '#test/setup/page.ts'
import { testPlatform } from '#test/setup/platform.ts'

const platform = await testPlatform()
const { url, tenant } = platform
const browser = await sharedBrowser()

for (const [width, colorScheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const)
  test(`D1 §2: an integrator gets samples and sends calls with a working API key in the console, at ${width} pixels`, async () => {
    const user = await consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId })
    const { context, page, problems } = await openPage(browser, { viewport: { width, height: 900 }, colorScheme })
    const [name = '', value = ''] = user.cookie.split('=')
    await context.addCookies([{ name, value, url }])
    await context.addInitScript(`localStorage['console-theme'] = 'dark'`)
    await page.goto(`${url}/console/developers/reference`)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('searchbox').fill('/api/lab/features')
    const operation = frame.locator('article:visible').first()
    await operation.getByText('Bearer TOKEN').waitFor()
    await page.getByRole('button', { name: 'Create a key for this page' }).click()
    const sample = operation.locator('pre:visible').first()
    await sample.getByText('Bearer sk_test_').waitFor()
    const [key = ''] = /sk_test_\w+/.exec((await sample.textContent()) ?? '') ?? []
    await operation.getByText('Try it').click()
    await operation.getByRole('button', { name: 'Send GET' }).click()
    await operation.getByText('200 OK').waitFor()
    await frame.getByRole('radio', { name: 'Python' }).check()
    await operation.getByText(`"${key}"`).waitFor()
    assert.equal(await frame.locator('html').getAttribute('data-theme'), 'dark')
    const stored = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')
    assert.ok(!String(stored).includes(key), 'the key is not stored')
    await assertUsable(page, `the reference, ${width} wide`)
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/reference-${width}-${colorScheme}.png`, fullPage: true })

    await page.reload()
    await frame.locator('html.scripted').waitFor({ state: 'attached' })
    assert.ok(await frame.getByRole('radio', { name: 'Python' }).isChecked())
    assert.ok(!(await page.content()).includes(key) && !(await frame.locator('html').innerHTML()).includes(key))
    assert.deepEqual(problems, [])
    await context.close()
  })

test('D1 §2: a page of another origin cannot frame the reference, nor give it a key', async () => {
  const { headers } = await fetch(`${url}/docs`)
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/)
  const exchange = await fetch(`${url}/docs/partner-exchange`)
  assert.match(exchange.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  const { context, page } = await openPage(browser)
  await page.goto(`${url}/docs`)
  // The page itself is its parent here, and a message of another origin has another sender.
  await page.evaluate(
    `window.dispatchEvent(new MessageEvent('message', { origin: 'https://evil.example', source: window, data: { apiKey: 'sk_evil' } }))`,
  )
  assert.ok(!(await page.content()).includes('sk_evil'))
  await context.close()
})

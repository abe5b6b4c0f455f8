// The console's API reference in a real browser: search, and code samples with a temporary API key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '#test/setup/accessibility.ts'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { consoleUser } from '#test/setup/console.ts'
import { ask, testPlatform } from '#test/setup/platform.ts'

const platform = await testPlatform()
const { url, tenant } = platform
const browser = await sharedBrowser()

for (const [width, colorScheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const)
  test(`an integrator finds an operation and gets code with a working API key, at ${width} pixels`, async () => {
    const user = await consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId })
    const context = await openContext(browser, { viewport: { width, height: 900 }, colorScheme })
    const [name = '', value = ''] = user.cookie.split('=')
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(`${url}/console/developers/reference`)
    await page.getByRole('searchbox', { name: 'Search operations' }).fill('session resume hosted borrower')
    const operation = page.locator('details').first()
    await operation.locator('summary').click()
    await operation.getByText('Bearer YOUR_API_KEY').waitFor()
    await operation.getByText('profile.contactNumber', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create a key for this page' }).click()
    const sample = operation.locator('pre')
    await sample.getByText('Bearer sk_test_').waitFor()
    const key = /sk_test_\w+/.exec((await sample.textContent()) ?? '')?.[0]
    assert.ok(key)
    assert.equal((await ask(`${url}/api/lab/features`, { key })).status, 200)
    const stored = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')
    assert.ok(!String(stored).includes(key), 'the key is not stored')
    await page.getByRole('button', { name: 'Python' }).click()
    await sample.getByText('from lendloom import Client').waitFor()
    await assertAccessible(page, `the reference, ${width} wide`)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/reference-${width}-${colorScheme}.png`, fullPage: true })
    await page.reload()
    await page.getByRole('button', { name: 'Python', pressed: true }).waitFor()
    assert.ok(!(await page.content()).includes(key))
    assert.deepEqual(problems, [])
    await context.close()
  })

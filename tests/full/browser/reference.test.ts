// The API reference with a new API key of the console, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '#test/setup/accessibility.ts'
import { sharedBrowser } from '#test/setup/browser.ts'
import { consoleUser } from '#test/setup/console.ts'
import { openPage } from '#test/setup/page.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'

const platform = await testPlatform()
const { url, tenant } = platform
const browser = await sharedBrowser()

for (const [width, colorScheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const)
  test(`D1 §2: an integrator creates an API key, and the reference sends requests with it, at ${width} pixels`, async () => {
    const user = await consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId })
    const { context, page, problems } = await openPage(browser, { viewport: { width, height: 900 }, colorScheme })
    await page.clock.install()
    const [name = '', value = ''] = user.cookie.split('=')
    await context.addCookies([{ name, value, url }])
    await context.addInitScript(`localStorage['console-theme'] = 'dark'`)
    await page.goto(`${url}/console/developers?open=new-key`)
    await page.getByLabel('Label').fill('reference')
    await page.getByLabel('Expires').selectOption('After a day')
    await page.getByRole('button', { name: 'Create the key' }).click()
    // The button that copies it stands in the same box.
    const [key = ''] = (await page.getByRole('dialog').locator('.copyable').innerText()).split('\n')
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Try it in the API reference' }).click()
    const reference = await opened
    await reference.getByText('Bearer Token').first().waitFor()
    const shownKey = () => reference.getByPlaceholder('Token').first().inputValue()
    await until('the key in the reference', async () => (await shownKey()) === key)
    await assertAccessible(reference, 'the reference')
    await reference.goto(`${url}/docs#tag/hosted-sessions/GET/api/lab/features`)
    await reference.getByRole('button', { name: /^Test Request.*lab\/features/ }).click()
    const client = reference.getByRole('dialog')
    await client.getByRole('button', { name: /Send/ }).first().click()
    await client.getByText('PERSONAL_LOAN').first().waitFor()
    assert.equal(await reference.locator('html').getAttribute('data-theme'), 'dark')
    assert.equal(await reference.getByText('⌃', { exact: true }).first().isVisible(), false)
    const stored = await reference.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage, at: location.href })')
    assert.ok(!String(stored).includes(key), 'the key is not stored')
    if (process.env.PICTURES)
      await reference.screenshot({ path: `${process.env.PICTURES}/reference-${width}-${colorScheme}.png` })

    if (width === 390) await page.clock.fastForward('01:00:01')
    else await page.goto(`${url}/console/developers`)
    await reference.reload()
    await reference.getByText('Bearer Token').first().waitFor()
    await reference.waitForTimeout(300)
    assert.equal(await shownKey(), '', 'the key ends with its page of the console, or after an hour')
    assert.deepEqual(problems, [])
    await context.close()
  })

test('D1 §2: a page of another origin cannot frame the reference, nor give it a key', async () => {
  for (const path of ['/docs', '/docs/partner-exchange']) {
    const { headers } = await fetch(url + path)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
  }
  const { context, page } = await openPage(browser)
  await page.goto(`${url}/docs`)
  for (const message of [`origin: 'https://evil.example', source: opener`, `origin: location.origin, source: window`])
    await page.evaluate(
      `window.dispatchEvent(new MessageEvent('message', { ${message}, data: { apiKey: 'sk_evil' } }))`,
    )
  await page.getByPlaceholder('Token').first().waitFor()
  assert.equal(await page.getByPlaceholder('Token').first().inputValue(), '')
  await context.close()
})

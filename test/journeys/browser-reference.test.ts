// The API reference in a real browser: everybody can use it, on a screen and on a phone, by day and by night.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { exchangeApi } from '#contract/exchange/openapi.ts'
import { referencePage } from '#kit/http/api-reference.ts'
import { platformApi, platformApis } from '#platform/apis.ts'
import { sharedBrowser } from '#test/setup/browser.ts'

const browser = await sharedBrowser()
const whole = platformApi(platformApis({ config: { SANDBOX: true } } as never), 'https://lendloom.example')
// Every operation is made of the same parts: looking at all of them takes long and finds nothing more.
const integrators = { ...whole, paths: Object.fromEntries(Object.entries(whole.paths).slice(0, 12)) }
const lenders = exchangeApi({ partnerUrl: 'https://partner.example' })
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

for (const [name, document, width, colorScheme] of [
  ['integrators', integrators, 1280, 'light'],
  ['lending partners', lenders, 390, 'dark'],
] as const)
  test(`the reference for ${name} can be used by everybody, at ${width} pixels`, async () => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    const page = await context.newPage()
    await page.setContent(String(referencePage(document, '/openapi.json').body))
    const { violations } = await new AxeBuilder({ page }).withTags(wcag).analyze()
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      [],
    )
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
    await context.close()
  })

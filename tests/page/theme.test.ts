// Application themes of the hosted page: accent and name on first paint, contrast, and unchanged lender branding.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { contrastOf } from '@lendloom/design/colour'
import type { PageTheme } from '@lendloom/platform/src/api/page/themed-page.ts'
import type { OpenHostedPage } from '#test/setup/embed-page.ts'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'
import { kaveri, viewAt } from '#test/setup/embed-views.ts'

const pages = embedPages()
afterEach(() => pages.platform.setTheme(null))

const logoSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="20" fill="teal"/></svg>'
const logo = { url: '/lab/application-logo?v=1', width: 40, height: 40 }
const yellow: PageTheme = { name: 'Saathi Money', accent: '#ffd500', corner: 'round', font: 'serif', logo }
const green: PageTheme = { name: 'Krishi Sahay', accent: '#0b6e4f', corner: 'square', font: 'humanist', logo: null }
const white: PageTheme = {
  name: 'Chandni',
  accent: '#fefefe',
  corner: 'soft',
  font: 'mono',
  logo: { ...logo, width: 160 },
}

interface ComputedLook {
  color: string
  backgroundColor: string
  borderRadius: string
  width: number
  height: number
}
/** The computed style and size of an element. */
const readLook = (hosted: OpenHostedPage, selector: string): Promise<ComputedLook> =>
  hosted.frame
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { getComputedStyle } = globalThis as unknown as {
        getComputedStyle(
          element: unknown,
        ): ComputedLook & Record<'fontSize' | 'fontWeight' | 'opacity' | 'visibility' | 'filter', string>
      }
      const { color, backgroundColor, borderRadius, fontSize, fontWeight, opacity, visibility, filter } =
        getComputedStyle(element)
      const { width, height } = element.getBoundingClientRect()
      return { color, backgroundColor, borderRadius, fontSize, fontWeight, opacity, visibility, filter, width, height }
    })
const hex = (rgb: string) =>
  `#${[...rgb.matchAll(/\d+/g)]
    .slice(0, 3)
    .map(([each]) => Number(each).toString(16).padStart(2, '0'))
    .join('')}`

describe('D1 §2.2: application themes of the hosted page', () => {
  for (const theme of [yellow, green, white])
    for (const colorScheme of ['light', 'dark'] as const)
      test(`${theme.name}, ${colorScheme}: uses its accent with sufficient contrast, and shows both names`, async () => {
        pages.platform.setTheme(theme, logoSvg)
        const hosted = await pages.open(viewAt('PROFILE'))
        await hosted.page.emulateMedia({ colorScheme })
        await hosted.frame.locator('.main').waitFor()
        const button = await readLook(hosted, '.main')
        assert.equal(hex(button.backgroundColor), theme.accent)
        assert.ok(contrastOf(hex(button.color), hex(button.backgroundColor)) >= 4.5)
        assert.equal(button.borderRadius, { square: '0px', soft: '10px', round: '26px' }[theme.corner])
        assert.equal(await hosted.frame.locator('.brand b').textContent(), `${theme.name} `)
        assert.equal(await hosted.frame.locator('.brand span').innerText(), 'powered by Lendloom')
        await assertFrameAccessible(hosted, `${theme.name}, ${colorScheme}`)
        pages.platform.show(viewAt('OFFERS'))
        await hosted.pollAgain()
        await hosted.frame.locator('.card').first().waitFor()
        await assertFrameAccessible(hosted, `${theme.name}, ${colorScheme}, offers`)
      })

  test('the header does not move after first paint, and the name survives a reload', async () => {
    pages.platform.setTheme(yellow, logoSvg)
    const hosted = await pages.open(viewAt('PROFILE'))
    const { page } = hosted
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    const header = page.locator('header')
    const before = await header.boundingBox()
    await page.getByText('Your mobile number is').waitFor()
    assert.deepEqual(await header.boundingBox(), before)
    const shift = Number(
      await page.evaluate(`new Promise((resolve) => {
        let sum = 0
        const add = (entries) => { for (const { value } of entries) sum += value }
        const observer = new PerformanceObserver((list) => add(list.getEntries()))
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => { add(observer.takeRecords()); resolve(sum) }))
      })`),
    )
    assert.ok(shift < 0.01, `${shift}`)
    await page.reload()
    await page.getByText('Your mobile number is').waitFor()
    assert.equal(await page.locator('.brand b').textContent(), `${yellow.name} `)
  })

  test('the lender’s branding looks the same under every theme', async () => {
    const lenderLooks = async (theme: PageTheme | null) => {
      pages.platform.setTheme(theme, logoSvg)
      const hosted = await pages.open(viewAt('OFFERS'))
      await hosted.frame.locator('.card').first().waitFor()
      const parts: Record<string, object> = {}
      const record = async (name: string, selector: string, withSize = false) => {
        const { width, height, ...style } = await readLook(hosted, selector)
        parts[name] = withSize ? { ...style, width, height } : style
        assert.ok(width > 0 && height > 0, name)
      }
      await record('mark', '.card .logo', true)
      await record('name', '.card h2')
      await record('legal', '.card small')
      await record('footer', 'footer p')
      pages.platform.show(viewAt('KYC'))
      await hosted.pollAgain()
      // A card of an offer has the class, too.
      await hosted.frame.locator('.who > p', { hasText: kaveri.lenderName }).waitFor()
      await record('mark of a step', '.who:has(> p) .logo', true)
      await record('name of a step', '.who > p b')
      return parts
    }
    const defaultLooks = await lenderLooks(null)
    for (const theme of [yellow, green, white]) assert.deepEqual(await lenderLooks(theme), defaultLooks, theme.name)
  })

  test('in forced-colors mode the page uses system colours', async () => {
    pages.platform.setTheme(green)
    const hosted = await pages.open(viewAt('PROFILE'))
    await hosted.page.emulateMedia({ forcedColors: 'active' })
    await hosted.frame.locator('.main').waitFor()
    assert.notEqual(hex((await readLook(hosted, '.main')).backgroundColor), green.accent)
  })
})

// The hosted page in the look of an application: its colour and name at once, as legible as ours, and the lender untouched.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { contrastOf } from '#kit/design/colour.ts'
import type { PageTheme } from '#platform/embed/preview.ts'
import type { OpenHostedPage } from '#test/setup/embed-page.ts'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'
import { kaveri, viewAt } from '#test/setup/embed-views.ts'

const pages = embedPages()
afterEach(() => pages.platform.setTheme(null))

const mark =
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

interface Look {
  color: string
  backgroundColor: string
  borderRadius: string
  width: number
  height: number
}
/** Of an element: its colours and its size as the browser has them. */
const look = (one: OpenHostedPage, selector: string): Promise<Look> =>
  one.frame
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { getComputedStyle } = globalThis as unknown as {
        getComputedStyle(
          of: unknown,
        ): Look & Record<'fontSize' | 'fontWeight' | 'opacity' | 'visibility' | 'filter', string>
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

describe('D1 §2.2: the hosted page in the look of an application', () => {
  for (const theme of [yellow, green, white])
    for (const colorScheme of ['light', 'dark'] as const)
      test(`${theme.name}, ${colorScheme}: in its colour, legible, with its name and ours`, async () => {
        pages.platform.setTheme(theme, mark)
        const one = await pages.open(viewAt('PROFILE'))
        await one.page.emulateMedia({ colorScheme })
        await one.frame.locator('.main').waitFor()
        const button = await look(one, '.main')
        assert.equal(hex(button.backgroundColor), theme.accent)
        assert.ok(contrastOf(hex(button.color), hex(button.backgroundColor)) >= 4.5)
        assert.equal(button.borderRadius, { square: '0px', soft: '10px', round: '26px' }[theme.corner])
        assert.equal(await one.frame.locator('.brand b').textContent(), theme.name)
        assert.equal(await one.frame.locator('.brand span').textContent(), 'powered by Lendloom')
        await assertFrameAccessible(one, `${theme.name}, ${colorScheme}`)
        pages.platform.show(viewAt('OFFERS'))
        await one.pollAgain()
        await one.frame.locator('.card').first().waitFor()
        await assertFrameAccessible(one, `${theme.name}, ${colorScheme}, offers`)
      })

  test('nothing in the header moves once it is shown, and the name stays when the page is loaded again', async () => {
    pages.platform.setTheme(yellow, mark)
    const one = await pages.open(viewAt('PROFILE'))
    const { page } = one
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
    assert.equal(await page.locator('.brand b').textContent(), yellow.name)
  })

  test('who lends is shown in the same size and colours under every theme', async () => {
    const lenderLooks = async (theme: PageTheme | null) => {
      pages.platform.setTheme(theme, mark)
      const one = await pages.open(viewAt('OFFERS'))
      await one.frame.locator('.card').first().waitFor()
      const parts: Record<string, object> = {}
      const note = async (name: string, selector: string, keepsBox = false) => {
        const { width, height, ...of } = await look(one, selector)
        parts[name] = keepsBox ? { ...of, width, height } : of
        assert.ok(width > 0 && height > 0, name)
      }
      await note('mark', '.card .logo', true)
      await note('name', '.card h2')
      await note('legal', '.card small')
      await note('footer', 'footer p')
      pages.platform.show(viewAt('KYC'))
      await one.pollAgain()
      await one.frame.locator('.who', { hasText: kaveri.lenderName }).waitFor()
      await note('mark of a step', '.who .logo', true)
      await note('name of a step', '.who b')
      return parts
    }
    const ours = await lenderLooks(null)
    for (const theme of [yellow, green, white]) assert.deepEqual(await lenderLooks(theme), ours, theme.name)
  })

  test('in forced colours the page has the colours of the system, and the logo its plate', async () => {
    pages.platform.setTheme(green)
    const one = await pages.open(viewAt('PROFILE'))
    await one.page.emulateMedia({ forcedColors: 'active' })
    await one.frame.locator('.main').waitFor()
    assert.notEqual(hex((await look(one, '.main')).backgroundColor), green.accent)
  })
})

// Accessibility of every screen of the hosted page: screen reader, keyboard and forced colours.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type EmbedView, screens } from '@lendloom/wire/hosted/embed-view'
import type { Page } from 'playwright-core'
import { embedPages } from '#test/setup/embed-pages.ts'
import { viewAt } from '#test/setup/embed-views.ts'
import { until } from '#test/setup/programs.ts'

const pages = embedPages()

/** The page's structure for a screen reader. */
interface Outline {
  levels: number[]
  /** Sections of the page by role: banner, main, contentinfo. */
  landmarks: string[]
  /** Controls without an accessible name. */
  nameless: string[]
  liveRegions: number
}

const readOutline = `(() => {
  const hasBox = (element) => element.checkVisibility({ visibilityProperty: true })
  // On a phone the main part has no box of its own, only those of its content.
  const isShown = (element) => hasBox(element) || (getComputedStyle(element).display === 'contents' && [...element.children].some(hasBox))
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown)
  const nameOf = (element) =>
    element.getAttribute('aria-label') || element.labels?.[0]?.textContent || element.closest('label')?.textContent ||
    document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent || element.textContent
  return {
    levels: all('h1, h2, h3, h4').map(({ tagName }) => Number(tagName[1])),
    landmarks: all('body header, main, body footer').filter((each) => each.tagName === 'MAIN' || !each.closest('main')).map(({ tagName }) => tagName.toLowerCase()),
    nameless: all('button, a, input:not([type=hidden]), select, textarea, summary').filter((each) => !nameOf(each)?.trim()).map(({ outerHTML }) => outerHTML),
    liveRegions: document.querySelectorAll('[role=status], [role=alert], [aria-live]').length,
  }
})()`

interface TabStop {
  name: string
  top: number
  left: number
  isSticky: boolean
  isFocusVisible: boolean
}

/** The focused element; null when the focus is outside the page. */
const focusedElement = `(() => {
  const at = document.activeElement
  if (!at || at === document.body) return null
  // The focus of a hidden radio button is drawn around its label.
  const outlined = at.classList.contains('sr') ? at.closest('label') : at
  const { top, left } = outlined.getBoundingClientRect()
  const { outlineStyle, boxShadow } = getComputedStyle(outlined)
  let isSticky = false
  for (let each = at; each; each = each.parentElement) if (getComputedStyle(each).position === 'sticky') isSticky = true
  return { name: at.outerHTML.slice(0, 120), top: top + scrollY, left, isSticky, isFocusVisible: outlineStyle !== 'none' || boxShadow !== 'none' }
})()`

/** Returns all tab stops in order: presses Tab until the focus has left the page twice. */
async function tabThrough(page: Page): Promise<TabStop[]> {
  let stops: TabStop[] = []
  for (let ends = 0, i = 0; ends < 2; i++) {
    assert.ok(i < 200, `the focus does not leave ${stops.at(-1)?.name}`)
    await page.keyboard.press('Tab')
    const at = (await page.evaluate(focusedElement)) as TabStop | null
    if (at) stops.push(at)
    else if (++ends === 1) stops = []
  }
  return stops
}

/** Number of elements that Tab must reach; one per radio group. */
const tabStopCount = `(() => {
  const groups = new Set()
  return [...document.querySelectorAll('button:enabled, a[href], input:enabled:not([type=hidden]), select:enabled, textarea:enabled, summary')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.tabIndex >= 0)
    .filter(({ type, name }) => type !== 'radio' || (!groups.has(name) && groups.add(name))).length
})()`

/** Controls without border or underline, which would be invisible with forced colours. */
const controlsWithoutBorder = `[...document.querySelectorAll('main button, main input:not(.sr):not([type=range]):not([type=checkbox]):not([type=radio]), main select')]
  .filter((each) => each.checkVisibility() && getComputedStyle(each).borderTopWidth === '0px' && getComputedStyle(each).textDecorationLine === 'none')
  .map(({ outerHTML }) => outerHTML)`

/** Opens the page in its own window. */
async function openAlone(view: EmbedView): Promise<Page> {
  const { page } = await pages.open(view)
  await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
  await page.locator('main h1').waitFor()
  // The links below the screen load with the later screens.
  await page.locator('.asides button').first().waitFor()
  return page
}

describe('D1 §1: accessibility of the hosted page', () => {
  for (const screen of screens)
    test(`${screen} works with a screen reader, by keyboard, and with forced colours`, async () => {
      const page = await openAlone(viewAt(screen, { pollAfterMs: null }))
      const { levels, landmarks, nameless, liveRegions } = (await page.evaluate(readOutline)) as Outline
      assert.equal(levels.filter((level) => level === 1).length, 1, 'one main heading')
      for (const [i, level] of levels.entries())
        assert.ok(level <= (levels[i - 1] ?? 0) + 1, `no level of headings is left out: ${levels}`)
      assert.deepEqual(landmarks, ['header', 'main', 'footer'])
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      assert.deepEqual(nameless, [], 'every control has a name')
      assert.ok(liveRegions > 0, 'changes are announced')

      const stops = await tabThrough(page)
      assert.equal(stops.length, await page.evaluate(tabStopCount), stops.map(({ name }) => name).join('\n'))
      assert.deepEqual(
        stops.filter(({ isFocusVisible }) => !isFocusVisible),
        [],
        'the focus is visible',
      )
      // Sticky elements may be anywhere on the screen.
      const nonSticky = stops.filter(({ isSticky }) => !isSticky)
      for (const [i, stop] of nonSticky.entries()) {
        const before = nonSticky[i - 1]
        const follows = !before || stop.top >= before.top - 24 || stop.left > before.left
        assert.ok(follows, `${before?.name} comes before ${stop.name}`)
      }

      await page.emulateMedia({ forcedColors: 'active' })
      assert.deepEqual(await page.evaluate(controlsWithoutBorder), [], 'controls keep their borders')
    })

  test('a screen reader announces the number of offers when the search ends', async () => {
    const page = await openAlone(viewAt('SEARCHING'))
    await page.evaluate(`
      heard = []
      new MutationObserver(() => {
        for (const each of document.querySelectorAll('[role=status]')) if (each.textContent && heard.at(-1) !== each.textContent) heard.push(each.textContent)
        const at = document.activeElement
        if (at.tagName === 'H1' && heard.at(-1) !== at.textContent) heard.push(at.textContent)
      }).observe(document, { childList: true, subtree: true, characterData: true })
      document.addEventListener('focusin', () => document.activeElement.tagName === 'H1' && heard.push(document.activeElement.textContent))`)
    await page.bringToFront()
    pages.platform.show(viewAt('OFFERS'))
    await page.evaluate('void dispatchEvent(new Event("pageshow"))')
    await page.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    await until('the number of offers is announced', async () =>
      ((await page.evaluate('heard')) as string[]).includes('You have 3 offers'),
    )
  })
})

// A list of ten thousand rows in a real browser: few rows are in the document, and the keyboard reaches every row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sharedBrowser } from '#test/setup/browser.ts'
import { openConsole, signIn } from '#test/setup/console-page.ts'
import { answerJourneys } from '#test/setup/long-list.ts'
import { assertUsable } from '#test/setup/page.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()
const { url, people } = programs.console
const developer = people.find(({ role, tenantId }) => role === 'developer' && tenantId !== null)
const count = 10_000
const maxRowsInDocument = 150

const rowsIn = (page: Page) => page.locator('tbody tr[data-index]').count()
/** Waits until the row with this number, counted from 1, has the focus and is fully visible. */
const waitForFocusedRow = (page: Page, number: number) =>
  until(`row ${number}`, () =>
    page.evaluate<boolean>(`(() => {
    const row = document.activeElement.closest('tr')
    if (row?.getAttribute('aria-rowindex') !== '${number + 1}') return false
    const { top, bottom } = row.getBoundingClientRect()
    // On a phone the rows are cards without a head, below the line of areas.
    const above = document.querySelector(innerWidth < 600 ? '.side' : 'thead th')
    return top >= above.getBoundingClientRect().bottom - 1 && bottom <= innerHeight
  })()`),
  )
/** Scrolls to `top` and returns the number of the row in the middle of the window. */
async function scrollTo(page: Page, top: number): Promise<number> {
  const visibleRow = `(() => {
    const row = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('tr[data-index]')
    return row ? Number(row.getAttribute('aria-rowindex')) - 1 : 0
  })()`
  await page.evaluate(`scrollTo(0, ${top})`)
  await until('rows in sight', () => page.evaluate<boolean>(`${visibleRow} > 1000`))
  return page.evaluate<number>(visibleRow)
}
/** Waits until more rows are loaded than before. */
const waitForMoreRows = (page: Page, before: number) =>
  until('more rows', () =>
    page.evaluate<boolean>(`(() => {
    const status = document.querySelector('.more [role=status]')
    return !status || Number(status.textContent.replace(/\\D/g, '')) > ${before}
  })()`),
  )

for (const [width, colorScheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const)
  test(`a list of ${count} rows can be scrolled to its end and used by keyboard, at ${width} pixels`, async () => {
    const viewport = { width, height: 844 }
    const { context, page, problems } = await openConsole(browser, url, { viewport, colorScheme })
    await signIn(page, developer)
    await answerJourneys(page, count)
    await page.goto(`${url}/journeys`)
    const table = page.getByRole('table')
    await page.getByText('50 shown').waitFor()
    assert.equal(await table.getAttribute('aria-rowcount'), '-1', 'unknown while there are more rows')

    // More rows are loaded near the end.
    for (let shown = 50; shown < count; shown = Math.min(count, shown === 50 ? 2050 : shown + 2000)) {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      await waitForMoreRows(page, shown)
      assert.ok((await rowsIn(page)) <= maxRowsInDocument, `${await rowsIn(page)} rows`)
    }
    assert.equal(await table.getAttribute('aria-rowcount'), String(count + 1), 'including the header row')

    await page.evaluate('scrollTo(0, 0)')
    await page.getByRole('link', { name: 'customer-1', exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Journeys', level: 1 }).click()
    await page.keyboard.press('j')
    await waitForFocusedRow(page, 1)
    for (let i = 0; i < 40; i++) await page.keyboard.press('j')
    await waitForFocusedRow(page, 41)
    await page.keyboard.press('k')
    await waitForFocusedRow(page, 40)
    await assertUsable(page, `the list at ${width}`)

    // The focused row stays in the document, however far the page is scrolled.
    await scrollTo(page, 200_000)
    await page.keyboard.press('j')
    await waitForFocusedRow(page, 41)
    await page.keyboard.press('End')
    await waitForFocusedRow(page, count)
    assert.ok((await rowsIn(page)) <= maxRowsInDocument)
    await page.keyboard.press('Home')
    await waitForFocusedRow(page, 1)

    // Going back restores the scroll position.
    const number = await scrollTo(page, 150_000)
    const row = page.getByRole('link', { name: `customer-${number}`, exact: true })
    await row.focus()
    const scrollBefore = await page.evaluate('scrollY')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/journeys/*')
    await page.getByRole('alert').waitFor()
    await page.goBack()
    await row.waitFor()
    await until('the scroll position is restored', () =>
      page.evaluate<boolean>(`Math.abs(scrollY - ${scrollBefore}) < 2`),
    )
    assert.deepEqual(problems, [])
    await context.close()
  })

test('filters are saved as a view, which is listed, found in the palette, renamed and removed', async () => {
  const { context, page, problems } = await openConsole(browser, url)
  await signIn(page, developer)
  const name = `Rejected ${Date.now() % 100_000}`
  await page.goto(`${url}/journeys?status=REJECTED`)
  await page.getByRole('button', { name: 'Save as a view' }).click()
  await page.getByLabel('Name').fill('Asha 9876543210')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Name must not contain a person’s number or address').waitFor()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('link', { name, exact: true }).waitFor()
  await assertUsable(page, 'a list with a view')
  await views.getByRole('link', { name: 'All', exact: true }).click()
  await page.waitForURL(/journeys$/)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /any ID/ }).fill(name)
  await page.getByRole('option', { name: new RegExp(`${name} View`) }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/status=REJECTED/)
  await views.getByRole('button', { name: 'Change view' }).click()
  await page.getByLabel('Name').fill(`${name} anew`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await views.getByRole('link', { name: `${name} anew` }).waitFor()
  await views.getByRole('button', { name: 'Change view' }).click()
  await page.getByRole('button', { name: `Remove “${name} anew”` }).click()
  await page.waitForURL(/journeys$/)
  await views.getByRole('link', { name: `${name} anew` }).waitFor({ state: 'detached' })
  assert.deepEqual(problems, [])
  await context.close()
})

test('the list shows what is stuck: what waits for a lender or a borrower, and since when', async () => {
  const { context, page, problems } = await openConsole(browser, url)
  await signIn(page, developer)
  await answerJourneys(page, 2)
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().includes('waitsOn=')),
    (async () => {
      await page.goto(`${url}/journeys`)
      await page.getByRole('link', { name: 'Waiting for a lender over a day' }).click()
    })(),
  ])
  assert.match(request.url(), /waitsOn=lender.*waitedDays=1/)
  await page.getByRole('cell', { name: /^Borrower: choice · (< 1|\d+) (min|hours?|days?)$/i }).waitFor()
  assert.equal(await page.getByRole('columnheader', { name: 'Since' }).count(), 0)
  assert.equal(await page.getByRole('columnheader', { name: 'Started' }).count(), 1)
  const [room, width] = await page
    .getByRole('region', { name: 'Journeys' })
    .evaluate((table) => [table.clientWidth, table.scrollWidth])
  assert.equal(width, room, 'the table fits its place')
  const isTimeWhole = await page.evaluate<boolean>(`(() => {
    const wait = document.querySelector('.waiting')
    const [reason, time] = wait.children
    reason.textContent = 'borrower: consent at the account aggregator, and more'
    return time.getBoundingClientRect().right <= wait.closest('td').getBoundingClientRect().right
  })()`)
  assert.equal(isTimeWhole, true, 'a long reason is cut, and its time is not')
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/waiting.png` })
  await page.getByText('All borrower applications, the longest wait first.').waitFor()
  await answerJourneys(page, 0)
  await page.reload()
  await page.getByRole('heading', { name: 'No journey waits for a lender for over a day' }).waitFor()
  const status = page.getByRole('combobox', { name: 'Status' })
  await status.selectOption({ label: 'Cancelled' })
  await page.waitForURL(/status=CANCELLED/)
  await assertUsable(page, 'the list of what waits')
  await page.setViewportSize({ width: 390, height: 844 })
  await status.waitFor({ state: 'hidden' })
  const filters = page.getByRole('button', { name: /^Filters/ })
  assert.equal(await filters.textContent(), 'Filters (3)')
  const placeBefore = await filters.boundingBox()
  await filters.click()
  await status.waitFor()
  await page.getByRole('combobox', { name: 'Product' }).selectOption({ label: 'Gold loan' })
  await page.waitForURL(/product=/)
  assert.equal((await filters.boundingBox())!.y, placeBefore!.y, 'nothing above the filters moves')
  await page.locator('summary').filter({ hasText: 'Columns' }).waitFor()
  await assertUsable(page, 'the open filters at 390')
  assert.deepEqual(problems, [])
  await context.close()
})

// A borrower in a real browser: from the hosted page to the account aggregator and back to the offer.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '#test/setup/accessibility.ts'
import { apply, enter, newApplicant, openSession } from '#test/setup/borrower.ts'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const browser = await sharedBrowser()
const programs = await sharedPrograms({ lenders: allLenders })

/** A new link for a borrower who has applied. */
async function linkAfterApplying(): Promise<string> {
  const person = newApplicant()
  const first = await openSession(programs.platformUrl, programs.tenant, person)
  await apply(await enter(programs.platformUrl, first.body.embedUrl))
  return (await openSession(programs.platformUrl, programs.tenant, person)).body.embedUrl
}

test('D2 §2.2, FIS12 §7.8: the borrower shares the bank statement, and the requesting lender makes an offer', async () => {
  const context = await openContext(browser)
  const consoleErrors: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text())
  })
  const page = await context.newPage()
  await page.goto(await linkAfterApplying())
  const card = page.locator('.asks', { hasText: 'Narmada Finserv asks for your consent' })
  await card.waitFor()
  assert.equal(
    await page.getByRole('listitem').filter({ hasText: 'Narmada Finserv' }).count(),
    1,
    'the lender is listed once',
  )
  if (!(await card.getByRole('button').isVisible())) await card.locator('summary').click()
  await assertAccessible(page, 'the hosted page')
  const [aggregator] = await Promise.all([
    context.waitForEvent('page'),
    card.getByRole('button', { name: 'Go to the account aggregator' }).click(),
  ])
  await aggregator.getByRole('button', { name: 'Log in', exact: true }).waitFor()
  await assertAccessible(aggregator, 'logging in')
  await aggregator.getByRole('button', { name: 'Log in', exact: true }).click()
  await aggregator.getByRole('heading', { name: 'Share your bank data?' }).waitFor()
  assert.match((await aggregator.textContent('main'))!, /narmada\.sandbox\.example asks through Lendloom/)
  await assertAccessible(aggregator, 'deciding')
  for (const account of await aggregator.getByRole('checkbox').all()) await account.uncheck()
  await aggregator.getByRole('button', { name: 'Approve' }).click()
  await aggregator.getByRole('alert').waitFor()
  await aggregator.getByRole('checkbox').first().check()
  await aggregator.getByRole('button', { name: 'Approve' }).click()
  await aggregator.getByText('You can close this window').waitFor()
  assert.equal(new URL(aggregator.url()).pathname, '/aa/return')
  const font = await aggregator.evaluate<string>('getComputedStyle(document.body).fontFamily')
  assert.match(font, /system-ui/, 'the content security policy allows the styles')
  await until('the aggregator’s window closes itself', () => aggregator.isClosed())
  const offer = page.getByRole('heading', { name: 'Narmada Finserv', exact: true })
  const more = page.getByRole('button', { name: /^(Show|See the)/ })
  await until('the offer is on the page, perhaps after a button is pressed', async () => {
    if (await more.isVisible()) await more.click()
    return offer.isVisible()
  })
  assert.equal(await card.count(), 0)
  // The form without a chosen account is answered with 400, which the browser logs as an error.
  assert.deepEqual(
    consoleErrors.filter((text) => !text.includes('400')),
    [],
  )
})

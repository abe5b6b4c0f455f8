// A borrower's whole loan in a real browser: the demo app embeds the page, lenders' pages open beside it, money arrives.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { AxeBuilder } from '@axe-core/playwright'
import type { FrameLocator } from 'playwright-core'
import { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import { faults } from '#kit/http/schema.ts'
import { canonical } from '#test/exactness/lifecycle-oracle.ts'
import { sharedBrowser } from '#test/setup/browser.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import {
  acceptFinalOffer,
  agree,
  atTheLender,
  giveAccount,
  heading,
  patience,
  startInDemo,
} from '#test/setup/demo-app.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()

/** Fills in what the app did not know, and agrees. */
async function apply(frame: FrameLocator): Promise<void> {
  await heading(frame, /start with you/)
  for (const pan = frame.getByLabel('PAN', { exact: true }); (await pan.inputValue()) === ''; ) await sleep(50)
  await frame.getByRole('button', { name: 'Continue' }).click()
  await heading(frame, /work and home/)
  await frame.getByRole('button', { name: 'Continue' }).click()
  await agree(frame, 'education')
}

test('D1 §3: a borrower goes from the profile to the money in a browser, and the app is told of all seven updates', {
  timeout: 4 * deadlineMs,
}, async () => {
  const demo = await startInDemo(browser, programs)
  const { context, page, frame, violations } = demo
  await apply(frame)

  await heading(frame, /You have \d+ offers|You have one offer/)
  const logo = frame.locator('.offer img.logo').first()
  await logo.evaluate('(image) => image.decode()')
  await frame.getByText('All details').first().click()
  const shown = await frame.locator('body').innerText()
  for (const word of [
    'For the same amount and time where a lender offers them',
    'EMI',
    'Total to repay',
    'Monthly instalment',
    'Yearly cost (APR)',
    'Key Facts Statement',
    'Time to repay',
    'You get in hand',
  ])
    assert.ok(shown.includes(word), word)
  await frame
    .getByRole('button', { name: /^Choose/ })
    .first()
    .click()
  await heading(frame, /^₹[\d,]+ over \d+ months from /)
  await frame.getByRole('button', { name: 'Get the final offer' }).click()

  await acceptFinalOffer(frame)

  await atTheLender(demo, programs, /Confirm who you are/)
  await giveAccount(frame)
  await atTheLender(demo, programs, /Set up automatic repayment/)
  await atTheLender(demo, programs, /Sign the agreement/)
  await heading(frame, /Your loan is paid out/)

  const log = page.locator('main, body')
  for (const status of canonical) {
    await log.getByText(status, { exact: true }).nth(1).waitFor({ timeout: patience })
    assert.equal(
      await log.getByText(status, { exact: true }).count(),
      2,
      `${status}: once by postMessage, once by webhook`,
    )
  }
  assert.deepEqual(violations, [], 'nothing broke the content security policy')
  const { violations: barriers } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze()
  assert.deepEqual(
    barriers.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    [],
  )
  await context.close()
})

test('D1 §6.5: the host page receives the payload of the server, from exactly the platform', {
  timeout: 2 * deadlineMs,
}, async () => {
  const context = await browser.newContext({ locale: 'en-IN' })
  context.setDefaultTimeout(deadlineMs)
  const page = await context.newPage()
  // Text, since it runs in the browser: the page keeps all that it receives.
  await page.addInitScript(
    'received = []; addEventListener("message", ({ origin, data }) => received.push({ origin, data }))',
  )
  await page.goto(`${programs.platformUrl}/demo`)
  await page.getByRole('button', { name: 'See my offers' }).click()
  await heading(page.frameLocator('iframe'), /start with you/)
  await page.waitForFunction(() =>
    (globalThis as never as { received: { data: { borrower?: unknown } }[] }).received.some(
      ({ data }) => data.borrower,
    ),
  )
  const received = (await page.evaluate('received')) as { origin: string; data: Record<string, unknown> }[]
  for (const { origin, data } of received) {
    assert.equal(origin, programs.platformUrl)
    if ('borrower' in data) assert.deepEqual(faults(LifecycleUpdate, data), [])
    else assert.match(String(data.type), /^lab\./)
  }
  await context.close()
})

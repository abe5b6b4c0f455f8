// A personal loan in a real browser, in the demo app, from profile to disbursal.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faults } from '@lendloom/foundation/schema'
import { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { disbursedStatuses } from '#test/oracles/lifecycle-oracle.ts'
import { assertAccessible } from '#test/setup/accessibility.ts'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import {
  acceptFinalOffer,
  appearanceText,
  approveAtLender,
  continueFromFirstScreen,
  demoAppearances,
  demoTimeoutMs,
  enterBankAccount,
  startDemo,
  submitConsents,
} from '#test/setup/demo-app.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()

const offerTexts = [
  'offers.emi',
  'offers.total',
  'terms.instalment',
  'offers.apr',
  'terms.tenure',
  'terms.hand',
] as const

describe('a personal loan in the browser', { concurrency: 2 }, () => {
  for (const appearance of demoAppearances)
    test(`D1 §3, ${appearanceText(appearance)}: a loan is disbursed, and the app receives all seven updates`, {
      timeout: 6 * deadlineMs,
    }, async () => {
      const demo = await startDemo(browser, programs, appearance)
      const { context, page, frame, say, heading, button, violations } = demo
      await heading('profile.0')
      await continueFromFirstScreen(demo)
      await heading('profile.1')
      await button('profile.next').click()
      await submitConsents(demo, 'education')

      await heading('offers.title')
      const logo = frame.locator('.offer img.logo').first()
      await logo.evaluate('(image) => image.decode()')
      await frame.getByText(say('offers.details')).first().click()
      await frame.getByText(new RegExp(say('offers.explain').source.slice(1))).waitFor()
      const offer = frame.locator('.offer').first()
      for (const key of offerTexts) await offer.getByText(say(key)).first().waitFor()
      // The link text names the document.
      await offer.getByRole('link', { name: new RegExp(say('terms.kfs').source.slice(0, -1)) }).waitFor()
      await button('offers.choose').click()

      await acceptFinalOffer(demo)

      await approveAtLender(demo, programs, 'step.kyc')
      await enterBankAccount(demo)
      await approveAtLender(demo, programs, 'step.eMandate')
      await approveAtLender(demo, programs, 'step.loanAgreement')
      await heading('loan.fresh.title')

      await assertAccessible(page, 'the loan is paid out')
      await demo.show('Your server')
      const log = page.locator('main, body')
      for (const status of disbursedStatuses) {
        await log.getByText(status, { exact: true }).nth(1).waitFor({ timeout: demoTimeoutMs })
        assert.equal(
          await log.getByText(status, { exact: true }).count(),
          2,
          `${status}: once by postMessage, once by webhook`,
        )
      }
      assert.deepEqual(violations, [], 'no violation of the content security policy')
      await context.close()
    })
})

test('D1 §6.5: the host page receives valid messages from the platform’s origin only', {
  timeout: 2 * deadlineMs,
}, async () => {
  const context = await openContext(browser, { locale: 'en-IN' })
  const page = await context.newPage()
  // A string that runs in the browser and records all received messages.
  await page.addInitScript(
    'received = []; addEventListener("message", ({ origin, data }) => received.push({ origin, data }))',
  )
  await page.goto(`${programs.platformUrl}/demo`)
  await page.getByRole('button', { name: 'See my offers' }).click()
  await page
    .frameLocator('iframe')
    .getByRole('heading', { level: 1, name: /start with you/ })
    .waitFor()
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

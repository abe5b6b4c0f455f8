// A personal loan in a real browser, in the demo app, from the profile to the money. The programs run in this process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disbursedStatuses } from '#test/oracles/lifecycle-oracle.ts'
import { sharedBrowser } from '#test/setup/browser.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import {
  acceptFinalOffer,
  approveAtLender,
  continueFromFirstScreen,
  demoAppearances,
  demoTimeoutMs,
  enterBankAccount,
  startDemo,
  submitConsents,
} from '#test/setup/demo-app.ts'
import { startPrograms } from '#test/setup/programs.ts'

const programs = await startPrograms({ inProcess: true })
const browser = await sharedBrowser()

test('D1 §3, §6.5: a loan is disbursed in the browser, and the page relays every update', {
  timeout: 6 * deadlineMs,
}, async () => {
  const demo = await startDemo(browser, programs, demoAppearances[0]!)
  const { context, page, heading, button, violations } = demo
  await heading('profile.0')
  await continueFromFirstScreen(demo)
  await heading('profile.1')
  await button('profile.next').click()
  await submitConsents(demo, 'education')
  await heading('offers.title')
  await button('offers.choose').click()
  await acceptFinalOffer(demo)
  await approveAtLender(demo, programs, 'step.kyc')
  await enterBankAccount(demo)
  await approveAtLender(demo, programs, 'step.eMandate')
  await approveAtLender(demo, programs, 'step.loanAgreement')
  await heading('loan.fresh.title')
  await demo.show('Your server')
  const log = page.locator('main, body')
  for (const status of disbursedStatuses)
    await log.getByText(status, { exact: true }).nth(1).waitFor({ timeout: demoTimeoutMs })
  assert.deepEqual(violations, [], 'no violation of the content security policy')
  await context.close()
})

// A loan against mutual funds in a real browser, from consent to disbursal.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedBrowser } from '#test/setup/browser.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import {
  acceptFinalOffer,
  appearanceText,
  approveAtLender,
  continueFromFirstScreen,
  demoAppearances,
  enterBankAccount,
  startDemo,
  submitConsents,
} from '#test/setup/demo-app.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()

describe('a loan against mutual funds in the browser', { concurrency: 2 }, () => {
  for (const appearance of demoAppearances)
    test(`D1 §4, FIS12 §10.2, ${appearanceText(appearance)}: a loan with pledged units is disbursed`, {
      timeout: 6 * deadlineMs,
    }, async () => {
      const demo = await startDemo(browser, programs, appearance, 'Loan against mutual funds')
      const { context, frame, say, heading, button, violations } = demo

      await frame.getByText(say('profile.mobile')).waitFor()
      await continueFromFirstScreen(demo)
      await heading('profile.1')
      await button('profile.next').click()
      await submitConsents(demo, 'education')

      await heading('offers.title')
      // Meridian, because the first offer may be of the lender with one combined page.
      const meridian = frame.locator('.offer').filter({ hasText: 'Meridian Finance' })
      await meridian.getByRole('button', { name: say('offers.choose') }).click()
      await button('choose.submit').click()
      await heading('final.title')
      const waitForProgress = (position: number, key: Parameters<typeof say>[0]) =>
        frame
          .locator(`nav li:nth-child(${position})[aria-current=step]`)
          .getByText(say(key))
          .waitFor({ state: 'attached' })
      await waitForProgress(2, 'progress.offers')
      // The final offer does not change the term.
      assert.equal(await frame.locator('.changes').getByText(say('terms.tenure')).count(), 0)
      await acceptFinalOffer(demo)

      await enterBankAccount(demo)
      await approveAtLender(demo, programs, 'step.kyc')
      await heading('step.lien')
      await waitForProgress(5, 'progress.pledge')
      for (const title of ['step.lien', 'step.eMandate', 'step.loanAgreement'] as const)
        await approveAtLender(demo, programs, title)
      await heading('loan.fresh.title')
      await frame.getByText(say('loan.manage.there')).waitFor()
      assert.deepEqual(violations, [], 'no violation of the content security policy')
      await context.close()
    })
})

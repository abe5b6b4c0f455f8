// A gold loan in a real browser, from the gold's details to disbursal.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedBrowser } from '#test/setup/browser.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import {
  acceptFinalOffer,
  appearanceText,
  continueFromFirstScreen,
  demoAppearances,
  startDemo,
  submitConsents,
} from '#test/setup/demo-app.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()

describe('a gold loan in the browser', { concurrency: 2 }, () => {
  for (const appearance of demoAppearances)
    test(`D1 §2.1, FIS12 §9.1, ${appearanceText(appearance)}: a gold loan is disbursed after a branch visit`, {
      timeout: 6 * deadlineMs,
    }, async () => {
      const demo = await startDemo(browser, programs, appearance, 'Gold loan')
      const { context, frame, say, heading, button, violations } = demo

      await frame.getByText(say('profile.mobile')).waitFor()
      await continueFromFirstScreen(demo)
      await heading('profile.gold')
      const weight = frame.locator('#field-jewelleryWeightGrams')
      assert.equal(await weight.inputValue(), '40')
      await weight.fill('24.125')
      await frame.locator('input[name=purity][value="18K"]').check()
      await button('profile.next').click()
      await submitConsents(demo, 'marriage')

      await heading('offers.title')
      await frame.getByText(say('offers.details')).first().click()
      await frame.getByText(say('terms.ltv.why')).first().waitFor()
      await button('offers.choose').click()
      const branches = frame.getByRole('group', { name: say('field.branchID') })
      await branches.getByRole('radio').last().check()
      const branch = await branches.locator('label:has(:checked) b').innerText()
      await button('choose.submit').click()
      await heading('final.title')
      await frame.getByText(branch, { exact: true }).waitFor()
      await acceptFinalOffer(demo)

      await heading('step.visit')
      await frame.getByText(branch, { exact: true }).waitFor()
      const opened = context.waitForEvent('page')
      await button('step.visit.open').click()
      const lenderPage = await opened
      await lenderPage.getByRole('button', { name: 'Book the visit' }).click()
      await heading('visit.booked')
      await frame.getByText(say('visit.bring')).waitFor()
      await lenderPage.getByRole('button', { name: 'The visit went well' }).click()
      await heading('loan.fresh.title')
      assert.deepEqual(violations, [], 'no violation of the content security policy')
      await context.close()
    })
})

// A borrower's whole gold loan in a real browser: the gold, the branch, the visit booked and made, the money.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedBrowser } from '#test/setup/browser.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { agree, heading, startInDemo } from '#test/setup/demo-app.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()

test('D1 §2.1, FIS12 §9.1: a borrower goes from the gold to the money in a browser, by way of a branch', {
  timeout: 4 * deadlineMs,
}, async () => {
  const { context, frame, violations } = await startInDemo(browser, programs, 'Gold loan')

  await frame.getByText('Your mobile number is').waitFor()
  await frame.getByRole('button', { name: 'Continue' }).click()
  await heading(frame, /Your gold/)
  assert.equal(await frame.getByLabel('Weight of your gold, in grams').inputValue(), '40')
  await frame.getByLabel('Weight of your gold, in grams').fill('24.125')
  await frame.getByLabel('18K').check()
  await frame.getByRole('button', { name: 'Continue' }).click()
  await agree(frame, 'marriage')

  await heading(frame, /You have/)
  await frame.getByText('of your gold’s value').first().waitFor()
  await frame
    .getByRole('button', { name: /^Choose/ })
    .first()
    .click()
  const branches = frame.getByRole('group', { name: 'Which branch will you bring the gold to?' })
  await branches.getByRole('radio').last().check()
  const branch = await branches.locator('label:has(:checked) b').innerText()
  await frame.getByRole('button', { name: 'Get the final offer' }).click()
  await heading(frame, /final offer from/)
  await frame.getByText(branch, { exact: true }).waitFor()
  await frame.getByRole('checkbox').check()
  await frame.getByRole('button', { name: 'Accept this loan' }).click()

  await heading(frame, /Book your visit/)
  await frame.getByText(branch, { exact: true }).waitFor()
  const opened = context.waitForEvent('page')
  await frame.getByRole('button', { name: /^Book at/ }).click()
  const lender = await opened
  await lender.getByRole('button', { name: 'Book the visit' }).click()
  await heading(frame, /Your visit is booked/)
  await frame.getByText('What to bring').waitFor()
  await lender.getByRole('button', { name: 'The visit went well' }).click()
  await heading(frame, /Your loan is paid out/)
  assert.deepEqual(violations, [], 'nothing broke the content security policy')
  await context.close()
})

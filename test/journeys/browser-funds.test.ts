// A borrower's whole loan against mutual funds in a real browser: consent, offers, account, KYC, lien, mandate, signature, the money.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedBrowser } from '#test/setup/browser.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { acceptFinalOffer, agree, atTheLender, giveAccount, heading, startInDemo } from '#test/setup/demo-app.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()

test('D1 §4, FIS12 §10.2: a borrower goes from the consent to the money in a browser, pledging units on the way', {
  timeout: 4 * deadlineMs,
}, async () => {
  const demo = await startInDemo(browser, programs, 'Loan against mutual funds')
  const { context, frame, violations } = demo

  await frame.getByText('Your mobile number is').waitFor()
  await frame.getByRole('button', { name: 'Continue' }).click()
  await heading(frame, /work and home/)
  await frame.getByRole('button', { name: 'Continue' }).click()
  await agree(frame, 'education')

  await heading(frame, /You have/)
  // Another lender, which may be the first to offer, has one page for everything.
  await frame.getByRole('button', { name: 'Choose Meridian Finance' }).click()
  await frame.getByRole('button', { name: 'Get the final offer' }).click()
  await acceptFinalOffer(frame)

  await giveAccount(frame)
  for (const title of [/Confirm who you are/, /Pledge your fund units/, /Set up automatic repayment/, /Sign the/]) {
    await atTheLender(demo, programs, title)
  }
  await heading(frame, /Your loan is paid out/)
  await frame.getByText(/please turn to .+ directly/).waitFor()
  assert.deepEqual(violations, [], 'nothing broke the content security policy')
  await context.close()
})

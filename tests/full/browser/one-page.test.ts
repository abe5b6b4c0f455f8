// The one page of a lender with stops, in a browser: accepting it pays out, and the browser tells the app (FIS12 §26.2).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enter, newApplicant, open, openSession, proceedUntil, readView, showsScreen } from '#test/setup/borrower.ts'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { showsDisbursed } from '#test/setup/official-borrower.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

const programs = await startPrograms({
  lenders: ['tulsi'],
  env: { SANDBOX_LENDER_VERSIONS: 'tulsi=2.0.3-stops' },
})

test('FIS12 §26.2: the page tells the app that it is done, and leads back to it', async () => {
  const { body } = await openSession(programs.platformUrl, programs.tenant, newApplicant())
  const borrower = await enter(programs.platformUrl, body.embedUrl, 'ABCPE1234F')
  await proceedUntil(borrower, 'the page', showsScreen('KYC'))
  const context = await openContext(await sharedBrowser(), { viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  const told = page.waitForResponse((response) => response.url().includes('/ondc/callback?transaction_id='))
  const back = `${programs.platformUrl}/back`
  await page.goto(`${await open(borrower, 'kyc')}?return=${encodeURIComponent(back)}`)
  await page.getByRole('button', { name: 'Accept the loan' }).click()
  assert.equal((await told).status(), 200)
  assert.equal(await page.getByRole('link', { name: 'Return to the application' }).getAttribute('href'), back)
  await until('the money', async () => showsDisbursed(await readView(borrower)))
  assert.deepEqual(faults, [], 'nothing that the page does is forbidden by its policy')
  await context.close()
})

// Lending partners in the console: an admin adds and changes one, rotates its credentials, switches it on and off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedBrowser } from '#test/setup/browser.ts'
import { openConsole, signIn } from '#test/setup/console-page.ts'
import { assertUsable } from '#test/setup/page.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()

test('an admin adds and changes a lending partner, rotates its credential, and switches the partner on and off', async () => {
  const { url, people } = programs.console
  const { context, page, problems } = await openConsole(browser, url)
  await signIn(
    page,
    people.find(({ role, tenantId }) => role === 'admin' && tenantId === null),
  )
  await page.goto(`${url}/lenders/partners`)
  await page.getByRole('button', { name: 'Add a partner' }).click()
  const dialog = page.getByRole('dialog')
  const sender = `L${Date.now()}`
  await dialog.getByLabel('Sender').fill(sender)
  await dialog.getByLabel('Name', { exact: true }).fill('Second Capital Limited')
  await dialog.getByLabel('Address', { exact: true }).fill('ftp://lender.example')
  await dialog.getByLabel('Minimum loan (₹)').fill('10 thousand')
  await dialog.getByRole('button', { name: 'Add the partner' }).click()
  await dialog.getByText(/Minimum loan \(₹\) must be/).waitFor()
  await assertUsable(page, 'the form of a partner')
  await dialog.getByLabel('Minimum loan (₹)').fill('20000')
  await dialog.getByRole('button', { name: 'Add the partner' }).click()
  await dialog.getByText(/Address cannot be called/).waitFor()
  await dialog.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:9')
  await dialog.getByRole('button', { name: 'Add the partner' }).click()
  await dialog.getByText('we show them only once').waitFor()
  assert.equal(await dialog.getByText('Secret', { exact: true }).count(), 2, 'one for each direction')
  await assertUsable(page, 'the credentials of a partner')
  await dialog.getByRole('button', { name: 'I have copied them' }).click()

  await page.getByRole('link', { name: new RegExp(sender) }).click()
  await page.getByRole('heading', { name: 'Second Capital Limited' }).waitFor()
  await page.getByText('₹20,000', { exact: true }).waitFor()
  await assertUsable(page, 'a partner')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel('Annual interest rate (%)').fill('21.50')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('21.50%', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Replace the partner’s credentials' }).click()
  await dialog.getByRole('button', { name: 'Create a new credential' }).click()
  await dialog.getByRole('button', { name: 'I have copied them' }).click()
  await page.getByText(/valid until/).waitFor()
  await page.getByRole('button', { name: 'Switch on' }).click()
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await dialog.getByText('Journeys affected now:').waitFor()
  await dialog.getByText('Running loans: 0 journeys').waitFor()
  await dialog.getByLabel('Reason').fill('It lends to nobody yet.')
  await dialog.getByRole('button', { name: 'Switch off for all tenants' }).click()
  await page.getByText('It lends to nobody yet.').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await assertUsable(page, 'a partner at 390')
  assert.deepEqual(problems, [])
  await context.close()
})

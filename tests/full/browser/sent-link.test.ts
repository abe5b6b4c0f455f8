// The page behind a link that was sent, on a phone: a code by SMS from the sandbox, a wrong one, and the journey.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { languages } from '@lendloom/lending/language'
import { smsWorker } from '@lendloom/platform/src/sms/send-sms.ts'
import { smsKey } from '@lendloom/wire/sandbox/provider-settings'
import { newApplicant, openSession } from '#test/setup/borrower.ts'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { testDatabase } from '#test/setup/database.ts'
import { assertUsable } from '#test/setup/page.ts'
import { ask, testPlatform } from '#test/setup/platform.ts'
import { openSandbox } from '#test/setup/sandbox/open-sandbox.ts'

const sandbox = await openSandbox(() => testDatabase('sandbox'))
const { url, ctx, tenant } = await testPlatform({ SMS_URL: `${sandbox.url}/sms/messages`, SMS_API_KEY: smsKey })
const worker = smsWorker(ctx)
after(() => worker.stop())
const browser = await sharedBrowser()

for (const colorScheme of ['light', 'dark'] as const)
  test(`D1 §2.2: a link that was sent opens after the code from the phone (${colorScheme})`, async () => {
    const applicant = newApplicant()
    const number = applicant.profile.contactNumber
    const { body } = await openSession(url, tenant, { ...applicant, linkTtl: 'P1D' })
    const context = await openContext(browser, { viewport: { width: 390, height: 844 }, colorScheme })
    const page = await context.newPage()
    for (const language of colorScheme === 'light' ? languages : ['hi', 'en']) {
      await page.goto(`${body.link.url}?lang=${language}`)
      await assertUsable(page, `the page in ${language}`)
    }
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByText(`ending in ${number.slice(-2)}`).waitFor()
    await page.getByRole('button', { name: 'Send the code' }).click()
    const code = page.getByLabel('6-digit code')
    assert.equal(await code.evaluate('document.activeElement.id'), 'code')
    await assertUsable(page, 'the field of the code')

    const inbox = await context.newPage()
    await inbox.goto(`${sandbox.url}/sms?number=${number}`)
    const message = (await inbox.locator('.bubble').textContent()) ?? ''
    await assertUsable(inbox, 'the inbox')
    const sent = /\d{6}/.exec(message)?.[0] ?? ''

    await code.fill(sent === '123456' ? '654321' : '123456')
    await page.getByRole('button', { name: 'Open the page' }).click()
    await page.getByRole('alert').getByText('Tries left: 4').waitFor()
    await assertUsable(page, 'a wrong code')
    await page.getByRole('button', { name: 'Send a new code' }).click()
    await page.getByRole('status').getByText('You can ask for another code after').waitFor()
    await assertUsable(page, 'too early for another code')
    await code.fill(sent)
    await page.getByRole('button', { name: 'Open the page' }).click()
    await page.getByLabel('Full name, as on your PAN card').waitFor()

    await page.goto(body.link.url)
    await page.getByLabel('Full name, as on your PAN card').waitFor()
    await ask(`${url}/api/lab/links/${body.link.id}`, { method: 'DELETE', key: tenant.apiKey })
    await page.goto(body.link.url)
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await assertUsable(page, 'a revoked link')
    await context.close()
  })

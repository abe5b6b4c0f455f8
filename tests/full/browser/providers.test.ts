// The pages of the sandbox's KYC, mandate, e-sign and statement providers in a real browser.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pdfOf } from '@lendloom/documents/pdf'
import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { settings } from '@lendloom/platform/settings'
import { lendloomStatement } from '@lendloom/platform/src/providers/bank-statement/lendloom.ts'
import { lendloomEsign } from '@lendloom/platform/src/providers/esign/lendloom.ts'
import { lendloomKyc } from '@lendloom/platform/src/providers/kyc/lendloom.ts'
import { lendloomMandate } from '@lendloom/platform/src/providers/mandate/lendloom.ts'
import type { ProviderRequest, StartedRequest } from '@lendloom/platform/src/providers/ports.ts'
import { sandboxProviders } from '@lendloom/wire/sandbox/provider-settings'
import { assertAccessible } from '#test/setup/accessibility.ts'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { testDatabase } from '#test/setup/database.ts'
import { platformEnvironment } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { startReceiver } from '#test/setup/receiver.ts'
import { openSandbox } from '#test/setup/sandbox/open-sandbox.ts'

const browser = await sharedBrowser()
const receiver = await startReceiver()
after(() => receiver.stop())
receiver.answer = () => (response) => response.setHeader('content-type', 'text/html').end('<title>Back</title>back')
const sandbox = await openSandbox(() => testDatabase('sandbox'))
const environment = { ...platformEnvironment('postgres://unused', 1), ...sandboxProviders(sandbox.url) }
const programs = { config: configFrom(settings, environment), clock: () => new Date(), log: quietLog }

const startInput = (clientReference: string, digits: string): ProviderRequest => ({
  clientReference,
  person: { fullName: 'Asha Verma', pan: `ABCPV${digits}F`, dateOfBirth: '1991-04-17', mobile: '9876543210' },
  callbackUrl: receiver.url('/callback'),
  returnUrl: receiver.url('/back'),
})
const account = { holderName: 'Asha Verma', accountNumber: '50100123451234', ifsc: 'HDFC0001234' }
const pdf = await pdfOf({ title: 'Agreement', author: 'A lender', blocks: [], createdAt: new Date() })

interface Visit {
  name: string
  digits: string
  heading: string
  button: string
  /** The message after a failed first attempt, if the PAN digits select one. */
  firstFailure?: RegExp
  begin(startInput: ProviderRequest): Promise<StartedRequest>
  status(reference: string): Promise<string>
  endStatus: string
}

const visits: Visit[] = [
  {
    name: 'identity',
    digits: '9007',
    heading: 'Confirm your identity in a video call',
    button: 'Share my records and finish the call',
    firstFailure: /could not be confirmed this time/,
    begin: (startInput) => lendloomKyc.begin(programs, { ...startInput, mode: 'VIDEO_AND_MANUAL_REVIEW' }),
    status: async (reference) => (await lendloomKyc.fetch(programs, reference)).status,
    endStatus: 'APPROVED',
  },
  {
    name: 'mandate',
    digits: '1234',
    heading: 'Allow repayment from your account',
    button: 'Allow the debits',
    begin: (startInput) =>
      lendloomMandate.begin(programs, {
        ...startInput,
        account: { ...account, type: 'CURRENT' },
        maximumPaise: 6_000_00n,
        frequency: 'WEEKLY',
        validFrom: '2026-11-27',
        validUntil: '2036-11-27',
      }),
    status: async (reference) => (await lendloomMandate.fetch(programs, reference)).status,
    endStatus: 'ACTIVE',
  },
  {
    name: 'e-sign',
    digits: '1234',
    heading: 'Sign your agreement',
    button: 'Sign with the one-time password 123456',
    begin: (startInput) => lendloomEsign.begin(programs, { ...startInput, pdf, title: 'Agreement' }),
    status: async (reference) => (await lendloomEsign.fetch(programs, reference)).status,
    endStatus: 'COMPLETED',
  },
  {
    name: 'statement',
    digits: '1234',
    heading: 'Share your bank statement',
    button: 'Share my statement',
    begin: (startInput) =>
      lendloomStatement.begin(programs, {
        ...startInput,
        account: { ...account, accountType: 'CURRENT', bankName: 'HDFC Bank' },
      }),
    status: async (reference) => (await lendloomStatement.fetch(programs, reference)).status,
    endStatus: 'COMPLETED',
  },
]

for (const { name, digits, heading, button, firstFailure, begin, status, endStatus } of visits)
  test(`D3 §1.1: ${name}: the borrower completes the page and returns, and the server reports the status`, async () => {
    const context = await openContext(browser)
    const complaints: string[] = []
    context.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    const page = await context.newPage()
    const { reference, url } = await begin(startInput(name, digits))
    await page.goto(url)
    await page.getByRole('heading', { name: heading }).waitFor()
    await assertAccessible(page, `${name}: the page`)
    if (firstFailure) {
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('alert').filter({ hasText: firstFailure }).waitFor()
      await assertAccessible(page, `${name}: after a failed attempt`)
    }
    await page.getByRole('button', { name: button }).click()
    await page.waitForURL(receiver.url('/back'))
    await until(`${name} ${endStatus}`, async () => (await status(reference)) === endStatus)
    await page.goto(url)
    await page.getByRole('heading', { name: 'Received' }).waitFor()
    await assertAccessible(page, `${name}: reopened`)
    assert.deepEqual(complaints, [])
    await context.close()
  })

test('the sandbox’s front page lists the fault rules of providers and bank, and is accessible', async () => {
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.goto(sandbox.url)
  for (const summary of await page.locator('summary').all()) await summary.click()
  for (const digits of ['9111', '9131', '9155', '9311'])
    await page.getByRole('rowheader', { name: digits }).first().waitFor()
  await assertAccessible(page, 'the front page')
  await context.close()
})

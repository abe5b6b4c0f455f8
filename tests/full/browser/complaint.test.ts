// A complaint in a real browser, from the hosted page to its export, with answers by e-mail and escalation by time.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { mailer } from '@lendloom/mail/mail'
import { applyComplaintMail } from '@lendloom/platform/src/complaints/complaint/apply-mail.ts'
import { addEntry } from '@lendloom/platform/src/complaints/complaint/thread.ts'
import { incomingMailWorker } from '@lendloom/platform/src/mail/apply-mail.ts'
import { startIncomingMail } from '@lendloom/platform/src/mail/receive-mail.ts'
import { outgoingMailWorker } from '@lendloom/platform/src/mail/send-mail.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { newApplicant, openSession } from '#test/setup/borrower.ts'
import { sharedBrowser } from '#test/setup/browser.ts'
import { complaintSetup, complaintText } from '#test/setup/complaints.ts'
import { type ConsoleUser, consolePassword, consoleUser } from '#test/setup/console.ts'
import { openConsole, signIn } from '#test/setup/console-page.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { samplePdf } from '#test/setup/files.ts'
import { mailServer } from '#test/setup/mail-server.ts'
import { assertUsable, type OpenPage, openPage } from '#test/setup/page.ts'
import { until } from '#test/setup/programs.ts'

const outgoing = await mailServer()
const { platform, ctx, officer, advanceDays } = await complaintSetup({ SMTP_URL: outgoing.url, RATE_LIMITS: 'off' })
const incoming = await startIncomingMail(ctx, 0)
const workers = [outgoingMailWorker(ctx), incomingMailWorker(ctx, applyComplaintMail)]
after(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await incoming.stop()
})
const browser = await sharedBrowser()
const email = 'asha.kulkarni@mail.example'
const applicant = newApplicant()
const receipt = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: await samplePdf('500 rupees') }
const opening = { ...applicant, profile: { ...applicant.profile, personalemail: email, panName: 'Asha Kulkarni' } }

/** The borrower's mails as plain text, oldest first. */
const inbox = () => outgoing.mails.filter(({ to }) => to.includes(email)).map(({ text }) => plain(text))
const plain = (source: string): string =>
  source
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
const header = (source: string, name: string): string =>
  new RegExp(`^${name}: (.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(source)?.[1]?.replaceAll(/\s+/g, ' ').trim() ?? ''

/** Opens the hosted page with its section on help and complaints. */
async function openHelp(options: BrowserContextOptions = {}) {
  const { context, page, problems } = await openPage(browser, { viewport: { width: 390, height: 844 }, ...options })
  const { body } = await openSession(platform.url, platform.tenant, opening)
  await page.goto(body.embedUrl)
  await page.getByRole('button', { name: /Help and complaints|मदद और शिकायत/ }).click()
  return { page, context, problems, help: page.locator('.help') }
}

describe('D3 §1: a complaint in the browser, one story', { timeout: 3 * deadlineMs }, () => {
  let asha: Awaited<ReturnType<typeof openHelp>>
  let secondVisit: Awaited<ReturnType<typeof openHelp>>
  let desk: OpenPage
  let number: string

  test('D3 §1: a borrower complains on the page and gets the number by mail', async () => {
    asha = await openHelp()
    await asha.help.getByText('Neha Joshi').waitFor()
    await asha.help.getByRole('button', { name: 'Make a complaint' }).click()
    await asha.help.getByRole('button', { name: 'Send the complaint' }).click()
    await asha.help.getByText('Choose what it is about').waitFor()
    await asha.help.getByLabel('This page, or the app').check()
    await asha.help.getByLabel('What happened?').fill(complaintText)
    await asha.page.locator('.help input[type=file]').setInputFiles(receipt)
    await asha.help.getByText('receipt.pdf').waitFor()
    await assertUsable(asha.page, 'the form of a complaint')
    await asha.help.getByRole('button', { name: 'Send the complaint' }).click()
    number = (await asha.help.getByText(/Number GR-/).innerText()).replace(/.*(GR-[\w-]+).*/s, '$1')
    await assertUsable(asha.page, 'a complaint on the page')
    await until('the number arrives by mail', async () => inbox().some((text) => text.includes(number)))
  })

  test('D3 §1: an officer finds the complaint in the queue, on a phone too', async () => {
    desk = await openConsole(browser, `${platform.url}/console/complaints`)
    const { page } = desk
    await signIn(page, { email: officer.person.email, password: consolePassword })
    await page.getByRole('link', { name: new RegExp(number) }).waitFor()
    await assertUsable(page, 'the queue')
    await page.setViewportSize({ width: 390, height: 844 })
    const lines = await page.evaluate(
      '[...document.querySelectorAll(".due span")].map((part) => part.getClientRects().length).filter(Boolean)',
    )
    assert.deepEqual(lines, [1, 1], 'the remaining time and the due day are each on one line')
    await assertUsable(page, 'the queue on a phone')
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('D3 §1: the officer asks by e-mail, and the borrower’s reply is added to the complaint', async () => {
    const { page } = desk
    await page.getByRole('link', { name: new RegExp(number) }).click()
    await page.getByText(complaintText).waitFor()
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByLabel(/Template/).selectOption('ASK')
    const answer = page.getByLabel('To the borrower')
    await until('the template is filled in', async () => (await answer.inputValue()).includes('one thing'))
    await answer.fill('On which day was the charge taken, and what does the bank call it?')
    await page.getByRole('link', { name: /receipt\.pdf/ }).waitFor()
    await page.getByLabel('Attach a file').setInputFiles({ ...receipt, name: 'charges.pdf' })
    await page.getByRole('button', { name: /^Ask by email and on the page$/ }).click()
    await page.getByText('Waiting for borrower').first().waitFor()
    await page.getByRole('link', { name: /charges\.pdf/ }).waitFor()
    await until('the question is in the mailbox', async () => inbox().some((text) => text.includes('On which day')))
    await answerByMail('On the 18th, and the bank calls it ACH-DR.')
    await page.reload()
    await page.getByText('the bank calls it ACH-DR').waitFor()
    await page.getByText('In progress').first().waitFor()
    await page.getByText('Borrower replied').first().waitFor()
    await assertUsable(page, 'a complaint in the console')
    const key = { tenantId: platform.tenant.tenantId, complaintId: page.url().split('/').at(-1)! }
    const body = { text: 'The charge is the stamp duty, which the Key Facts Statement names on its first page.' }
    const lenderAnswer = { author: 'LENDER', kind: 'WORDS', body } as const
    await ctx.db.tx((tx) => addEntry({ ...ctx, tx, at: ctx.clock() }, key, lenderAnswer))
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await page.getByText(body.text).waitFor()
    await page.getByText('Lender has answered').waitFor()
    await assertUsable(page, 'a lender’s answer on a phone')
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('D3 §1: an officer’s draft stays when the payment for a cancellation arrives', async () => {
    const { page } = desk
    const exit = { payBy: '2026-12-31', payment: 'AWAITED', received: null, amount: '₹1,000', paidLateOn: null }
    const address = new RegExp(`/api/.*/complaints/${page.url().split('/').at(-1)}(\\?|$)`)
    await page.route(address, async (route) => {
      const response = await route.fetch()
      const complaint: { thread: object[] } = await response.json()
      const thread = complaint.thread.map((entry) => ({ ...entry, author: 'PLATFORM' }))
      await route.fulfill({ response, json: { ...complaint, thread, repliedAt: null, exit } })
    })
    await page.reload()
    await page.getByText('Answer or note').click()
    const answer = page.getByLabel('To the borrower')
    await answer.fill('We wait for the lender.')
    exit.payment = 'HELD'
    await page.getByText('arrived, held by the lender').waitFor()
    assert.equal(await answer.inputValue(), 'We wait for the lender.')
    await page.unroute(address)
    await page.reload()
  })

  test('D3 §1: the complaint escalates after its deadline, and the officer resolves it', async () => {
    const { page } = desk
    advanceDays(16)
    await until('the complaint is escalated', async () =>
      inbox().some((text) => /handles\s+it:\s+Arvind\s+Menon/.test(text)),
    )
    await page.goto(`${platform.url}/console/complaints?due=overdue`)
    await page.getByRole('link', { name: new RegExp(number) }).click()
    await page.getByText('Escalated to Arvind Menon: not resolved in time').waitFor()
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    await page.getByRole('button', { name: /^Resolve, by email/ }).click()
    await page.getByText('Write an answer to the borrower').waitFor()
    await page.getByLabel(/Template/).selectOption('UPHELD')
    const errors = page.locator('.composer .fault')
    await until('the error of the empty answer is gone', async () => (await errors.count()) === 0)
    await page.getByRole('button', { name: /^Resolve: upheld, by email/ }).click()
    await page.getByText('Complete the template after ":"').waitFor()
    await page.getByLabel(/Template/).selectOption('')
    await page.getByLabel('Outcome').selectOption('')
    await page.getByLabel('To the borrower').fill('You are right: the charge of 500 rupees was paid back today.')
    await page.getByRole('button', { name: /^Resolve, by email/ }).click()
    await page.locator('.fault', { hasText: 'Choose an outcome' }).waitFor()
    await page.getByLabel('Outcome').selectOption('UPHELD')
    await page.getByRole('button', { name: /^Resolve: upheld, by email/ }).click()
    await page.getByText('Upheld: the borrower is right.').waitFor()
  })

  test('D3 §1: the borrower confirms the resolution on the page, and the console shows it', async () => {
    secondVisit = await openHelp()
    await secondVisit.help.getByText('Are you satisfied with this answer?').waitFor()
    await secondVisit.help.getByText('On the 18th, and the bank calls it ACH-DR.').waitFor()
    await assertUsable(secondVisit.page, 'an answered complaint on the page')
    await secondVisit.help.getByRole('button', { name: 'Yes, it is settled' }).click()
    await secondVisit.help.getByRole('group').filter({ hasText: number }).waitFor()
    await desk.page.reload()
    await desk.page.getByText('The borrower is satisfied.').waitFor()
  })

  test('D3 §1: the complaint is exported with its thread, and the report has a total row', async () => {
    const { page } = desk
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('The ombudsman asked for the whole thread.')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export', exact: true }).click(),
    ])
    const exported = JSON.parse(readFileSync(await download.path(), 'utf8'))
    assert.equal(exported.complaint.number, number)
    assert.equal(exported.complaint.status, 'CLOSED')
    assert.equal(exported.complaint.outcome, 'UPHELD')
    assert.ok(exported.thread.some(({ text }: { text: string }) => text.includes('ACH-DR')))
    await page.goto(`${platform.url}/console/complaints/report`)
    await page.getByRole('row', { name: /Total/ }).waitFor()
    await assertUsable(page, 'the report')
    assert.deepEqual([...asha.problems, ...secondVisit.problems, ...desk.problems], [])
    await Promise.all([asha.context.close(), secondVisit.context.close(), desk.context.close()])
  })
})

/** The borrower replies to the latest mail. */
async function answerByMail(text: string): Promise<void> {
  const question = outgoing.mails.filter(({ to }) => to.includes(email)).at(-1)!.text
  const replyTo = header(question, 'Reply-To') || header(question, 'From')
  const send = mailer({ SMTP_URL: `smtp://127.0.0.1:${incoming.port}`, ALERT_FROM: `Asha <${email}>` })!
  await send({
    to: /<?([^<>\s]+\+[^<>\s]+@[^<>\s]+)>?$/.exec(replyTo)![1]!,
    subject: header(question, 'Subject'),
    text,
    inReplyTo: header(question, 'Message-ID'),
  })
}

test('the complaint form is in Hindi and fits a phone in dark mode', async () => {
  const asha = await openHelp({ locale: 'hi-IN', colorScheme: 'dark' })
  await asha.help.getByRole('button', { name: 'शिकायत करें' }).click()
  await asha.help.getByLabel('ब्याज या कोई शुल्क').check()
  await assertUsable(asha.page, 'the form in Hindi')
  assert.deepEqual(asha.problems, [])
  await asha.context.close()
})

test('DPDP §12: an officer requests the erasure of a borrower’s data, and an admin approves it', async () => {
  const person = newApplicant()
  await openSession(platform.url, platform.tenant, person)
  const [{ journeyId } = { journeyId: '' }] = await ctx.db<{ journeyId: string }>`
    select j.journey_id from journey j join borrower b using (borrower_id)
    where b.external_id = ${person.borrowerProviderID}`
  await ctx.db`update journey set active = false, status = 'NOT_OFFERED' where journey_id = ${journeyId}`
  const open = async (user: ConsoleUser, place: string) => {
    const opened = await openConsole(browser, `${platform.url}/console/${place}`)
    await signIn(opened.page, { email: user.person.email, password: consolePassword })
    return opened
  }
  const confirm = async (page: Page, title: string, button: string, fields: Record<string, string> = {}) => {
    const dialog = page.getByRole('dialog', { name: title })
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
    await assertUsable(page, title)
    await dialog.getByRole('button', { name: button, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const reason = 'asked for it in complaint GR-2611-7K3Q9'

  const desk = await open(officer, `journeys/${journeyId}`)
  await desk.page.getByRole('link', { name: 'Personal data' }).click()
  await desk.page.getByRole('button', { name: 'Place a legal hold' }).click()
  await confirm(desk.page, 'Place a legal hold', 'Place the hold', { Reason: 'case 2026/1234, High Court of Bombay' })
  await desk.page.getByRole('cell', { name: 'Not yet: a legal hold is in force' }).waitFor()
  await desk.page.getByText('case 2026/1234, High Court of Bombay').waitFor()
  await desk.page.getByRole('button', { name: 'Release' }).click()
  await confirm(desk.page, 'Release the legal hold', 'Release', { Reason: 'the case is closed' })
  await desk.page.getByRole('button', { name: 'Record a nominee' }).click()
  const nominee = { Name: 'Usha Rao', Relation: 'sister', Contact: 'usha@mail.example' }
  await confirm(desk.page, 'Record the nominee', 'Record', nominee)
  await desk.page.getByText(/^Recorded on/).waitFor()
  await desk.page.getByRole('button', { name: 'Export data' }).click()
  const [download] = await Promise.all([
    desk.page.waitForEvent('download'),
    confirm(desk.page, 'Export the borrower’s data', 'Export', { Reason: reason }),
  ])
  const exported = JSON.parse(readFileSync(await download.path(), 'utf8'))
  assert.equal(download.suggestedFilename(), `borrower-${exported.borrower.borrowerId}.json`)
  assert.deepEqual(exported.borrower.nominee, { name: 'Usha Rao', relation: 'sister', contact: 'usha@mail.example' })
  await desk.page.getByRole('button', { name: 'Request erasure' }).click()
  await confirm(desk.page, 'Request erasure', 'Request erasure', { Reason: reason })
  await desk.page.getByText('Another grievance officer or admin decides.').waitFor()
  assert.equal(await desk.page.getByRole('button', { name: 'Approve and erase' }).count(), 0)
  await assertUsable(desk.page, 'personal data')

  const second = await open(await consoleUser(platform, { role: 'admin' }), 'complaints/erasures?state=WAITING')
  const request = second.page.getByRole('row').filter({ hasText: reason }).getByRole('link')
  await request.waitFor()
  await assertUsable(second.page, 'requests for erasure')
  await request.click()
  await second.page.getByRole('button', { name: 'Approve and erase' }).click()
  await confirm(second.page, 'Erase this borrower’s data?', 'Approve and erase')
  await second.page.getByRole('heading', { name: 'Erased borrower' }).waitFor()
  await second.page.getByRole('cell', { name: /^Erased on/ }).waitFor()
  await assertUsable(second.page, 'erased data')
  await second.page.getByRole('link', { name: 'Journey', exact: true }).click()
  await second.page.getByText(/^Personal data erased on/).waitFor()
  await second.page.setViewportSize({ width: 390, height: 844 })
  await assertUsable(second.page, 'an erased journey on a phone')

  const operator = await open(await consoleUser(platform, { role: 'operator' }), `journeys/${journeyId}/personal-data`)
  await operator.page.getByRole('region', { name: 'Timeline' }).waitFor()
  assert.equal(await operator.page.getByRole('link', { name: 'Personal data' }).count(), 0)
  for (const { context, problems } of [desk, second, operator]) {
    assert.deepEqual(problems, [])
    await context.close()
  }
})

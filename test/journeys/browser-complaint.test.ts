// A complaint in a real browser, from the hosted page to its export, with answers by e-mail and escalation by time.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { mailer } from '#kit/runtime/mail.ts'
import { receiveComplaintMail } from '#platform/complaint/receive-mail.ts'
import { incomingMailWorker } from '#platform/mail/handle.ts'
import { startIncomingMail } from '#platform/mail/receive.ts'
import { outgoingMailWorker } from '#platform/mail/send.ts'
import { newApplicant, openSession } from '#test/setup/borrower.ts'
import { sharedBrowser } from '#test/setup/browser.ts'
import { complaintSetup, complaintText } from '#test/setup/complaints.ts'
import { consolePassword } from '#test/setup/console.ts'
import { openConsole, signIn } from '#test/setup/console-page.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { mailServer } from '#test/setup/mail-server.ts'
import { assertUsable, type OpenPage, openPage } from '#test/setup/page.ts'
import { until } from '#test/setup/programs.ts'

const outgoing = await mailServer()
const { platform, ctx, officer, advanceDays } = await complaintSetup({ SMTP_URL: outgoing.url, RATE_LIMITS: 'off' })
const incoming = await startIncomingMail(ctx, 0)
const workers = [outgoingMailWorker(ctx), incomingMailWorker(ctx, receiveComplaintMail)]
after(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await incoming.stop()
})
const browser = await sharedBrowser()
const email = 'asha.kulkarni@mail.example'
const applicant = newApplicant()
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
  return { page, context, problems, help: page.getByRole('region', { name: /Help and complaints|मदद और शिकायत/ }) }
}

describe('D3 §1: a complaint in the browser', { timeout: 3 * deadlineMs }, () => {
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
    await assertUsable(asha.page, 'the form of a complaint')
    await asha.help.getByRole('button', { name: 'Send the complaint' }).click()
    number = (await asha.help.getByText(/Number GR-/).innerText()).replace(/.*(GR-[\w-]+).*/s, '$1')
    await assertUsable(asha.page, 'a complaint on the page')
    await until('the number arrives by mail', async () => inbox().some((text) => text.includes(number)))
  })

  test('D3 §1: an officer finds the complaint in the queue, on a phone too', async () => {
    desk = await openConsole(browser, `${platform.url}/console/grievances`)
    const { page } = desk
    await signIn(page, { email: officer.person.email, password: consolePassword })
    await page.getByRole('link', { name: new RegExp(number) }).waitFor()
    await assertUsable(page, 'the queue')
    await page.setViewportSize({ width: 390, height: 844 })
    const lines = await page.evaluate(
      '[...document.querySelectorAll(".due span")].map((part) => part.getClientRects().length)',
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
    await page.getByRole('button', { name: /^Ask by email to a•••@/ }).click()
    await page.getByText('Waiting for borrower').first().waitFor()
    await until('the question is in the mailbox', async () => inbox().some((text) => text.includes('On which day')))
    await answerByMail('On the 18th, and the bank calls it ACH-DR.')
    await page.reload()
    await page.getByText('the bank calls it ACH-DR').waitFor()
    await page.getByText('In progress').first().waitFor()
    await page.getByText('Borrower replied').first().waitFor()
    await assertUsable(page, 'a complaint in the console')
  })

  test('D3 §1: the complaint escalates after its deadline, and the officer resolves it', async () => {
    const { page } = desk
    advanceDays(16)
    await until('the complaint is escalated', async () =>
      inbox().some((text) => /handles\s+it:\s+Arvind\s+Menon/.test(text)),
    )
    await page.goto(`${platform.url}/console/grievances?due=overdue`)
    await page.getByRole('link', { name: new RegExp(number) }).click()
    await page.getByText('Escalated to Arvind Menon: not resolved in time').waitFor()
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    await page.getByLabel('To the borrower').fill('You are right: the charge of 500 rupees was paid back today.')
    await page.getByRole('button', { name: /^Resolve, by email/ }).click()
    await page.getByText('Upheld: the borrower is right.').waitFor()
  })

  test('D3 §1: the borrower confirms the resolution on the page, and the console shows it', async () => {
    secondVisit = await openHelp()
    await secondVisit.help.getByText('Answered: is it settled?').waitFor()
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
    assert.deepEqual(
      [exported.complaint.number, exported.complaint.status, exported.complaint.outcome],
      [number, 'CLOSED', 'UPHELD'],
    )
    assert.ok(exported.thread.some(({ text }: { text: string }) => text.includes('ACH-DR')))
    await page.goto(`${platform.url}/console/grievances/report`)
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

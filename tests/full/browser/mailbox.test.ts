// The sandbox's mailbox in a real browser: read, answer and write mail.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { configFrom } from '@lendloom/foundation/config'
import { incomingMailWorker } from '@lendloom/platform/src/mail/apply-mail.ts'
import type { IncomingMail } from '@lendloom/platform/src/mail/incoming-mail.ts'
import { queueMail } from '@lendloom/platform/src/mail/queue-mail.ts'
import { startIncomingMail } from '@lendloom/platform/src/mail/receive-mail.ts'
import { outgoingMailWorker } from '@lendloom/platform/src/mail/send-mail.ts'
import { startSandbox } from '@lendloom/sandbox/program'
import { settings } from '@lendloom/sandbox/settings'
import { uuidv4 } from '@lendloom/seal/id'
import { newSealKey } from '@lendloom/seal/seal'
import { sharedBrowser } from '#test/setup/browser.ts'
import { testDatabase } from '#test/setup/database.ts'
import { samplePdf } from '#test/setup/files.ts'
import { assertUsable, openPage } from '#test/setup/page.ts'
import { freePort, testPlatform } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'

const ports = { web: await freePort(), smtp: await freePort() }
const handledMails: IncomingMail[] = []
const { ctx, tenant } = await testPlatform({ SMTP_URL: `smtp://127.0.0.1:${ports.smtp}` })
const listener = await startIncomingMail(ctx, 0)
const config = configFrom(settings, {
  SANDBOX_PORT: String(ports.web),
  SANDBOX_URL: `http://127.0.0.1:${ports.web}`,
  LOG_LEVEL: 'silent',
  SANDBOX_DATABASE_URL: await testDatabase('sandbox'),
  LENDLOOM_KEYS: newSealKey('s1'),
  SANDBOX_SMTP_PORT: String(ports.smtp),
  PLATFORM_MAIL_URL: `smtp://127.0.0.1:${listener.port}`,
})
const mailbox = `${config.SANDBOX_URL}/mailbox`
let sandbox = await startSandbox(config)
const workers = [
  outgoingMailWorker(ctx),
  incomingMailWorker(ctx, async (_within, mail) => void handledMails.push(mail)),
]
after(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await Promise.all([sandbox.stop(), listener.stop()])
})
const browser = await sharedBrowser()

const mailText = `Dear Asha,

we have your complaint C-1042 and look at the charge of ₹590 that you name. You hear from us until 28 November.

What we know so far: https://lendloom.example/complaints/c-1042.

Farah Khan
Grievance officer`

const queueComplaintMail = (changes: object = {}) =>
  ctx.db.tx((tx) =>
    queueMail(
      { ...ctx, tx, at: ctx.clock() },
      {
        tenantId: tenant.tenantId,
        kind: 'complaint',
        subjectId: uuidv4(),
        to: 'asha@mail.example',
        subject: 'Your complaint C-1042',
        text: mailText,
        replyTag: 'c-1042',
        inReplyTo: null,
        attachments: [],
        ...changes,
      },
    ),
  )

async function openMailbox(path: string, options: object = {}) {
  const opened = await openPage(browser, options, (message) => message.type() === 'error')
  await opened.page.goto(path)
  return opened
}

describe('the mailbox before and after a restart, one story', () => {
  test('an answer to the platform’s mail, with an attachment, arrives with its reply tag', async () => {
    const { page, context, problems } = await openMailbox(mailbox)
    const { messageId } = await queueComplaintMail()
    await queueComplaintMail({ to: 'ravi@pay.example', kind: 'invitation', subject: 'Your invitation', replyTag: null })
    const entry = page.getByRole('link', { name: /Your complaint C-1042/ })
    await entry.waitFor()
    await page.goto(`${mailbox}?address=Asha@mail.example`)
    assert.equal(await page.getByRole('navigation').getByRole('listitem').count(), 1)
    await entry.click()
    await page.getByRole('main').getByText('we have your complaint C-1042').waitFor()
    await page.getByLabel('Your answer').fill('The charge is still there.')
    const file = { name: 'statement.pdf', mimeType: 'application/pdf', buffer: await samplePdf('Statement') }
    await page.getByLabel('Attach a file').setInputFiles(file)
    await page.getByRole('button', { name: 'Send the answer' }).click()
    await page.getByText('The platform has accepted your mail').waitFor()
    const [answer] = await until('the mail is handled', () =>
      handledMails.length === 1 ? handledMails.splice(0) : undefined,
    )
    assert.equal(answer!.tag, 'c-1042')
    assert.equal(answer!.from, 'asha@mail.example')
    assert.equal(answer!.text, 'The charge is still there.')
    assert.equal(answer!.subject, 'Re: Your complaint C-1042')
    assert.equal(answer!.inReplyTo, messageId)
    assert.deepEqual(answer!.references, [messageId])
    assert.deepEqual(
      answer!.attachments.map(({ name, type, why }) => ({ name, type, why })),
      [{ name: 'statement.pdf', type: 'application/pdf', why: null }],
    )
    assert.deepEqual(problems, [])
    await context.close()
  })

  test('a mail to the platform may have any sender, and a rejected mail keeps the typed text', async () => {
    const { page, context } = await openMailbox(`${mailbox}?write=yes`)
    await page.getByLabel('From').fill('ravi@post.example')
    await page.getByLabel('Subject').fill('A charge that I do not know')
    await page.getByLabel('Text').fill('Please explain it.')
    await page.getByLabel('To', { exact: true }).fill('nobody@lendloom.example')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('no such mailbox').waitFor()
    assert.equal(await page.getByLabel('Text').inputValue(), 'Please explain it.')
    await page.getByLabel('To', { exact: true }).fill('grievance@lendloom.example')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('The platform has accepted your mail').waitFor()
    const [mail] = await until('the mail is handled', () =>
      handledMails.length === 1 ? handledMails.splice(0) : undefined,
    )
    assert.equal(mail!.tag, null)
    assert.equal(mail!.from, 'ravi@post.example')
    assert.equal(mail!.text, 'Please explain it.')
    await context.close()
  })

  test('mails survive a restart, and the mailbox is accessible on a phone and in dark mode', async () => {
    await sandbox.stop()
    sandbox = await startSandbox(config)
    const { items } = Object(await (await fetch(`${mailbox}/mails`)).json())
    assert.equal(items.length, 4)
    const mailWithFile = items.find((mail: { files: number }) => mail.files === 1)
    const first = items.at(-1)
    const fileResponse = await fetch(`${mailbox}/${mailWithFile.mailId}/files/0`)
    assert.equal(fileResponse.status, 200)
    assert.equal(fileResponse.headers.get('content-disposition'), "attachment; filename*=UTF-8''statement.pdf")
    assert.match(await (await fetch(`${mailbox}/${first.mailId}/raw`)).text(), /^Message-ID: /m)
    for (const [name, options] of [
      ['desktop light', { colorScheme: 'light' }],
      ['desktop dark', { colorScheme: 'dark' }],
      ['phone light', { viewport: { width: 390, height: 844 } }],
      ['phone dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
    ] as const) {
      const { page, context, problems } = await openMailbox(mailbox, options)
      await assertUsable(page, `${name} list`)
      await page.goto(`${mailbox}?mail=${first.mailId}`)
      await assertUsable(page, `${name} mail`)
      await page.goto(`${mailbox}?write=yes`)
      await assertUsable(page, `${name} write`)
      assert.deepEqual(problems, [], name)
      await context.close()
    }
  })
})

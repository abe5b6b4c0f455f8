// A platform with a movable clock for tests of complaints: borrowers on the page, officers in the console, mails in and
// out.

import { after } from 'node:test'
import { applyComplaintMail } from '@lendloom/platform/src/complaints/complaint/apply-mail.ts'
import { complaintClock } from '@lendloom/platform/src/complaints/complaint/deadline-jobs.ts'
import type { IncomingMail } from '@lendloom/platform/src/mail/incoming-mail.ts'
import type { MailContent } from '@lendloom/platform/src/mail/outgoing-mail.ts'
import { mailContentContext } from '@lendloom/platform/src/mail/queue-mail.ts'
import { uuidv7 } from '@lendloom/seal/id'
import { enter, newApplicant, openSession } from './borrower.ts'
import { consoleUser } from './console.ts'
import { ask, type Reply, testPlatform } from './platform.ts'

export const complaintText = 'A charge of 500 rupees was taken on 18 November that the offer did not show.'

export interface PageBorrower {
  journeyId: string
  email: string
  /** A request behind `/api/embed`. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Opens a complaint and returns it as the page shows it. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  complain(more?: object, files?: File[]): Promise<any>
}

export interface ReceivedMail extends Partial<Omit<IncomingMail, 'mailId' | 'receivedAt'>> {
  from: string
}

/** The form of a message with files, as the page and the console send it. */
export function messageForm(body: object, files: File[]): FormData {
  const form = new FormData()
  form.append('body', JSON.stringify(body))
  for (const file of files) form.append('files', file)
  return form
}

export async function complaintSetup(env: Record<string, string> = {}) {
  let offsetMs = 0
  const clock = () => new Date(Date.now() + offsetMs)
  const platform = await testPlatform(env, clock, () => new Date())
  const { ctx, url, tenant } = platform
  const officer = await consoleUser(platform, { role: 'grievance-officer', name: 'Farah Khan' })
  const clockWorker = complaintClock(ctx)
  after(() => clockWorker.stop())

  const borrowerAtPage = (journeyId: string, email: string, enterAgain: () => Promise<string>): PageBorrower => {
    let token: string | null = null
    let enteredAt: number = 0
    const call: PageBorrower['ask'] = async (method, path, body, headers = {}) => {
      if (token === null || enteredAt !== offsetMs) {
        token = await enterAgain()
        enteredAt = offsetMs
      }
      return ask(`${url}/api/embed${path}`, { method, key: token, body, headers })
    }
    return {
      journeyId,
      email,
      ask: call,
      async complain(more = {}, files = []) {
        const complaint = { category: 'APP', text: complaintText, language: 'en', ...more }
        const { status, body } = await call('POST', '/complaints', messageForm(complaint, files))
        if (status !== 200) throw new Error(JSON.stringify(body))
        return body.complaints.items[0]
      },
    }
  }

  return {
    platform,
    ctx,
    officer,
    tenant,
    clock,
    /** Advances the clock by days and wakes the workers. */
    advanceDays(days: number): void {
      offsetMs += days * 86_400_000
      ctx.db.wakeAll()
    },
    /** Creates a borrower at the page with a known e-mail address. */
    async borrower(owner = tenant): Promise<PageBorrower> {
      const email = `borrower-${uuidv7()}@mail.example`
      const person = newApplicant()
      const opening = { ...person, profile: { ...person.profile, personalemail: email } }
      const enterAgain = async () => enter(url, (await openSession(url, owner, opening)).body.embedUrl)
      const { journeyId } = await enterAgain()
      return borrowerAtPage(journeyId, email, async () => (await enterAgain()).sessionToken)
    },
    /** Returns every mail about a complaint, decrypted, oldest first. */
    async mails(complaintId: string): Promise<(MailContent & { messageId: string })[]> {
      const rows = await ctx.db<{ tenantId: string; mailId: string; contentSealed: Buffer; messageId: string }>`
        select tenant_id, mail_id, content_sealed, message_id from mail_out where subject_id = ${complaintId} order by mail_id`
      return rows.map((row) => ({
        ...ctx.seal.openJson<MailContent>(row.contentSealed, mailContentContext(row)),
        messageId: row.messageId,
      }))
    },
    /** Receives a mail in its own transaction, as the mail module hands it over. */
    async receiveMail(mail: ReceivedMail): Promise<void> {
      const at = clock()
      const incomingMail = {
        tag: null,
        fromName: null,
        subject: 'A complaint',
        text: complaintText,
        messageId: `<${uuidv7()}@mail.example>`,
        inReplyTo: null,
        references: [],
        isAutomatic: false,
        refusesAnswer: false,
        attachments: [],
        mailId: uuidv7(),
        receivedAt: at,
        wholeText: mail.text ?? complaintText,
        ...mail,
      }
      await ctx.db.tx((tx) => applyComplaintMail({ ...ctx, tx, at }, incomingMail))
    },
    /** Returns the complaint as the officer sees it. */
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
    async officerView(complaintId: string): Promise<any> {
      const { status, body } = await officer.ask('GET', `/complaints/${complaintId}`)
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body
    },
  }
}

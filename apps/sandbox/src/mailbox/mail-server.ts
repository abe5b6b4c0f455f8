// The mail server of the sandbox: accepts mail for any recipient, and sends mail from any sender.

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { type Mail, MailRejection, mailer, rawMessage } from '@lendloom/mail/mail'
import { readForDisplay } from '@lendloom/mail/mail-read'
import { listenForMail, type MailServer } from '@lendloom/mail/mail-server'
import { uuidv4, uuidv7 } from '@lendloom/seal/id'
import type { Context } from '#sandbox/core/context.ts'
import { answerSubject, headOf, type OpenMail, quotationOf } from './mail.ts'
import { insertMail } from './store.ts'

/** The size that most mail providers accept. */
const maxMailBytes = 25 << 20

export type MailboxContext = Pick<Context, 'db' | 'clock' | 'log' | 'seal' | 'url'> & { mailbox: MailboxSettings }

interface MailboxSettings {
  /** The SMTP URL of the platform's mail server, or `none`. */
  platform: string
  /** The platform's address for complaints. */
  grievances: string
}

/** Listens for mail and stores each; no recipient is unknown. */
export const startMailServer = (ctx: MailboxContext, host: string, port: number): Promise<MailServer> =>
  listenForMail({
    host,
    port,
    protocol: 'smtp',
    name: 'mailbox.sandbox.example',
    maxBytes: maxMailBytes,
    log: ctx.log,
    isOurs: () => true,
    store: ({ from, to, raw }) => storeMail(ctx, { from, to, raw, isSent: false }),
  })

interface StoredMail {
  from: string | null
  to: string[]
  raw: Buffer
  isSent: boolean
}

async function storeMail({ db, seal, clock }: MailboxContext, { from, to, raw, isSent }: StoredMail): Promise<void> {
  const at = clock()
  const head = headOf(await readForDisplay(raw), from, to)
  // The id contains the real time, so that the newest mail is first even when the clock was moved.
  await db.tx((tx) => insertMail(tx, seal, { mailId: uuidv7(), isSent, head, raw, at }))
}

/** A mail that a tester writes in the mailbox. */
export interface MailDraft {
  from: string
  to: string
  subject: string
  text: string
  file: { filename: string; contentType: string; content: Buffer } | null
}

const addressPattern = /^[^\s@<>(),;:"\\[\]]{1,64}@[^\s@<>(),;:"\\[\]]{1,190}$/

/**
 * Sends a mail to the platform and stores a copy. Throws `invalid`, naming the field, or `upstream` with the platform's
 * answer if the platform does not accept the mail.
 */
export async function sendMail(ctx: MailboxContext, draft: MailDraft, original: OpenMail | null): Promise<void> {
  const { from, to, subject, text, file } = draft
  if (!addressPattern.test(from)) throw invalid({ path: 'from', message: 'must be an e-mail address' })
  if (!addressPattern.test(to)) throw invalid({ path: 'to', message: 'must be an e-mail address' })
  if (text.trim() === '') throw invalid({ path: 'text', message: 'must not be empty' })
  const send = mailer({ SMTP_URL: ctx.mailbox.platform, ALERT_FROM: from })
  if (!send) throw new Refusal('upstream', 'the platform does not accept mail (MAIL_IN_PORT)')
  const messageId = `<${uuidv4()}@${from.split('@')[1]}>`
  const mail: Mail = {
    from,
    to,
    subject: subject.replace(/[\r\n]+/g, ' ').trim() || 'No subject',
    text,
    messageId,
    ...(file && { attachments: [file] }),
    ...(original && replyFields(original, text)),
  }
  const raw = await rawMessage(mail)
  try {
    await send(mail)
  } catch (error) {
    if (!(error instanceof MailRejection)) throw error
    throw new Refusal('upstream', `the platform did not accept the mail: ${error.message}`)
  }
  await storeMail(ctx, { from, to: [to], raw, isSent: true })
}

const replyFields = (original: OpenMail, text: string): Partial<Mail> => {
  const { messageId, references, subject } = original.content
  return {
    subject: answerSubject(subject),
    text: `${text.trim()}\n\n${quotationOf(original)}`,
    ...(messageId !== null && { inReplyTo: messageId, references: [...references, messageId] }),
  }
}

export const replyAddresses = ({ content, from, to, isSent }: OpenMail): Pick<MailDraft, 'from' | 'to'> =>
  isSent ? { from, to: to[0] ?? '' } : { from: to[0] ?? '', to: content.replyTo ?? content.from ?? from }

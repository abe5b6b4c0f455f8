// The mail server of the sandbox: takes every mail for whomever, and sends in the name of anybody.
import { uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { listenForMail, type MailServer } from '#kit/messaging/mail-server.ts'
import { type Mail, MailRejection, mailer, rawMessage } from '#kit/runtime/mail.ts'
import { readForDisplay } from '#kit/runtime/mail-read.ts'
import type { Context } from '#sandbox/core/context.ts'
import { answerSubject, headOf, type OpenMail, quoted } from './mail.ts'
import { insertMail } from './store.ts'

const largestMail = 25 << 20

export type MailboxContext = Pick<Context, 'db' | 'clock' | 'log' | 'seal'> & { mailbox: MailboxSettings }

interface MailboxSettings {
  /** Where the platform takes in mail, as an SMTP URL; none where it does not. */
  platform: string
  /** Whom one writes to there. */
  grievances: string
}

export const takeInMail = (ctx: MailboxContext, host: string, port: number): Promise<MailServer> =>
  listenForMail({
    ...{ host, port, protocol: 'smtp', name: 'mailbox.sandbox.example', maxBytes: largestMail, log: ctx.log },
    isOurs: () => true,
    store: ({ from, to, raw }) => keep(ctx, { from, to, raw, isSent: false }),
  })

interface StoredMail {
  from: string | null
  to: string[]
  raw: Buffer
  isSent: boolean
}

/** Keeps a mail, received or sent. */
async function keep({ db, seal, clock }: MailboxContext, { from, to, raw, isSent }: StoredMail): Promise<void> {
  const at = clock()
  const head = headOf(await readForDisplay(raw), from, to)
  // The id has the real time, so that the newest is first even when the clock was moved.
  await db.tx((tx) => insertMail(tx, seal, { mailId: uuidv7(), isSent, head, raw, at }))
}

/** Sends from the mailbox to the platform, in the name of anybody, and keeps what was sent. */
export interface MailDraft {
  from: string
  to: string
  subject: string
  text: string
  file: { filename: string; contentType: string; content: Buffer } | null
}

const address = /^[^\s@<>(),;:"\\[\]]{1,64}@[^\s@<>(),;:"\\[\]]{1,190}$/

/** Refused: `invalid`, naming the field · `upstream` when the platform does not take it, with its answer. */
export async function sendMail(ctx: MailboxContext, written: MailDraft, answered: OpenMail | null): Promise<void> {
  const { from, to, subject, text, file } = written
  if (!address.test(from)) throw invalid({ path: 'from', message: 'must be an e-mail address' })
  if (!address.test(to)) throw invalid({ path: 'to', message: 'must be an e-mail address' })
  if (text.trim() === '') throw invalid({ path: 'text', message: 'must not be empty' })
  const send = mailer({ SMTP_URL: ctx.mailbox.platform, ALERT_FROM: from })
  if (!send) throw new Refusal('upstream', 'the platform does not accept mail (MAIL_IN_PORT)')
  const messageId = `<${uuidv4()}@${from.split('@')[1]}>`
  const mail: Mail = {
    ...{ from, to, subject: subject.replace(/[\r\n]+/g, ' ').trim() || 'No subject', text, messageId },
    ...(file && { attachments: [file] }),
    ...(answered && answering(answered, text)),
  }
  const raw = await rawMessage(mail)
  try {
    await send(mail)
  } catch (error) {
    if (!(error instanceof MailRejection)) throw error
    throw new Refusal('upstream', `the platform did not accept it: ${error.message}`)
  }
  await keep(ctx, { from, to: [to], raw, isSent: true })
}

const answering = (answered: OpenMail, text: string): Partial<Mail> => {
  const { messageId, references, subject } = answered.read
  return {
    subject: answerSubject(subject),
    text: `${text.trim()}\n\n${quoted(answered)}`,
    ...(messageId !== null && { inReplyTo: messageId, references: [...references, messageId] }),
  }
}

/** Who answers a mail, and whom: the other way round. */
export const sidesOf = ({ read, from, to, isSent }: OpenMail): Pick<MailDraft, 'from' | 'to'> =>
  isSent ? { from, to: to[0] ?? '' } : { from: to[0] ?? '', to: read.replyTo ?? read.from ?? from }

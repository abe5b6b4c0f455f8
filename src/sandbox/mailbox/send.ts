// Sends from the mailbox to the platform, in the name of anybody, and keeps what was sent.

import { uuidv4 } from '#kit/crypto/id.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { type Mail, mailer, NotTaken, rawMessage } from '#kit/runtime/mail.ts'
import { answerSubject, type OpenMail, quoted } from './mail.ts'
import { keep, type MailboxContext } from './receive.ts'

export interface Written {
  from: string
  to: string
  subject: string
  text: string
  file: { filename: string; contentType: string; content: Buffer } | null
}

const address = /^[^\s@<>(),;:"\\[\]]{1,64}@[^\s@<>(),;:"\\[\]]{1,190}$/

/** Refused: `invalid`, naming the field · `upstream` when the platform does not take it, with its answer. */
export async function sendMail(ctx: MailboxContext, written: Written, answered: OpenMail | null): Promise<void> {
  const { from, to, subject, text, file } = written
  if (!address.test(from)) throw invalid({ path: 'from', message: 'must be an e-mail address' })
  if (!address.test(to)) throw invalid({ path: 'to', message: 'must be an e-mail address' })
  if (text.trim() === '') throw invalid({ path: 'text', message: 'must not be empty' })
  const send = mailer({ SMTP_URL: ctx.mailbox.platform, ALERT_FROM: from })
  if (!send) throw new Refusal('upstream', 'the platform takes in no mail (MAIL_IN_PORT)')
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
    if (!(error instanceof NotTaken)) throw error
    throw new Refusal('upstream', `the platform did not take it: ${error.message}`)
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
export const sidesOf = ({ read, from, to, isSent }: OpenMail): Pick<Written, 'from' | 'to'> =>
  isSent ? { from, to: to[0] ?? '' } : { from: to[0] ?? '', to: read.replyTo ?? read.from ?? from }

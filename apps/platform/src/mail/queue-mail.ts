// Queues mail in the caller's transaction, and retries failed mail. A worker sends the mail after the commit.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { enqueue, makeDueNow } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import {
  checkMail,
  type MailContent,
  type MailKind,
  type OutgoingMail,
  type QueuedMail,
  type SentMail,
} from './outgoing-mail.ts'
import { insertMail, listAbout, type MailKey, makeMailDue, queueFailedMailAgain } from './store.ts'

export const mailQueue = 'mail'

export interface MailJob {
  mailId: string
}

export const mailContentContext = ({ tenantId, mailId }: MailKey): string => `mail_out:${tenantId}:${mailId}`

/** Queues a mail, which is sent only if the caller's transaction commits. Throws a RangeError for invalid content. */
export async function queueMail(
  ctx: Write & { seal: Seal; config: { MAIL_DOMAIN: string } },
  mail: OutgoingMail,
): Promise<QueuedMail> {
  const { tx, at, seal, config } = ctx
  const { tenantId, kind, subjectId, to, subject, text, replyTag, inReplyTo, attachments } = mail
  const content: MailContent = { to, subject, text, replyTag, inReplyTo, attachments }
  checkMail(content)
  const key = { tenantId, mailId: uuidv7(at.getTime()) }
  const messageId = `<${key.mailId}@${config.MAIL_DOMAIN}>`
  const contentSealed = seal.json(content, mailContentContext(key))
  await insertMail(tx, { ...key, kind, subjectId, messageId, contentSealed, createdAt: at })
  await enqueueMail(tx, key, at)
  return { mailId: key.mailId, messageId }
}

const enqueueMail = (tx: Tx, { tenantId, mailId }: MailKey, at: Date): Promise<void> =>
  enqueue(tx, { tenantId, kind: mailQueue, key: mailId, payload: { mailId } satisfies MailJob, dueAt: at })

/** Lists the mails about a subject, oldest first. */
export const listMailsAbout = (db: Run, tenantId: string, kind: MailKind, subjectId: string): Promise<SentMail[]> =>
  listAbout(db, { tenantId, kind, subjectId })

/**
 * Retries a failed or queued mail now, with the same Message-ID. Throws `wrong-state` if the mail was sent or an attempt
 * is in progress.
 */
export async function resendMail({ tx, at }: Write, key: MailKey): Promise<void> {
  if (await queueFailedMailAgain(tx, key, at)) return enqueueMail(tx, key, at)
  if (!(await makeMailDue(tx, key, at)))
    throw new Refusal('wrong-state', 'this mail was sent, or an attempt is in progress')
  await makeDueNow(tx, { tenantId: key.tenantId, kind: mailQueue, key: key.mailId }, at)
}

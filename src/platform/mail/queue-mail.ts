// Mail is queued in the transaction of what it is about, and sent by a worker after the commit; what was given up is
// sent again.

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { enqueue, makeDueNow } from '#kit/messaging/queue.ts'
import {
  checkMail,
  type MailContent,
  type MailKind,
  type OutgoingMail,
  type QueuedMail,
  type SentMail,
} from './mail.ts'
import { bringForward, insertMail, listAbout, type MailKey, requeue } from './store.ts'

/** The queue of mail that waits to be sent. */
export const mailQueue = 'mail'

export interface MailJob {
  mailId: string
}

export const mailContentContext = ({ tenantId, mailId }: MailKey): string => `mail_out:${tenantId}:${mailId}`

/**
 * Queues a mail in the caller's transaction: it is sent when, and only when, that commits. Throws a RangeError for what
 * no
 * mail may hold (`checkMail`).
 */
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

/** Every mail about something, the oldest first. */
export const mailsAbout = (db: Run, tenantId: string, kind: MailKind, subjectId: string): Promise<SentMail[]> =>
  listAbout(db, { tenantId, kind, subjectId })

/**
 * Tries a mail at once that was given up or waits for its next try, under the Message-ID that it had. Refused as
 * `wrong-state`
 * when it was sent, or is being tried now.
 */
export async function sendAgain({ tx, at }: Write, key: MailKey): Promise<void> {
  if (await requeue(tx, key, at)) return enqueueMail(tx, key, at)
  if (!(await bringForward(tx, key, at)))
    throw new Refusal('wrong-state', 'this mail was sent, or is being tried at this moment')
  await makeDueNow(tx, { tenantId: key.tenantId, kind: mailQueue, key: key.mailId }, at)
}

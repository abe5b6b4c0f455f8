// A stored incoming mail: its raw bytes, and its return to the queue after it was set aside.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'
import { enqueue, noTenantId } from '@lendloom/queue/queue'
import type { Context, TxContext } from '#platform/context.ts'
import { incomingMailQueue, type MailEnvelope, mailPartContext } from './receive-mail.ts'
import { changeRecipient, findReceivedMail, reopenSetAsideMail, type StoredMail } from './store.ts'

export interface IncomingMailJob {
  mailId: string
}

/**
 * Queues a set-aside mail again. A `tag` replaces the tag of the recipient address. Throws `absent` for an unknown id,
 * and `wrong-state` if the mail was not set aside.
 */
export async function retryIncomingMail(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  mailId: string,
  tag: string | null = null,
): Promise<void> {
  const row = await requireStoredMail(tx, mailId)
  if (tag !== null) {
    const envelope = seal.openJson<MailEnvelope>(row.envelopeSealed, mailPartContext('envelope', row))
    await changeRecipient(
      tx,
      row,
      seal.json({ ...envelope, tag } satisfies MailEnvelope, mailPartContext('envelope', row)),
    )
  }
  if (!(await reopenSetAsideMail(tx, row))) throw new Refusal('wrong-state', 'this mail was not set aside')
  await enqueue(tx, {
    tenantId: noTenantId,
    kind: incomingMailQueue,
    payload: { mailId } satisfies IncomingMailJob,
    dueAt: at,
  })
}

/** Returns the raw bytes of a mail. Throws `absent` for an unknown id. */
export async function rawMail({ db, seal }: Pick<Context, 'seal'> & { db: Run }, mailId: string): Promise<Buffer> {
  const row = await requireStoredMail(db, mailId)
  return seal.open(row.messageSealed, mailPartContext('message', row))
}

async function requireStoredMail(db: Run, mailId: string): Promise<StoredMail> {
  const row = await findReceivedMail(db, { tenantId: noTenantId, mailId })
  if (!row) throw new Refusal('absent', 'there is no such mail')
  return row
}

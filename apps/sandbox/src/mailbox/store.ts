// The table mailbox_mail: the newest mails that the sandbox received or sent, sealed.

import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { HeadContent, MailHead } from './mail.ts'

/** The oldest mails beyond this number are deleted. */
const maxMails = 2000

const sealContext = (part: 'head' | 'message', mailId: string): string => `mailbox_mail.${part}/${mailId}`
const addressDigest = (seal: Seal, address: string): Buffer =>
  seal.digest(address.trim().toLowerCase(), 'mailbox address')

export interface NewMail {
  mailId: string
  isSent: boolean
  head: HeadContent
  raw: Buffer
  at: Date
}

/** Stores a mail, and deletes the oldest ones. */
export async function insertMail(tx: Tx, seal: Seal, { mailId, isSent, head, raw, at }: NewMail): Promise<void> {
  const addressDigests = [...new Set([head.from, ...head.to])].map((address) => addressDigest(seal, address))
  await tx`
    insert into mailbox_mail ${tx({
      mailId,
      isSent,
      addressDigests,
      headSealed: seal.json(head, sealContext('head', mailId)),
      messageSealed: seal.bytes(raw, sealContext('message', mailId)),
      at,
    })}`
  await tx`
    delete from mailbox_mail
    where mail_id <= (select mail_id from mailbox_mail order by mail_id desc offset ${maxMails} limit 1)`
}

interface HeadRow {
  mailId: string
  isSent: boolean
  headSealed: Buffer
  at: Date
}

const headOf = (seal: Seal, { headSealed, ...row }: HeadRow): MailHead => ({
  ...row,
  ...seal.openJson<HeadContent>(headSealed, sealContext('head', row.mailId)),
})

export interface MailFilter {
  address: string | null
  /** Only mails older than this one. */
  before: string | null
  limit: number
}

/** Returns the newest mails, optionally only from or to one address. */
export async function listMails(db: Run, seal: Seal, { address, before, limit }: MailFilter): Promise<MailHead[]> {
  const digest = address === null ? null : addressDigest(seal, address)
  const rows = await db<HeadRow>`
    select mail_id, is_sent, head_sealed, at from mailbox_mail
    where (${digest}::bytea is null or ${digest}::bytea = any(address_digests))
      and (${before}::uuid is null or mail_id < ${before}::uuid)
    order by mail_id desc limit ${limit}`
  return rows.map((row) => headOf(seal, row))
}

/** Returns a mail with its original bytes. */
export async function findMail(
  db: Run,
  seal: Seal,
  mailId: string,
): Promise<{ head: MailHead; raw: Buffer } | undefined> {
  const [row] = await db<HeadRow & { messageSealed: Buffer }>`
    select mail_id, is_sent, head_sealed, message_sealed, at from mailbox_mail where mail_id = ${mailId}`
  if (!row) return undefined
  const { messageSealed, ...rest } = row
  return { head: headOf(seal, rest), raw: seal.open(messageSealed, sealContext('message', mailId)) }
}

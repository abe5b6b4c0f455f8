// Store of mail_out, mail_in and mail_file.
import { oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { MailKind, SentMail } from './outgoing-mail.ts'

export interface MailKey {
  tenantId: string
  mailId: string
}

export interface MailRow extends MailKey {
  kind: MailKind
  subjectId: string
  messageId: string
  contentSealed: Buffer
  createdAt: Date
}

export async function insertMail(tx: Tx, mail: MailRow): Promise<void> {
  await tx`insert into mail_out ${tx({ ...mail, state: 'QUEUED', nextTryAt: mail.createdAt })}`
}

export async function findQueued(db: Run, { tenantId, mailId }: MailKey): Promise<MailRow | undefined> {
  const [row] = await db<MailRow>`
    select tenant_id, mail_id, kind, subject_id, message_id, content_sealed, created_at
    from mail_out where tenant_id = ${tenantId} and mail_id = ${mailId} and state = 'QUEUED'`
  return row
}

/** The contents of mails of any tenant, by their ids. */
export const findMailContents = (
  db: Run,
  mailIds: string[],
): Promise<Pick<MailRow, 'tenantId' | 'mailId' | 'contentSealed'>[]> => db<MailRow>`
  select tenant_id, mail_id, content_sealed from mail_out where mail_id = any(${mailIds}::uuid[])`

export interface SendResult {
  state: 'QUEUED' | 'SENT' | 'FAILED'
  answer: string
  at: Date
  nextTryAt: Date | null
}

export async function recordTry(tx: Run, { tenantId, mailId }: MailKey, result: SendResult): Promise<void> {
  const { state, answer, at, nextTryAt } = result
  await tx`
    update mail_out set state = ${state}, tries = tries + 1, answer = ${answer}, next_try_at = ${nextTryAt},
      settled_at = ${state === 'QUEUED' ? null : at}
    where tenant_id = ${tenantId} and mail_id = ${mailId} and state = 'QUEUED'`
}

/** Queues a failed mail again. Returns false if the mail is not FAILED. */
export async function queueFailedMailAgain(tx: Tx, { tenantId, mailId }: MailKey, at: Date): Promise<boolean> {
  const rows = await tx`
    update mail_out set state = 'QUEUED', next_try_at = ${at}, settled_at = null
    where tenant_id = ${tenantId} and mail_id = ${mailId} and state = 'FAILED' returning 1`
  return rows.length > 0
}

/** Makes a queued mail due now. Returns false if the mail is not waiting for a retry. */
export async function makeMailDue(tx: Tx, { tenantId, mailId }: MailKey, at: Date): Promise<boolean> {
  const rows = await tx`
    update mail_out set next_try_at = ${at}
    where tenant_id = ${tenantId} and mail_id = ${mailId} and state = 'QUEUED' and next_try_at > ${at} returning 1`
  return rows.length > 0
}

const sentColumns = sql`tenant_id, mail_id, kind, subject_id, message_id, state, tries, next_try_at, answer, created_at, settled_at`

/** Lists the mails about a subject, oldest first. */
export const listAbout = (db: Run, { tenantId, kind, subjectId }: MailSubject): Promise<SentMail[]> =>
  db<SentMail>`
    select ${sentColumns} from mail_out
    where tenant_id = ${tenantId} and kind = ${kind} and subject_id = ${subjectId} order by mail_id limit 500`

type MailSubject = Pick<SentMail, 'tenantId' | 'kind' | 'subjectId'>

export interface MailFileRow {
  tenantId: string
  fileId: string
  contentSealed: Buffer
  sizeBytes: number
  createdAt: Date
}

export async function insertFile(tx: Tx, file: MailFileRow): Promise<void> {
  await tx`insert into mail_file ${tx({ ...file })}`
}

export async function findFile(
  db: Run,
  { tenantId, fileId }: Pick<MailFileRow, 'tenantId' | 'fileId'>,
): Promise<Pick<MailFileRow, 'contentSealed'> | undefined> {
  const [row] = await db<Pick<MailFileRow, 'contentSealed'>>`
    select content_sealed from mail_file where tenant_id = ${tenantId} and file_id = ${fileId}`
  return row
}

/** Digests of the values that the limits for incoming mail count. */
export interface LimitDigests {
  senderDigest: Buffer | null
  addressDigest: Buffer | null
  threadDigest: Buffer | null
}

export interface ReceivedMailRow extends MailKey, Partial<LimitDigests> {
  digest: Buffer
  envelopeSealed: Buffer
  messageSealed: Buffer
  sizeBytes: number
  receivedAt: Date
}

/** Stores a received mail. Returns false if the mail already exists. */
export async function insertReceivedMail(tx: Tx, row: ReceivedMailRow): Promise<boolean> {
  const rows = await tx`
    insert into mail_in ${tx({ ...row, state: 'RECEIVED' })} on conflict (tenant_id, digest) do nothing returning 1`
  return rows.length > 0
}

/** Counts mails between two instants from the same sender, to the same address and in the same thread. */
export async function countReceivedMails(
  db: Run,
  tenantId: string,
  { since, until, senderDigest, addressDigest, threadDigest }: LimitDigests & { since: Date; until: Date },
): Promise<{ sender: number; address: number; thread: number }> {
  const recent = sql`from mail_in where tenant_id = ${tenantId} and received_at > ${since} and received_at < ${until}`
  const rows = await db<{ sender: number; address: number; thread: number }>`
    select (select count(*)::integer ${recent} and sender_digest = ${senderDigest}) as sender,
      (select count(*)::integer ${recent} and address_digest = ${addressDigest}) as address,
      (select count(*)::integer ${recent} and thread_digest = ${threadDigest}) as thread`
  return oneRow(rows)
}

export type StoredMail = Pick<
  ReceivedMailRow,
  'tenantId' | 'mailId' | 'envelopeSealed' | 'messageSealed' | 'receivedAt'
>

export async function findReceivedMail(
  db: Run,
  { tenantId, mailId }: MailKey,
): Promise<(StoredMail & { state: 'RECEIVED' | 'HANDLED' | 'SET_ASIDE' }) | undefined> {
  const [row] = await db<StoredMail & { state: 'RECEIVED' | 'HANDLED' | 'SET_ASIDE' }>`
    select tenant_id, mail_id, envelope_sealed, message_sealed, received_at, state
    from mail_in where tenant_id = ${tenantId} and mail_id = ${mailId}`
  return row
}

/** Returns when the oldest unhandled mail arrived; null if all mail is handled or set aside. */
export async function oldestUnhandledAt(db: Run): Promise<Date | null> {
  const rows = await db<{ at: Date | null }>`select min(received_at) as at from mail_in where state = 'RECEIVED'`
  return oneRow(rows).at
}

/** Marks a received mail as handled, or as set aside with a reason. */
export async function finishReceivedMail(
  tx: Tx,
  { tenantId, mailId }: MailKey,
  why: string | null,
  at: Date,
): Promise<void> {
  await tx`
    update mail_in set state = ${why === null ? 'HANDLED' : 'SET_ASIDE'}, why = ${why}, settled_at = ${at}
    where tenant_id = ${tenantId} and mail_id = ${mailId} and state = 'RECEIVED'`
}

/** Sets a set-aside mail back to RECEIVED. Returns false if the mail was not set aside. */
export async function reopenSetAsideMail(tx: Tx, { tenantId, mailId }: MailKey): Promise<boolean> {
  const rows = await tx`
    update mail_in set state = 'RECEIVED', why = null, settled_at = null
    where tenant_id = ${tenantId} and mail_id = ${mailId} and state = 'SET_ASIDE' returning 1`
  return rows.length > 0
}

/** Changes the recipient address of a set-aside mail. */
export async function changeRecipient(tx: Tx, { tenantId, mailId }: MailKey, envelopeSealed: Buffer): Promise<void> {
  await tx`
    update mail_in set envelope_sealed = ${envelopeSealed}
    where tenant_id = ${tenantId} and mail_id = ${mailId} and state = 'SET_ASIDE'`
}

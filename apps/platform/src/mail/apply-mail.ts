// Applies incoming mail: parses it, checks its attachments and calls the handler. Mail that fails is set aside for an operator.

import { counter, gauge } from '@lendloom/foundation/metrics'
import { ParserFailure } from '@lendloom/foundation/parser-thread'
import { Refusal } from '@lendloom/foundation/refusal'
import { doublingPauses } from '@lendloom/foundation/schedule'
import { isUuid } from '@lendloom/foundation/uuid'
import { withoutHistory } from '@lendloom/mail/mail-history'
import { maxFiles, type ReadMail, readMail, UnreadableMail } from '@lendloom/mail/mail-read'
import type { Run } from '@lendloom/postgres/sql'
import { enqueue, finish, type Job, LeaseLost, noTenantId, type Worker, work } from '@lendloom/queue/queue'
import { measureRegularly } from '@lendloom/queue/worker-loop'
import { uuidv4 } from '@lendloom/seal/id'
import { withoutAadhaar } from '@lendloom/wire/remove-aadhaar'
import type { Context, TxContext } from '#platform/context.ts'
import { examineFile, type FileCheck, rejectFile, storeMailFile } from './attachment.ts'
import { type MailContent, maskAddresses } from './outgoing-mail.ts'
import { mailContentContext } from './queue-mail.ts'
import { incomingMailQueue, type MailEnvelope, mailPartContext } from './receive-mail.ts'
import {
  changeRecipient,
  findMailContents,
  findReceivedMail,
  finishReceivedMail,
  oldestUnhandledAt,
  reopenSetAsideMail,
  type StoredMail,
} from './store.ts'

/** Pauses between attempts. The last pause repeats while the malware scanner is unavailable. */
export const incomingMailSchedule = doublingPauses(2, 300)
/** Maximum number of attempts if they fail with an internal error. */
const maxFailures = 5
/** Maximum number of attempts if they exceed the parser's time or memory limit. */
const maxCostlyAttempts = 2
/** Maximum number of our mails with which the text below a header is compared. */
const maxAnsweredMails = 10
/** How many characters are kept of the names of the files that are not. */
const maxNamesLength = 500

const outcomeCounter = counter('mail_in_total', 'Incoming mail by outcome', ['outcome'])
outcomeCounter.inc({ outcome: 'SET_ASIDE' }, 0)

interface IncomingMailJob {
  mailId: string
}

export const incomingMailWorker = (ctx: Context, onMail: MailHandler): Worker =>
  work<IncomingMailJob>({
    kind: incomingMailQueue,
    ...ctx,
    concurrency: 2,
    schedule: incomingMailSchedule,
    handle: (job) => handleJob(ctx, onMail, job),
    setAside: (job) => setAside(ctx, job, 'the program stopped twice while handling this mail'),
  })

async function handleJob(ctx: Context, onMail: MailHandler, job: Job<IncomingMailJob>): Promise<void> {
  const { db } = ctx
  const row = await findReceivedMail(db, { tenantId: job.tenantId, mailId: job.payload.mailId })
  if (row?.state !== 'RECEIVED') return
  try {
    await processMail(ctx, onMail, { job, row })
    outcomeCounter.inc({ outcome: 'HANDLED' })
  } catch (error) {
    const why = whySetAside(error, job.attempt)
    if (why === null) throw error
    const errorId = uuidv4()
    await setAside(ctx, job, why ?? `an internal error occurred; see ${errorId} in the log`)
    if (why === undefined)
      ctx.log.error({ mailId: row.mailId, errorId, err: error }, 'an incoming mail could not be handled')
  }
}

/** Returns why to set the mail aside, or null to retry. Returns undefined to set it aside for an internal error. */
function whySetAside(error: unknown, attempt: number): string | null | undefined {
  if (error instanceof LeaseLost) return null
  if (error instanceof UnreadableMail) return error.message
  if (error instanceof ParserFailure) {
    const isPlatformFault = error.fault === 'busy' || error.fault === 'interrupted'
    return isPlatformFault || attempt < maxCostlyAttempts ? null : `the mail ${error.message}`
  }
  if (error instanceof Refusal) return error.kind === 'upstream' ? null : maskAddresses(error.message)
  return attempt < maxFailures ? null : undefined
}

async function setAside(ctx: Context, job: Job<IncomingMailJob>, why: string): Promise<void> {
  const { db, clock, log } = ctx
  const key = { tenantId: job.tenantId, mailId: job.payload.mailId }
  await db.tx(async (tx) => {
    await finish(tx, job)
    await finishReceivedMail(tx, key, why, clock())
  })
  outcomeCounter.inc({ outcome: 'SET_ASIDE' })
  log.error({ mailId: key.mailId, why }, 'an incoming mail was set aside')
}

/** Checks the attachments, then stores them and calls the handler in one transaction. */
async function processMail(
  ctx: Context,
  onMail: MailHandler,
  { job, row }: { job: Job<IncomingMailJob>; row: StoredMail },
): Promise<void> {
  const { db, seal, clock } = ctx
  const parsed = await readMail(seal.open(row.messageSealed, mailPartContext('message', row)))
  const envelope = seal.openJson<MailEnvelope>(row.envelopeSealed, mailPartContext('envelope', row))
  const text = await ownTextOf(ctx, envelope, parsed)
  const files = await examineFiles(ctx, parsed.files)
  await db.tx(async (tx) => {
    await finish(tx, job)
    const txContext: TxContext = { ...ctx, tx, at: clock() }
    const attachments: IncomingAttachment[] = []
    for (const { bytes, ...file } of files)
      attachments.push({
        ...file,
        size: bytes.length,
        objectKey: file.why === null ? await storeMailFile(txContext, row.tenantId, bytes) : null,
      })
    if (parsed.furtherFiles.length > 0) attachments.push(lineOfFurtherFiles(parsed.furtherFiles))
    await onMail(txContext, {
      ...toIncomingMail(row, envelope, parsed),
      text,
      attachments,
    })
    await finishReceivedMail(tx, row, null, txContext.at)
  })
}

/** The text without quoted history, if the mail replies to a mail of ours; everything is the sender's in any other mail. */
async function ownTextOf(
  { db, seal, config }: Pick<Context, 'db' | 'seal' | 'config'>,
  { tag }: MailEnvelope,
  { text, inReplyTo, references }: ReadMail,
): Promise<string> {
  const { MAIL_DOMAIN: domain } = config
  const ourIds = [inReplyTo, ...references].filter((id) => id?.endsWith(`@${domain}>`))
  if (tag === null && ourIds.length === 0) return text.trim()
  const mailIds = ourIds.flatMap((id) => id?.slice(1).split('@')[0] ?? []).filter(isUuid)
  const sent = await findMailContents(db, mailIds.slice(-maxAnsweredMails))
  const texts = sent.map((row) => seal.openJson<MailContent>(row.contentSealed, mailContentContext(row)).text)
  return withoutHistory(text, { domain, sentText: texts.join('\n') })
}

async function examineFiles({ scanner }: Context, files: ReadMail['files']) {
  const examined = []
  let isCostly = false
  for (const file of files) {
    let check: FileCheck
    if (isCostly) check = rejectFile('was not examined because another file of this mail took too long')
    else check = await examineFile(scanner, file)
    isCostly ||= check.type === null && check.isCostly === true
    const { isExtract } = file
    const name = check.type === null ? file.name : check.name
    // Files stay as they are attached; only texts that we make are without Aadhaar numbers.
    const bytes = isExtract ? Buffer.from(withoutAadhaar(file.bytes.toString())) : file.bytes
    examined.push({ name, type: check.type ?? file.type, why: check.why, bytes })
  }
  return examined
}

/** One line for all files beyond the limit, which only the stored mail has. */
const lineOfFurtherFiles = (names: string[]): IncomingAttachment => ({
  name: names.length === 1 ? '1 further file' : `${names.length} further files`,
  type: 'application/octet-stream',
  size: 0,
  objectKey: null,
  why: `is beyond the first ${maxFiles} files of the mail: ${shortened(names.join(', '))}`,
})

const shortened = (text: string): string =>
  text.length <= maxNamesLength ? text : `${text.slice(0, maxNamesLength)} …`

function toIncomingMail(
  { mailId, receivedAt }: StoredMail,
  envelope: MailEnvelope,
  parsed: ReadMail,
): Omit<IncomingMail, 'text' | 'attachments'> {
  const { fromName, subject, inReplyTo, references } = parsed
  return {
    mailId,
    tag: envelope.tag,
    from: (parsed.from ?? envelope.from ?? '').toLowerCase(),
    fromName,
    subject,
    wholeText: parsed.text,
    messageId: parsed.messageId ?? `<${mailId}@no-id>`,
    inReplyTo,
    references,
    receivedAt,
    isAutomatic: parsed.isAutomatic || envelope.from === null,
    refusesAnswer: parsed.refusesAnswer,
  }
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

interface IncomingAttachment {
  name: string
  /** The verified media type, or the claimed type of a rejected file. */
  type: string
  size: number
  objectKey: string | null
  /** Why the file was rejected, as readable text; null for an accepted file. */
  why: string | null
}

export interface IncomingMail {
  mailId: string
  /** The tag of the recipient address `grievance+TAG@domain` in lower case; null without a tag. */
  tag: string | null
  from: string
  fromName: string | null
  subject: string
  /** The text; of a reply to our mail, without quoted history. The raw bytes are stored too. */
  text: string
  /** The text with quoted history. */
  wholeText: string
  /** Includes the angle brackets; generated if the mail has no Message-ID. */
  messageId: string
  inReplyTo: string | null
  references: string[]
  receivedAt: Date
  /** Whether a program sent the mail; such mail gets no automatic reply. */
  isAutomatic: boolean
  /** Whether a mail of a person or program must get no automatic reply. */
  refusesAnswer: boolean
  attachments: IncomingAttachment[]
}

/** Runs in the transaction that marks the mail as handled. A `Refusal` sets the mail aside without a retry. */
export type MailHandler = (ctx: TxContext, mail: IncomingMail) => Promise<void>

const oldestSeconds = gauge(
  'mail_in_oldest_seconds',
  'Age of the oldest incoming mail that is neither handled nor set aside',
)

/** Measures the age of the oldest unhandled mail, for the alert. */
export async function measureMail({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const receivedAt = await oldestUnhandledAt(db)
  oldestSeconds.set(receivedAt === null ? 0 : (clock().getTime() - receivedAt.getTime()) / 1000)
}

export const mailGaugeWorker = (ctx: Context): Worker =>
  measureRegularly(ctx.log, 'the age of incoming mail could not be measured', () => measureMail(ctx))

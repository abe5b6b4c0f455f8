// Applies incoming mail: parses it, checks its attachments and calls the handler. Mail that fails is set aside for an operator.

import { counter } from '@lendloom/foundation/metrics'
import { ParserFailure } from '@lendloom/foundation/parser-thread'
import { Refusal } from '@lendloom/foundation/refusal'
import { doublingPauses } from '@lendloom/foundation/schedule'
import { isUuid } from '@lendloom/foundation/uuid'
import { withoutHistory } from '@lendloom/mail/mail-history'
import { maxFiles, type ReadMail, readMail, UnreadableMail } from '@lendloom/mail/mail-read'
import { finish, type Job, LeaseLost, type Worker, work } from '@lendloom/queue/queue'
import { uuidv4 } from '@lendloom/seal/id'
import { withoutAadhaar } from '@lendloom/wire/remove-aadhaar'
import type { Context, TxContext } from '#platform/context.ts'
import { examineFile, type FileCheck, rejectFile, storeMailFile } from './attachment.ts'
import type { IncomingAttachment, IncomingMail, MailHandler } from './incoming-mail.ts'
import { type MailContent, maskAddresses } from './outgoing-mail.ts'
import { mailContentContext } from './queue-mail.ts'
import { incomingMailQueue, type MailEnvelope, mailPartContext } from './receive-mail.ts'
import { findMailContents, findReceivedMail, finishReceivedMail, type StoredMail } from './store.ts'
import type { IncomingMailJob } from './stored-mail.ts'

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

// Sends queued mail, retries failed attempts by schedule, and stores the mail server's reply.

import { counter } from '@lendloom/foundation/metrics'
import { nextTryAt } from '@lendloom/foundation/schedule'
import { type Mail, MailRejection, mailer } from '@lendloom/mail/mail'
import { finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { mailKinds } from '@lendloom/wire/console/lists'
import type { Context } from '#platform/context.ts'
import { readFile } from './attachment.ts'
import { addressOf, type MailContent, mailSchedule, maskAddresses } from './outgoing-mail.ts'
import { type MailJob, mailContentContext, mailQueue } from './queue-mail.ts'
import { findQueued, type MailRow, recordTry, type SendResult } from './store.ts'

const tryCounter = counter('mail_tries_total', 'Attempts to send a mail', ['kind', 'outcome'])
for (const kind of mailKinds) tryCounter.inc({ kind, outcome: 'FAILED' }, 0)

/**
 * Sends queued mail. Only one worker at a time has the job's lease. After a crash between the server's reply and the
 * commit, the mail is sent again with the same Message-ID.
 */
export const outgoingMailWorker = (ctx: Context): Worker =>
  work<MailJob>({ kind: mailQueue, ...ctx, concurrency: 4, handle: (job) => trySending(ctx, job) })

async function trySending(ctx: Context, job: Job<MailJob>): Promise<void> {
  const { db, clock, log } = ctx
  const { tenantId, attempt } = job
  const { mailId } = job.payload
  const row = await findQueued(db, { tenantId, mailId })
  if (!row) return
  const attempted = await attemptDelivery(ctx, row)
  const at = clock()
  const state = attempted.state === 'QUEUED' ? retryOrFail(attempt, at) : { state: attempted.state, nextTryAt: null }
  const sendResult: SendResult = { ...state, answer: maskAddresses(attempted.answer), at }
  tryCounter.inc({ kind: row.kind, outcome: sendResult.state })
  const facts = { mailId, kind: row.kind, attempt, answer: sendResult.answer }
  if (sendResult.nextTryAt === null) {
    await db.tx(async (tx) => {
      await finish(tx, job)
      await recordTry(tx, row, sendResult)
    })
    // A missing mail server is only a warning, because the console shows it for each mail.
    if (sendResult.state === 'FAILED')
      log[ctx.config.SMTP_URL === 'none' ? 'warn' : 'error'](facts, 'a mail could not be delivered')
    return
  }
  await recordTry(db, row, sendResult)
  throw new RetryLater(
    (sendResult.nextTryAt.getTime() - at.getTime()) / 1000,
    `the mail server did not accept the mail at attempt ${attempt}`,
  )
}

function retryOrFail(attempt: number, at: Date): Pick<SendResult, 'state' | 'nextTryAt'> {
  const next = nextTryAt(mailSchedule, { attempt, at, retryAfter: null })
  return next === null ? { state: 'FAILED', nextTryAt: null } : { state: 'QUEUED', nextTryAt: next }
}

/** Makes one attempt. The state is QUEUED if a retry may succeed. */
async function attemptDelivery(ctx: Context, row: MailRow): Promise<Pick<SendResult, 'state' | 'answer'>> {
  const send = mailer(ctx.config)
  if (!send) return { state: 'FAILED', answer: 'no mail server is configured (SMTP_URL)' }
  try {
    return { state: 'SENT', answer: await send(await mailOf(ctx, row)) }
  } catch (error) {
    if (!(error instanceof MailRejection)) throw error
    return { state: error.isFinal ? 'FAILED' : 'QUEUED', answer: error.message }
  }
}

/** Prevents automatic replies (RFC 3834). Mails about complaints do not have it, because a person may write them. */
const automaticHeader = { 'Auto-Submitted': 'auto-generated' }

async function mailOf(ctx: Context, row: MailRow): Promise<Mail> {
  const { MAIL_DOMAIN } = ctx.config
  const content = ctx.seal.openJson<MailContent>(row.contentSealed, mailContentContext(row))
  const { to, subject, text, replyTag, inReplyTo, attachments } = content
  const replyTo = replyTag === null ? null : addressOf(MAIL_DOMAIN, replyTag)
  const files = await Promise.all(
    attachments.map(async ({ name, type, objectKey }) => ({
      filename: name,
      contentType: type,
      content: await readFile(ctx, objectKey),
    })),
  )
  return {
    to,
    subject,
    text,
    messageId: row.messageId,
    attachments: files,
    ...(replyTo !== null && { from: `Lendloom <${addressOf(MAIL_DOMAIN, null)}>`, replyTo, returnPath: replyTo }),
    ...(inReplyTo !== null && { inReplyTo, references: [inReplyTo] }),
    headers: { 'X-Auto-Response-Suppress': 'OOF, AutoReply', ...(row.kind !== 'complaint' && automaticHeader) },
  }
}

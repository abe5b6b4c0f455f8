// Mails to staff: links for choosing a password, and notices about sign-ins.

import { doublingPauses } from '@lendloom/foundation/schedule'
import { MailRejection, mailer, type SendMail } from '@lendloom/mail/mail'
import { RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { digestOf } from '@lendloom/seal/token'
import type { Context } from '#partner/context.ts'
import { assignToken, recordLinkMail } from '#partner/people/password-link-store.ts'
import { findStaffById } from '#partner/people/store.ts'
import { type LinkJob, linkAddress, linkQueue, newLinkToken } from './password-link/password-link.ts'
import { linkMail } from './password-link/text-en.ts'
import { type NoticeJob, noticeQueue } from './sign-in-notice.ts'

/** The retry schedule for mails that the server refused temporarily. */
export const staffMailSchedule = doublingPauses(30, 900)

const worker = <Job>(ctx: Context, kind: string, handle: (ctx: Context, job: Job) => Promise<void>): Worker =>
  work<Job>({
    kind,
    ...ctx,
    concurrency: 1,
    schedule: staffMailSchedule,
    handle: ({ payload }) => handle(ctx, payload),
  })

export const staffMailWorkers = (ctx: Context): Worker[] => [
  worker<LinkJob>(ctx, linkQueue, sendLink),
  worker<NoticeJob>(ctx, noticeQueue, sendNotice),
]

/** Sends one mail and returns the server's answer. Throws `RetryLater` for a temporary failure. */
async function sendOnce(send: SendMail, mail: { to: string; subject: string; text: string }) {
  try {
    const answer = await send({ ...mail, headers: { 'Auto-Submitted': 'auto-generated' } })
    return { state: 'SENT' as const, answer }
  } catch (error) {
    if (!(error instanceof MailRejection)) throw error
    if (!error.isFinal) throw new RetryLater(null, 'the mail server did not accept the mail')
    return { state: 'FAILED' as const, answer: error.message }
  }
}

/**
 * Mails a password link. Each attempt creates a new token and stores only its digest, so only the newest mail works.
 * Does not send an expired link.
 */
async function sendLink({ db, clock, config }: Context, { linkId }: LinkJob): Promise<void> {
  const token = newLinkToken()
  const link = await assignToken(db, linkId, digestOf(token))
  if (!link) return
  const send = mailer(config)
  if (!send) return recordLinkMail(db, linkId, 'FAILED', 'no mail server is set up')
  if (link.expiresAt <= clock()) return recordLinkMail(db, linkId, 'FAILED', 'no mail server accepted the mail in time')
  const { PARTNER_LENDER_NAME: lender, PARTNER_PUBLIC_URL: publicUrl } = config
  const mail = linkMail({ ...link, lender, link: linkAddress(publicUrl, token) })
  const { state, answer } = await sendOnce(send, { to: link.email, ...mail })
  await recordLinkMail(db, linkId, state, answer)
}

/** Mails a notice, unless there is no mail server, the user was removed, or the notice has expired. */
async function sendNotice({ db, clock, config, log }: Context, job: NoticeJob): Promise<void> {
  const { staffId, subject, text, expiresAt } = job
  const send = mailer(config)
  const person = await findStaffById(db, staffId)
  if (!send || !person || (expiresAt && new Date(expiresAt) <= clock())) return
  const { state, answer } = await sendOnce(send, { to: person.email, subject, text })
  if (state === 'FAILED') log.warn({ staffId, answer }, 'the mail server refused a sign-in notice')
}

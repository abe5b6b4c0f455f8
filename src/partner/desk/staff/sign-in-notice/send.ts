// Sends the mail that tells a person of the staff of failed sign-ins, or of a second factor that changed.

import { RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { mailer, NotTaken } from '#kit/runtime/mail.ts'
import { noticeMail } from '#kit/staff/text-en.ts'
import type { Context } from '#partner/context.ts'
import { staffMailSchedule } from '#partner/desk/staff/staff-mail.ts'
import { findStaffById } from '#partner/desk/store.ts'
import { type NoticeJob, noticeQueue } from './queue.ts'

export const sendingNotices = (ctx: Context): Worker =>
  work<NoticeJob>({
    ...{ kind: noticeQueue, db: ctx.db, clock: ctx.clock, log: ctx.log, concurrency: 1, schedule: staffMailSchedule },
    handle: ({ payload }) => sendNotice(ctx, payload),
  })

/** Nothing where no mail server is set, the person was removed, or the pause ended a day ago. */
async function sendNotice({ db, clock, config, log }: Context, job: NoticeJob): Promise<void> {
  const ends = job.ends === null ? null : new Date(job.ends)
  const send = mailer(config)
  const person = await findStaffById(db, job.staffId)
  if (!send || !person || (ends && daysAfter(ends, 1) <= clock())) return
  const account = `your account at the desk of ${config.PARTNER_LENDER_NAME}`
  const at = new Date(job.at)
  const notice = job.about === 'pause' ? { ...job, at, ends } : { ...job, at, ends: null }
  const words = noticeMail({ name: person.name, account }, notice)
  try {
    await send({ to: person.email, ...words, headers: { 'Auto-Submitted': 'auto-generated' } })
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error
    if (!error.isFinal) throw new RetryLater(null, 'the mail server did not take it')
    log.warn({ err: error, staffId: job.staffId }, 'a mail about signing in was refused')
  }
}

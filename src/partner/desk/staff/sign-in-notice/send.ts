// Sends the mail that tells a person of the staff of failed sign-ins, or of a second factor that changed.

import { RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { mailer, NotTaken } from '#kit/runtime/mail.ts'
import type { Context } from '#partner/context.ts'
import { staffMailSchedule } from '#partner/desk/staff/staff-mail.ts'
import { findStaffById } from '#partner/desk/store.ts'
import { type NoticeJob, noticeQueue } from './queue.ts'

export const sendingNotices = (ctx: Context): Worker =>
  work<NoticeJob>({
    ...{ kind: noticeQueue, db: ctx.db, clock: ctx.clock, log: ctx.log, concurrency: 1, schedule: staffMailSchedule },
    handle: ({ payload }) => sendNotice(ctx, payload),
  })

/** Nothing where no mail server is set, the person was removed, or it has expired. */
async function sendNotice({ db, clock, config, log }: Context, job: NoticeJob): Promise<void> {
  const { staffId, subject, text, expiresAt } = job
  const send = mailer(config)
  const person = await findStaffById(db, staffId)
  if (!send || !person || (expiresAt && new Date(expiresAt) <= clock())) return
  try {
    await send({ to: person.email, subject, text, headers: { 'Auto-Submitted': 'auto-generated' } })
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error
    if (!error.isFinal) throw new RetryLater(null, 'the mail server did not take it')
    log.warn({ err: error, staffId }, 'a mail about signing in was refused')
  }
}

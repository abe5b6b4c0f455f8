// Sends the mail that tells a person of the staff of failed sign-ins.

import { RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { mailer, NotTaken } from '#kit/runtime/mail.ts'
import { pauseMail } from '#kit/staff/text-en.ts'
import type { Context } from '#partner/context.ts'
import { staffMailSchedule } from '#partner/desk/staff/staff-mail.ts'
import { findStaffById } from '#partner/desk/store.ts'
import { type PauseJob, pauseQueue } from './queue.ts'

export const sendingPauses = (ctx: Context): Worker =>
  work<PauseJob>({
    ...{ kind: pauseQueue, db: ctx.db, clock: ctx.clock, log: ctx.log, concurrency: 1, schedule: staffMailSchedule },
    handle: ({ payload }) => sendPause(ctx, payload),
  })

/** Nothing where no mail server is set, the person was removed, or the pause ended a day ago. */
async function sendPause({ db, clock, config, log }: Context, job: PauseJob): Promise<void> {
  const ends = job.ends === null ? null : new Date(job.ends)
  const send = mailer(config)
  const person = await findStaffById(db, job.staffId)
  if (!send || !person || (ends && daysAfter(ends, 1) <= clock())) return
  const account = `your account at the desk of ${config.PARTNER_LENDER_NAME}`
  const words = pauseMail({ ...job, name: person.name, account, at: new Date(job.at), ends })
  try {
    await send({ to: person.email, ...words, headers: { 'Auto-Submitted': 'auto-generated' } })
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error
    if (!error.isFinal) throw new RetryLater(null, 'the mail server did not take it')
    log.warn({ err: error, staffId: job.staffId }, 'a mail about failed sign-ins was refused')
  }
}

// Tells a person of the staff by mail that somebody guesses at their password: once, until the right one comes.

import type { Db } from '#kit/db/sql.ts'
import { networkOf, type Trying } from '#kit/http/sign-in-limit.ts'
import { enqueue, nobody, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { mailer, NotTaken } from '#kit/runtime/mail.ts'
import type { Context } from '#partner/context.ts'
import { staffMailSchedule } from '#partner/desk/staff-mail.ts'
import { listStaff } from '#partner/desk/store.ts'
import { pauseMail } from './text-en.ts'

const kind = 'staff-sign-in-pause'

interface PauseJob {
  staffId: string
  /** Null within a session. */
  network: string | null
  isKnown: boolean
  /** In ISO 8601. */
  at: string
  until: string
}

interface Pause {
  staffId: string
  at: Date
  until: Date
}

/** Queues the mail about a pause that begins. */
export const tellOfPause = (
  db: Pick<Db, 'tx'>,
  { address, device }: Trying,
  { staffId, at, until }: Pause,
): Promise<void> => {
  const payload: PauseJob = {
    ...{ staffId, network: address === null ? null : networkOf(address), isKnown: device !== null },
    ...{ at: at.toISOString(), until: until.toISOString() },
  }
  return db.tx((tx) => enqueue(tx, { tenantId: nobody, kind, payload, dueAt: at }))
}

export const sendingPauses = (ctx: Context): Worker =>
  work<PauseJob>({
    ...{ kind, db: ctx.db, clock: ctx.clock, log: ctx.log, concurrency: 1, schedule: staffMailSchedule },
    handle: ({ payload }) => sendPause(ctx, payload),
  })

/** Nothing where no mail server is set, they were removed, or the pause ended a day ago. */
async function sendPause({ db, clock, config, log }: Context, job: PauseJob): Promise<void> {
  const [at, until] = [new Date(job.at), new Date(job.until)]
  const send = mailer(config)
  const person = (await listStaff(db)).find(({ staffId }) => staffId === job.staffId)
  if (!send || !person || daysAfter(until, 1) <= clock()) return
  const { network, isKnown } = job
  const words = pauseMail({ name: person.name, lender: config.PARTNER_LENDER_NAME, network, isKnown, at, until })
  try {
    await send({ to: person.email, ...words, headers: { 'Auto-Submitted': 'auto-generated' } })
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error
    if (!error.isFinal) throw new RetryLater(null, 'the mail server did not take it')
    log.warn({ err: error, staffId: job.staffId }, 'a mail about failed sign-ins was refused')
  }
}

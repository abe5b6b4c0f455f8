// Sends one mail to a borrower about arrears: within the hours of contact, and never twice.

import type { Tx } from '#kit/db/sql.ts'
import { RetryLater } from '#kit/messaging/queue.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { type Mail, mailer, NotTaken } from '#kit/runtime/mail.ts'
import { mayContact } from '#partner/collection/hours.ts'
import { policyOn } from '#partner/collection/policy/store.ts'
import type { Context } from '#partner/context.ts'

export interface MailMove {
  /** `TRIED` before a mail is sent: whoever dies then sends it never again. */
  state: 'QUEUED' | 'TRIED' | 'SENT' | 'FAILED'
  answer: string | null
}

interface Sending {
  /** Marks the mail as tried and gives it; null where there is nothing to send. */
  prepare(tx: Tx): Promise<Mail | null>
  move(change: MailMove): Promise<void>
}

const retrySeconds = 900

/**
 * The mail is marked before it goes out, and unmarked only when the server says that it did not take it: it is never sent
 * twice, and one may be lost with its process.
 */
export async function sendOnce(ctx: Context, { prepare, move }: Sending): Promise<void> {
  const { db, clock } = ctx
  const send = mailer(ctx.config)
  const at = clock()
  if (!mayContact(await policyOn(db, businessDate(at)), at)) throw new RetryLater(retrySeconds, 'outside the hours')
  const mail = await db.tx(prepare)
  if (!mail || !send) return
  try {
    await move({ state: 'SENT', answer: await send(mail) })
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error
    await move({ state: error.isFinal ? 'FAILED' : 'QUEUED', answer: error.message.slice(0, 200) })
    if (!error.isFinal) throw new RetryLater(retrySeconds, 'the mail server did not take it')
  }
}

// Sends one mail to a borrower about arrears: within the hours of contact, and never twice.

import type { DataOf } from '#contract/exchange/envelope.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { RetryLater } from '#kit/messaging/queue.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { type Mail, MailRejection, mailer } from '#kit/runtime/mail.ts'
import { pauseSeconds, schedule } from '#kit/runtime/schedule.ts'
import { leadContext } from '#partner/case/lifecycle.ts'
import { mayContact } from '#partner/collection/hours.ts'
import { policyOn } from '#partner/collection/policy/store.ts'
import type { Context } from '#partner/context.ts'

export interface MailMove {
  /** `TRIED` is set before a mail is sent: after a crash it is never sent again. */
  state: 'QUEUED' | 'TRIED' | 'SENT' | 'FAILED'
  answer: string | null
}

/** A mail to send: the borrower's name and address are in the lead. */
export interface Notice {
  caseRef: string
  leadSealed: Buffer
  /** Part of its message id, the same at each try. */
  id: string
  words(name: string): { subject: string; text: string }
}

interface NoticeMail {
  /** Null where there is nothing to send. */
  prepare(tx: Tx): Promise<Notice | null>
  move(db: Run, change: MailMove): Promise<void>
}

/** When a mail that may not be sent yet, or was not taken, is tried again. */
export const reminderSchedule = schedule(['PT15M'], 'repeat')

/**
 * The mail is marked before it is sent, and unmarked only when the server refused it: it is never sent twice, and one
 * may be lost in a crash.
 */
export async function sendOnce(ctx: Context, { prepare, move }: NoticeMail): Promise<void> {
  const { db, clock } = ctx
  const send = mailer(ctx.config)
  const at = clock()
  if (!mayContact(await policyOn(db, businessDate(at)), at))
    throw new RetryLater(pauseSeconds(reminderSchedule, 1), 'outside the hours')
  const mail = await db.tx(async (tx) => {
    const notice = await prepare(tx)
    const found = notice && mailOf(ctx, notice)
    if (notice)
      await move(tx, found ? { state: 'TRIED', answer: null } : { state: 'FAILED', answer: 'no address is known' })
    return found
  })
  if (!mail || !send) return
  try {
    await move(db, { state: 'SENT', answer: await send(mail) })
  } catch (error) {
    if (!(error instanceof MailRejection)) throw error
    await move(db, { state: error.isFinal ? 'FAILED' : 'QUEUED', answer: error.message.slice(0, 200) })
    if (!error.isFinal) throw new RetryLater(pauseSeconds(reminderSchedule, 1), 'the mail server did not take it')
  }
}

/** Null where the borrower has no address. */
function mailOf({ seal, config }: Context, { caseRef, leadSealed, id, words }: Notice): Mail | null {
  const { borrower } = seal.openJson<DataOf<'LEAD_SUBMITTED'>>(leadSealed, leadContext(caseRef))
  if (borrower.email === null) return null
  const name = [borrower.first_name, borrower.last_name].filter(Boolean).join(' ')
  const messageId = `<${id}@${new URL(config.PARTNER_PUBLIC_URL).hostname}>`
  return { to: borrower.email, ...words(name), messageId, headers: { 'Auto-Submitted': 'auto-generated' } }
}

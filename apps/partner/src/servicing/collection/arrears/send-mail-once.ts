// Sends a mail about dues to a borrower at most once, within the contact hours.

import { pauseSeconds, schedule } from '@lendloom/foundation/schedule'
import { businessDate } from '@lendloom/lending/calendar'
import { type Mail, MailRejection, mailer } from '@lendloom/mail/mail'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { RetryLater } from '@lendloom/queue/queue'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { lastName } from '@lendloom/wire/exchange/lead'
import type { Context } from '#partner/context.ts'
import { leadContext } from '#partner/origination/case/lifecycle.ts'
import { mayContact } from '#partner/servicing/collection/collection-calendar.ts'
import { policyOn } from '#partner/servicing/collection/policy/store.ts'

export interface MailUpdate {
  /** `TRIED` is set before sending, so that the mail is not resent after a crash. */
  state: 'QUEUED' | 'TRIED' | 'SENT' | 'FAILED'
  answer: string | null
}

/** A mail to send to the borrower of the lead. */
export interface Notice {
  caseRef: string
  leadSealed: Buffer
  /** The local part of the message id, which is the same in every attempt. */
  id: string
  text(name: string): { subject: string; text: string }
}

interface NoticeMail {
  /** Returns null if the mail is no longer needed. */
  prepare(tx: Tx): Promise<Notice | null>
  update(db: Run, change: MailUpdate): Promise<void>
}

/** When to retry a mail that is outside the contact hours, or that the server rejected temporarily. */
export const reminderSchedule = schedule(['PT15M'], 'repeat')

/**
 * Records the state `TRIED` before sending, and returns to `QUEUED` only if the server rejects the mail. So a mail is
 * never sent twice, but a crash may lose it.
 */
export async function sendMailOnce(ctx: Context, { prepare, update }: NoticeMail): Promise<void> {
  const { db, clock } = ctx
  const send = mailer(ctx.config)
  const at = clock()
  if (!mayContact(await policyOn(db, businessDate(at)), at))
    throw new RetryLater(pauseSeconds(reminderSchedule, 1), 'outside the contact hours')
  const mail = await db.tx(async (tx) => {
    const notice = await prepare(tx)
    const message = notice && mailOf(ctx, notice)
    if (notice)
      await update(
        tx,
        message ? { state: 'TRIED', answer: null } : { state: 'FAILED', answer: 'the borrower has no mail address' },
      )
    return message
  })
  if (!mail || !send) return
  try {
    await update(db, { state: 'SENT', answer: await send(mail) })
  } catch (error) {
    if (!(error instanceof MailRejection)) throw error
    await update(db, { state: error.isFinal ? 'FAILED' : 'QUEUED', answer: error.message.slice(0, 200) })
    if (!error.isFinal)
      throw new RetryLater(pauseSeconds(reminderSchedule, 1), 'the mail server rejected the mail temporarily')
  }
}

/** Returns null if the borrower has no mail address. */
function mailOf({ seal, config }: Context, { caseRef, leadSealed, id, text }: Notice): Mail | null {
  const { borrower } = seal.openJson<DataOf<'LEAD_SUBMITTED'>>(leadSealed, leadContext(caseRef))
  if (borrower.email === null) return null
  const name = [borrower.first_name, lastName(borrower)].filter(Boolean).join(' ')
  const messageId = `<${id}@${new URL(config.PARTNER_PUBLIC_URL).hostname}>`
  return { to: borrower.email, ...text(name), messageId, headers: { 'Auto-Submitted': 'auto-generated' } }
}

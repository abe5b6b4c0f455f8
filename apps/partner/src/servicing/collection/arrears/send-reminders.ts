// Sends reminder mails before and after the due date of an instalment, each once, within the contact hours.

import { businessDate, dayText, plusDays } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, loop, noTenantId, type Worker, work } from '@lendloom/queue/queue'
import { railOf } from '#partner/bank/rail/rails.ts'
import type { Context } from '#partner/context.ts'
import { checksOf } from '#partner/origination/case/stored-checks.ts'
import { mayContact } from '#partner/servicing/collection/collection-calendar.ts'
import { policyOn } from '#partner/servicing/collection/policy/store.ts'
import { duesTolerance } from '#partner/servicing/loan/class/classify.ts'
import { readDebitDays } from '#partner/servicing/loan/day/debit-days.ts'
import * as texts from './borrower-mail-text-en.ts'
import { type Notice, sendMailOnce } from './send-mail-once.ts'
import { type DueReminder, insertReminders, type ReminderKey, reminderToSend, updateReminder } from './store.ts'

const kind = 'remind-borrower'
const pollMs = 60_000

/**
 * Records and queues the reminders of the day, and returns how many are new. Does nothing outside the contact hours, or
 * without a mail server.
 */
export async function queueReminders({ db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>): Promise<number> {
  if (config.SMTP_URL === 'none') return 0
  const at = clock()
  const on = businessDate(at)
  const policy = await policyOn(db, on)
  if (!mayContact(policy, at)) return 0
  return db.tx(async (tx) => {
    const debitDays = await readDebitDays(tx)
    const hasDebits = (day: string): boolean => debitDays(day) === day
    const days = {
      on,
      tolerance: duesTolerance(config),
      before: policy.remindBefore,
      after: policy.remindAfter,
      afterDebits: policy.remindAfter.filter((days) => hasDebits(plusDays(on, -days))),
    }
    const reminders = await insertReminders(tx, days, at)
    for (const { caseRef, number, kind: reminderKind } of reminders) {
      const payload: ReminderKey = { caseRef, number, kind: reminderKind }
      await enqueue(tx, { tenantId: noTenantId, kind, key: `${caseRef} ${number} ${reminderKind}`, payload, dueAt: at })
    }
    return reminders.length
  })
}

/** Queues the reminders of the day, every minute. */
export const reminderQueueWorker = (ctx: Context): Worker =>
  loop<null>({
    queue: 'reminders',
    db: ctx.db,
    log: ctx.log,
    pollMs,
    concurrency: 1,
    claim: async () => ((await queueReminders(ctx)) > 0 ? [null] : []),
    handle: async () => {},
  })

/** Sends the queued reminders. */
export const reminderMailWorker = (ctx: Context): Worker =>
  work<ReminderKey>({ kind, ...ctx, concurrency: 2, handle: ({ payload }) => sendReminder(ctx, payload) })

/** Sends a reminder if the instalment is still unpaid. */
export const sendReminder = (ctx: Context, key: ReminderKey): Promise<void> =>
  sendMailOnce(ctx, {
    prepare: (tx) => composeReminder(tx, ctx, key),
    update: (db, change) => updateReminder(db, key, change, ctx.clock()),
  })

/** Returns the mail of a reminder; null if nothing is to be sent any more. */
async function composeReminder(tx: Tx, { config, clock, seal }: Context, key: ReminderKey): Promise<Notice | null> {
  const reminder = await reminderToSend(tx, key, businessDate(clock()))
  if (!reminder) return null
  const debitDays = await readDebitDays(tx)
  const { caseRef, number, kind: reminderKind } = key
  const { status, facts } = (await checksOf(tx, seal, caseRef)).mandate
  const mandateNumber = (status === 'ACTIVE' && facts?.umrn) || null
  const text = (name: string) =>
    reminderText(key, { ...reminder, mandateNumber, debitOn: debitDays(reminder.dueOn) }, { name, config })
  return { caseRef, leadSealed: reminder.leadSealed, id: `reminder-${caseRef}-${number}-${reminderKind}`, text }
}

interface ReminderFacts extends DueReminder {
  mandateNumber: string | null
  /** The first day with debits on or after the due date. */
  debitOn: string
}

const reminderText = (
  { kind: reminderKind }: ReminderKey,
  { loanId, dueOn, debitOn, exitUntil, owedPaise, mandateNumber }: ReminderFacts,
  { name, config }: Pick<Context, 'config'> & { name: string },
) =>
  (reminderKind.startsWith('before') ? texts.mailBeforeDue : texts.mailAfterDue)({
    lender: config.PARTNER_LENDER_NAME,
    officer: config.PARTNER_GRIEVANCE_OFFICER,
    name,
    loanId,
    amount: inr(owedPaise),
    dueOn: dayText(dueOn),
    debitOn: dayText(debitOn),
    mandateNumber,
    isPausable: railOf(mandateNumber ?? '').isPausable,
    exitUntil: exitUntil && dayText(exitUntil),
  })

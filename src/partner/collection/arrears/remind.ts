// Reminders by mail before and after a due date: each once for an instalment, within the hours in which borrowers may be contacted.

import type { DataOf } from '#contract/exchange/envelope.ts'
import type { Tx } from '#kit/db/sql.ts'
import { enqueue, loop, nobody, type Worker, work } from '#kit/messaging/queue.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { rupees } from '#kit/money/money.ts'
import type { Mail } from '#kit/runtime/mail.ts'
import { leadContext } from '#partner/case/case.ts'
import { mayContact } from '#partner/collection/hours.ts'
import { policyOn } from '#partner/collection/policy/store.ts'
import type { Context } from '#partner/context.ts'
import * as texts from './reminder-text-en.ts'
import { sendOnce } from './send-once.ts'
import { moveReminder, noteReminders, type ReminderKey, type ReminderOf, reminderToSend } from './store.ts'

const kind = 'remind-borrower'
const pollMs = 60_000

/** Notes the reminders of a day and puts each on its way. Gives how many; none outside the hours, or where no mail server is set. */
export async function queueReminders({ db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>): Promise<number> {
  if (config.SMTP_URL === 'none') return 0
  const at = clock()
  const on = businessDate(at)
  const policy = await policyOn(db, on)
  if (!mayContact(policy, at)) return 0
  return db.tx(async (tx) => {
    const noted = await noteReminders(tx, { on, before: policy.remindBefore, after: policy.remindAfter }, at)
    for (const { caseRef, number, kind: which } of noted) {
      const payload: ReminderKey = { caseRef, number, kind: which }
      await enqueue(tx, { tenantId: nobody, kind, key: `${caseRef} ${number} ${which}`, payload, dueAt: at })
    }
    return noted.length
  })
}

export const notingReminders = (ctx: Context): Worker =>
  loop<null>({
    queue: 'reminders',
    db: ctx.db,
    log: ctx.log,
    pollMs,
    concurrency: 1,
    claim: async () => ((await queueReminders(ctx)) > 0 ? [null] : []),
    handle: async () => {},
  })

export const sendingReminders = (ctx: Context): Worker =>
  work<ReminderKey>({
    kind,
    ...{ db: ctx.db, clock: ctx.clock, log: ctx.log, concurrency: 2 },
    handle: ({ payload }) => sendReminder(ctx, payload),
  })

/** Sends one reminder if something is still to be paid. */
export const sendReminder = (ctx: Context, key: ReminderKey): Promise<void> =>
  sendOnce(ctx, {
    prepare: (tx) => mailOf(tx, ctx, key),
    move: (change) => moveReminder(ctx.db, key, change, ctx.clock()),
  })

async function mailOf(tx: Tx, { seal, config, clock }: Context, key: ReminderKey): Promise<Mail | null> {
  const found = await reminderToSend(tx, key)
  if (!found) return null
  const { borrower } = seal.openJson<DataOf<'LEAD_SUBMITTED'>>(found.leadSealed, leadContext(key.caseRef))
  const { email } = borrower
  if (email === null) {
    await moveReminder(tx, key, { state: 'FAILED', answer: 'no address is known' }, clock())
    return null
  }
  await moveReminder(tx, key, { state: 'TRIED', answer: null }, clock())
  const name = [borrower.first_name, borrower.last_name].filter(Boolean).join(' ')
  const { subject, text } = wordsOf(key, found, { name, config })
  const messageId = `<reminder-${key.caseRef}-${key.number}-${key.kind}@${new URL(config.PARTNER_PUBLIC_URL).hostname}>`
  return { to: email, subject, text, messageId, headers: { 'Auto-Submitted': 'auto-generated' } }
}

const wordsOf = (
  { kind: which }: ReminderKey,
  { loanId, dueOn, owedPaise }: ReminderOf,
  { name, config }: Pick<Context, 'config'> & { name: string },
) =>
  (which.startsWith('before') ? texts.before : texts.after)({
    ...{ lender: config.PARTNER_LENDER_NAME, officer: config.PARTNER_GRIEVANCE_OFFICER },
    ...{ name, loanId, amount: `₹${rupees(owedPaise)}`, dueOn: dayOf(dueOn) },
  })

const dayOf = (on: string): string => on.split('-').toReversed().join('/')

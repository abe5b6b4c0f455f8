// Tables of the work with borrowers in arrears: collection_agent, agent_notice, payment_promise, contact_note,
// reminder.

import { plusDays } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { type DuesLimit, pastDueSince } from '#partner/servicing/loan/class/store.ts'
import type { MailUpdate } from './send-mail-once.ts'

/** Assigns an agent to a case; null removes the agent. */
export async function assignAgent(tx: Tx, caseRef: string, staffId: string | null, at: Date): Promise<void> {
  if (staffId === null) {
    await tx`delete from collection_agent where case_ref = ${caseRef}`
    return
  }
  await tx`
    insert into collection_agent ${tx({ caseRef, staffId, assignedAt: at })}
    on conflict (case_ref) do update set staff_id = excluded.staff_id, assigned_at = excluded.assigned_at`
}

/** Returns the staff member who is the agent of a case; null without an agent. */
export async function agentOf(db: Run, caseRef: string): Promise<string | null> {
  const [row] = await db<{ staffId: string }>`select staff_id from collection_agent where case_ref = ${caseRef}`
  return row?.staffId ?? null
}

export interface AgentKey {
  caseRef: string
  staffId: string
}

/** The notice with which the borrower learns who the agent is. */
export interface AgentNotice extends MailUpdate {
  staffId: string
  /** When the mail was sent or failed; null while the notice is queued. */
  settledAt: Date | null
}

/** Starts a notice, or restarts a failed notice. Returns false if the notice is already queued or sent. */
export async function startNotice(tx: Tx, key: AgentKey, { state, answer }: MailUpdate, at: Date): Promise<boolean> {
  const settledAt = state === 'QUEUED' ? null : at
  const changed = await tx`
    insert into agent_notice ${tx({ ...key, state, answer, queuedAt: at, settledAt })}
    on conflict (case_ref, staff_id) do update set state = excluded.state, answer = excluded.answer,
      queued_at = excluded.queued_at, settled_at = excluded.settled_at
    where agent_notice.state <> 'SENT' and (agent_notice.state <> 'QUEUED' or excluded.state = 'SENT') returning 1`
  return changed.length > 0
}

/** Returns the agent of a queued notice; undefined if the notice is no longer queued. */
export async function findAgentToIntroduce(tx: Tx, { caseRef, staffId }: AgentKey) {
  const [row] = await tx<{ loanId: string; agent: string; email: string; leadSealed: Buffer }>`
    select c.loan_id, s.name as agent, s.email, d.lead_sealed
    from agent_notice n join case_file c using (case_ref) join case_lead d using (case_ref) join staff s using (staff_id)
    where n.case_ref = ${caseRef} and n.staff_id = ${staffId} and n.state = 'QUEUED' for update of n`
  return row
}

/** Records what became of the mail of a notice. */
export async function updateNotice(
  db: Run,
  { caseRef, staffId }: AgentKey,
  { state, answer }: MailUpdate,
  at: Date,
): Promise<void> {
  await db`
    update agent_notice set state = ${state}, answer = ${answer}, settled_at = ${state === 'QUEUED' ? null : at}
    where case_ref = ${caseRef} and staff_id = ${staffId}`
}

/** Returns the notice that introduces an agent; undefined if none was queued. */
export async function noticeOf(db: Run, { caseRef, staffId }: AgentKey): Promise<AgentNotice | undefined> {
  const [row] = await db<AgentNotice>`
    select staff_id, state, answer, settled_at from agent_notice where case_ref = ${caseRef} and staff_id = ${staffId}`
  return row
}

/** Returns the notice that introduces the current agent of a case. */
export async function noticeOfAgent(db: Run, caseRef: string): Promise<AgentNotice | undefined> {
  const [row] = await db<AgentNotice>`
    select n.staff_id, n.state, n.answer, n.settled_at
    from collection_agent a join agent_notice n using (case_ref, staff_id) where a.case_ref = ${caseRef}`
  return row
}

// Promises

export interface PaymentPromise {
  caseRef: string
  promiseId: string
  amountPaise: Paise
  promisedOn: string
  state: 'OPEN' | 'KEPT' | 'BROKEN'
  /** The money that was received by the promised day; null until the promise is decided. */
  receivedPaise: Paise | null
  madeBy: string
  madeAt: Date
  decidedAt: Date | null
}

/** Returns the promises of a case, newest first. */
export const promisesOf = (db: Run, caseRef: string) => db<PaymentPromise>`
  select case_ref, promise_id, amount_paise, promised_on, state, received_paise, made_by, made_at, decided_at
  from payment_promise where case_ref = ${caseRef} order by made_at desc`

/** Stores an open promise. */
export async function insertPromise(
  tx: Tx,
  promise: Pick<PaymentPromise, 'caseRef' | 'promiseId' | 'amountPaise' | 'promisedOn' | 'madeBy' | 'madeAt'>,
): Promise<void> {
  await tx`insert into payment_promise ${tx({ ...promise })}`
}

/**
 * Decides open promises up to a day. A promise is kept if the borrower paid at least the amount between the promise and
 * its day, and the money was not returned. Returns the numbers of kept and broken promises.
 */
export async function decidePromises(tx: Tx, through: string, at: Date): Promise<{ kept: number; broken: number }> {
  const decided = await tx<{ state: 'KEPT' | 'BROKEN' }>`
    with due as (
      select p.case_ref, p.promise_id, p.amount_paise, coalesce((
        select sum(r.amount_paise) from payment r where r.case_ref = p.case_ref and r.status = 'POSTED'
          and r.reversal_of_payment_id is null and r.updated_at >= p.made_at and r.value_on <= p.promised_on), 0)::bigint as received
      from payment_promise p where p.state = 'OPEN' and p.promised_on <= ${through}::date)
    update payment_promise p set state = case when due.received >= due.amount_paise then 'KEPT' else 'BROKEN' end,
      received_paise = due.received, decided_at = ${at}
    from due where p.case_ref = due.case_ref and p.promise_id = due.promise_id and p.state = 'OPEN'
    returning p.state`
  const kept = decided.filter(({ state }) => state === 'KEPT').length
  return { kept, broken: decided.length - kept }
}

// Contacts

export const contactChannels = ['CALL', 'VISIT', 'MESSAGE', 'POST', 'OTHER'] as const

export type ContactChannel = (typeof contactChannels)[number]

export const contactOutcomes = ['REACHED', 'NOT_REACHED', 'WRONG_NUMBER', 'REFUSED'] as const

export type ContactOutcome = (typeof contactOutcomes)[number]

/** `OUTSIDE_HOURS`: outside the contact hours. `AGENT_UNKNOWN`: the agent was not introduced before. */
export type Breach = 'OUTSIDE_HOURS' | 'AGENT_UNKNOWN'

export interface ContactNote {
  caseRef: string
  noteId: string
  way: ContactChannel
  outcome: ContactOutcome
  textSealed: Buffer
  staffId: string
  contactedAt: Date
  notedAt: Date
  breach: Breach | null
}

/** Stores a contact with the borrower. */
export async function insertContact(tx: Tx, note: ContactNote): Promise<void> {
  await tx`insert into contact_note ${tx({ ...note })}`
}

/** Returns the contacts of a case, newest first, with the name of the staff member. */
export const contactsOf = (db: Run, caseRef: string) => db<ContactNote & { name: string }>`
  select n.case_ref, n.note_id, n.way, n.outcome, n.text_sealed, n.staff_id, n.contacted_at, n.noted_at,
    n.breach, s.name
  from contact_note n join staff s using (staff_id) where n.case_ref = ${caseRef} order by n.contacted_at desc`

// Reminders

export interface ReminderKey {
  caseRef: string
  number: number
  /** `before-2`: two days before the due date. `after-1`: one day after the due date. */
  kind: string
}

interface ReminderDays extends DuesLimit {
  before: number[]
  after: number[]
  /** Those of `after` whose due date has debits, so that the row is overdue even if its day-end is late. */
  afterDebits: number[]
}

/**
 * Inserts and returns the new reminders of a day, for unpaid instalments that are due `before` days later, and for
 * overdue ones that count from `after` days earlier, if the loan owed more than the tolerance yesterday. Concurrent
 * callers never get the same reminder.
 */
export const insertReminders = (
  tx: Tx,
  { on, tolerance, before, after, afterDebits }: ReminderDays,
  at: Date,
) => tx<ReminderKey>`
  insert into reminder (case_ref, number, kind, state, queued_at)
  select i.case_ref, i.number, i.kind, 'QUEUED', ${at}
  from (
    select r.case_ref, r.number, r.status, 'before-' || n as kind, true as is_before
    from unnest(${before}::integer[]) as n join installment r on r.due_on = ${on}::date + n
    union all
    select r.case_ref, r.number, r.status, 'after-' || n, false
    from unnest(${after}::integer[]) as n join installment r on r.due_on = ${on}::date - n
    where r.counts_from is null and (r.fell_due or n = any(${afterDebits}::integer[]))
    union all
    select r.case_ref, r.number, r.status, 'after-' || n, false
    from unnest(${after}::integer[]) as n join installment r on r.counts_from = ${on}::date - n
    where not r.is_waiting) as i
    join loan l on l.case_ref = i.case_ref
  where l.status in ('ACTIVE', 'OVERDUE') and i.status <> 'PAID' and (
    i.is_before or ${pastDueSince({ on: plusDays(on, -1), tolerance })} < ${on}::date)
  on conflict (case_ref, number, kind) do nothing
  returning case_ref, number, kind`

export interface DueReminder {
  loanId: string
  dueOn: string
  owedPaise: Paise
  /** The last day to pay after a request to cancel in the cooling-off period; null unless it is `on` or later. */
  exitUntil: string | null
  leadSealed: Buffer
}

/** Returns the instalment of a queued reminder; undefined if it is paid, or a payment of the loan is held. */
export async function reminderToSend(
  tx: Tx,
  { caseRef, number, kind }: ReminderKey,
  on: string,
): Promise<DueReminder | undefined> {
  const [row] = await tx<DueReminder>`
    select l.loan_id, case when l.exit_until >= ${on} then l.exit_until end as exit_until, i.due_on, d.lead_sealed, (i.principal_paise + i.interest_paise + i.charges_paise + i.penalty_paise
      - i.principal_paid_paise - i.interest_paid_paise - i.charges_paid_paise - i.penalty_paid_paise)::bigint as owed_paise
    from reminder r join installment i using (case_ref, number) join loan l using (case_ref)
      join case_lead d using (case_ref)
    where r.case_ref = ${caseRef} and r.number = ${number} and r.kind = ${kind} and r.state = 'QUEUED' and i.status <> 'PAID'
      and not exists (select from payment p where p.case_ref = r.case_ref and p.status = 'PENDING_VERIFICATION'
        and p.receipt_id is not null)
    for update of r`
  return row
}

/** Records what became of the mail of a reminder. */
export async function updateReminder(
  db: Run,
  { caseRef, number, kind }: ReminderKey,
  { state, answer }: MailUpdate,
  at: Date,
): Promise<void> {
  await db`
    update reminder set state = ${state}, answer = ${answer}, settled_at = ${state === 'QUEUED' ? null : at}
    where case_ref = ${caseRef} and number = ${number} and kind = ${kind}`
}

/** Returns the reminders of a case, newest first. */
export const remindersOf = (db: Run, caseRef: string) => db<ReminderKey & { state: string; queuedAt: Date }>`
  select case_ref, number, kind, state, queued_at from reminder where case_ref = ${caseRef} order by queued_at desc`

// Tests collection days, reminders, promises to pay, and the introduction of agents.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { businessDate, dayText, plusDays, startOf } from '@lendloom/lending/calendar'
import { uuidv4 } from '@lendloom/seal/id'
import { openCollections } from '@lendloom/tests/setup/collection'
import { mailServer } from '@lendloom/tests/setup/mail-server'
import { until } from '@lendloom/tests/setup/programs'
import { lockCase } from '#partner/origination/case/store.ts'
import { isCollectionDay, mayContact } from '#partner/servicing/collection/collection-calendar.ts'
import { holdDebits, releaseHold } from '#partner/servicing/collection/debit/debit-hold.ts'
import { prepareDebit } from '#partner/servicing/collection/debit/prepare-debit.ts'
import { policyOn } from '#partner/servicing/collection/policy/store.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { mailBeforeDue } from './borrower-mail-text-en.ts'
import { agentNoticeWorker, introduceAgent } from './introduce-agent.ts'
import { decideDuePromises, recordPromise } from './promise.ts'
import { breachOf } from './record-contact.ts'
import { queueReminders, reminderMailWorker, sendReminder } from './send-reminders.ts'
import { assignAgent, noticeOf, promisesOf, remindersOf } from './store.ts'

const mails = await mailServer()
const open = await openCollections({ SMTP_URL: mails.url })
const { ctx, advanceClock } = open
const { db, clock } = ctx

/** Advances the clock to an hour of the next day, and returns that day. */
function advanceToHour(hour: number): string {
  const on = plusDays(businessDate(clock()), 1)
  advanceClock({ seconds: (startOf(on).getTime() + hour * 3_600_000 - clock().getTime()) / 1000 })
  return on
}
const insertPolicy = (change: { on: string; weekdays?: number[]; onHolidays?: boolean }) => db`
  insert into collection_policy (from_on, retry_days, most_attempts, weekdays, on_holidays, contact_from_hour,
    contact_until_hour, remind_before, remind_after)
  values (${change.on}, 2, 3, ${change.weekdays ?? [1, 2, 3, 4, 5, 6, 7]}, ${change.onHolidays ?? true}, 8, 19, '{2}', '{1,7}')`

test('D3 §6.7: the policy and holds block debits, and an officer can override the policy', async () => {
  const on = businessDate(clock())
  const caseRef = await open.disbursedLoan()
  await insertPolicy({ on, onHolidays: false })
  await db`insert into bank_holiday (holiday_on, name) values (${on}, 'A feast') on conflict do nothing`
  assert.deepEqual(await prepareDebit(ctx, caseRef, clock()), { blocked: 'NO_COLLECTION_DAY' })
  const withLock = <T>(work: (tx: Parameters<Parameters<typeof db.tx>[0]>[0]) => Promise<T>) =>
    db.tx(async (tx) => {
      await lockCase(tx, caseRef)
      return work(tx)
    })
  await withLock((tx) => holdDebits(tx, caseRef, 'DISPUTE', clock()))
  await assert.rejects(
    withLock((tx) => holdDebits(tx, caseRef, 'OTHER', clock())),
    /already on hold/,
  )
  assert.deepEqual(await prepareDebit(ctx, caseRef, clock(), async () => {}), { blocked: 'ON_HOLD' })
  await withLock((tx) => releaseHold(tx, caseRef))
  assert.ok(
    'amountPaise' in (await prepareDebit(ctx, caseRef, clock(), async () => {})),
    'an officer overrides the policy',
  )
  await db`delete from bank_holiday where name = 'A feast'`
  const { holiday } = await policyOn(db, '2027-01-26')
  assert.equal(holiday, 'Republic Day')
  const monday = { weekdays: [1], onHolidays: true, holiday: null }
  assert.deepEqual(
    ['2026-11-22', '2026-11-23', '2026-11-24'].map((day) => isCollectionDay(monday, day)),
    [false, true, false],
  )
})

test('RBI, hours of contact: each reminder is sent once, between 8:00 and 19:00', async () => {
  const hours = { contactFromHour: 8, contactUntilHour: 19 }
  const at = (time: string) => new Date(`2026-11-20T${time}:00+05:30`)
  assert.deepEqual(
    ['07:59', '08:00', '18:59', '19:00'].map((time) => mayContact(hours, at(time))),
    [false, true, true, false],
  )
  advanceToHour(7)
  // The first instalment was due yesterday, the second is due in six days.
  const caseRef = await open.disbursedLoan('1234', { daysAgo: 8 })
  assert.equal(await queueReminders(ctx), 0, 'before the contact hours')
  advanceClock({ seconds: 3600 })
  await queueReminders(ctx)
  await queueReminders(ctx)
  assert.deepEqual(
    (await remindersOf(db, caseRef)).map(({ number, kind }) => ({ number, kind })),
    [{ number: 1, kind: 'after-1' }],
  )
  const stop = open.runWorkers(reminderMailWorker)
  const reminderStates = async () => (await remindersOf(db, caseRef)).map(({ state }) => state)
  await until('the reminder to be sent', async () => (await reminderStates()).includes('SENT'))
  await stop()
  assert.deepEqual(await reminderStates(), ['SENT'])
  const sentCount = mails.mails.length
  await sendReminder(ctx, { caseRef, number: 1, kind: 'after-1' })
  assert.equal(mails.mails.length, sentCount, 'a mail is never sent twice')
  const { loanId } = (await accountOf(db, caseRef)) ?? {}
  const [mail] = mails.mails.filter(({ text }) => text.includes(`${loanId}`))
  assert.ok(mail, 'the mail names the loan')
  assert.match(mail.text, /^Subject: =\?UTF-8\?Q\?=E2=82=B94=2C790_was_due_on_\d+_[A-Z][a-z]{2}_\d{4}\?=\r$/m)
  advanceToHour(9)
  advanceClock({ days: 3 })
  await queueReminders(ctx)
  assert.deepEqual((await remindersOf(db, caseRef)).map(({ number, kind }) => `${number} ${kind}`).sort(), [
    '1 after-1',
    '2 before-2',
  ])
  const exitUntil = businessDate(clock())
  await db`update loan set exit_until = ${exitUntil} where case_ref = ${caseRef}`
  await sendReminder(ctx, { caseRef, number: 2, kind: 'before-2' })
  const text = mails.mails.at(-1)?.text.replace(/=\r\n/g, '')
  assert.match(text ?? '', new RegExp(`cancel this loan.*by ${dayText(exitUntil)}, we will not collect`))
  assert.match(text ?? '', /debited on or after \d+\s\w+\s\d{4} through your mandate SBXB7\d+\./)
  assert.match(text ?? '', /To stop this debit, ask your bank to stop the payment or cancel the mandate before/)
})

test('RBI, e-mandate framework: a reminder states amount, day, mandate, and how to stop the debit and whom to contact', () => {
  const facts = { lender: 'Celestium', name: 'Asha', loanId: '70012345', amount: '₹4,790', dueOn: '4 Dec 2026' }
  const textOf = (mandateNumber: string | null, isPausable: boolean, debitOn = facts.dueOn) =>
    mailBeforeDue({ ...facts, debitOn, exitUntil: null, officer: 'Meera, 080 1234', mandateNumber, isPausable }).text
  const upi = textOf('0123@okbank', true)
  for (const part of ['₹4,790', '4 Dec 2026', 'mandate 0123@okbank', 'pause or cancel the mandate in your UPI app'])
    assert.ok(upi.includes(part), part)
  assert.match(upi, /Questions and complaints: Meera, 080 1234/)
  assert.match(textOf('SBXB7', false), /ask your bank to stop the payment or cancel the mandate/)
  assert.match(textOf(null, false), /You have no active mandate, so please pay it yourself/)
  assert.doesNotMatch(upi, /no debits/)
  const later = textOf('SBXB7', false, '8 Dec 2026')
  assert.match(later, /There are no debits on 4 Dec 2026: the next day with debits is 8 Dec 2026/)
  assert.match(later, /the days until then are free of charge/)
  assert.match(later, /debited on or after 8 Dec 2026 through your mandate SBXB7/)
  assert.match(later, /cancel the mandate before 8 Dec 2026/)
  assert.match(
    textOf(null, false, '8 Dec 2026'),
    /8 Dec 2026, and the days until then are free of charge\. You have no/,
  )
})

test('a promise is kept if the borrower pays the amount by its day, otherwise broken', async () => {
  const keptCase = await open.disbursedLoan()
  const brokenCase = await open.disbursedLoan()
  const today = businessDate(clock())
  const promise = (caseRef: string, amountPaise: bigint, promisedOn: string) =>
    db.tx((tx) => recordPromise(tx, { caseRef, amountPaise, promisedOn, madeBy: uuidv4() }, clock()))
  await assert.rejects(promise(keptCase, 100_00n, today), /not overdue/)
  await db`update loan set status = 'OVERDUE' where case_ref in (${keptCase}, ${brokenCase})`
  await assert.rejects(promise(keptCase, 100_00n, plusDays(today, -1)), /next sixty days/)
  await promise(keptCase, 100_00n, today)
  await promise(brokenCase, 100_00n, today)
  await assert.rejects(promise(keptCase, 50_00n, today), /open/)
  await db`
    insert into payment (case_ref, payment_id, status, method, amount_paise, installment_ids, value_on, created_at, updated_at)
    values (${keptCase}, ${uuidv4()}, 'POSTED', 'UPI', 10000, '{}', ${today}, ${clock()}, ${clock()})`
  assert.deepEqual(await decideDuePromises(ctx), { kept: 0, broken: 0 }, 'the day is not over')
  advanceToHour(1)
  assert.deepEqual(await decideDuePromises(ctx), { kept: 1, broken: 1 })
  assert.deepEqual(await decideDuePromises(ctx), { kept: 0, broken: 0 })
  const states = await Promise.all(
    [keptCase, brokenCase].map(async (caseRef) => (await promisesOf(db, caseRef))[0]?.state),
  )
  assert.deepEqual(states, ['KEPT', 'BROKEN'])
})

test('key facts statement, recovery agents: a contact by an agent before the notice to the borrower is a breach', async () => {
  const caseRef = await open.disbursedLoan()
  const staffId = uuidv4()
  await db`
    insert into staff (staff_id, email, name, roles, password_hash, created_at)
    values (${staffId}, 'vikram@lender.example', 'Vikram Rao', '{collections}', 'x', ${clock()})`
  const assign = (sentByPost = false) =>
    db.tx(async (tx) => {
      await assignAgent(tx, caseRef, staffId, clock())
      await introduceAgent({ ...ctx, tx, at: clock() }, { caseRef, staffId, sentByPost })
    })
  const notice = () => noticeOf(db, { caseRef, staffId })
  const call = () => ({ caseRef, staffId, way: 'CALL' as const, contactedAt: clock() })
  const breachedRule = (note: Parameters<typeof breachOf>[1] = call()) => db.tx((tx) => breachOf(tx, note))
  const agentMails = () => mails.mails.filter(({ text }) => text.includes('Vikram Rao handles')).length
  advanceToHour(10)
  mails.refusalCode = 550
  await assign()
  assert.equal((await notice())?.state, 'QUEUED')
  assert.equal(await breachedRule(), 'AGENT_UNKNOWN')
  const stop = open.runWorkers(agentNoticeWorker)
  await until('the mail server rejects the notice', async () => (await notice())?.state === 'FAILED')
  assert.equal(await breachedRule(), 'AGENT_UNKNOWN')
  mails.refusalCode = null
  await assign()
  await until('the mail was sent', async () => (await notice())?.state === 'SENT')
  await assign()
  assert.equal(await breachedRule(), null)
  assert.equal(agentMails(), 1)
  const { loanId } = (await accountOf(db, caseRef)) ?? {}
  const [mail] = mails.mails.filter(({ text }) => text.includes(`${loanId}`))
  assert.match(mail!.text, /You can reach Vikram Rao at vikram@lender\.example/)
  // A call before the mail is a breach; a letter, or a call by staff who is not the agent, is not.
  const before = secondsAfter(clock(), -3600)
  assert.equal(await breachedRule({ ...call(), contactedAt: before }), 'AGENT_UNKNOWN')
  assert.equal(await breachedRule({ ...call(), contactedAt: before, way: 'POST' }), null)
  assert.equal(await breachedRule({ ...call(), contactedAt: before, staffId: uuidv4() }), null)
  assert.equal(await breachedRule({ ...call(), contactedAt: secondsAfter(clock(), 11 * 3600) }), 'OUTSIDE_HOURS')
  await stop()
})

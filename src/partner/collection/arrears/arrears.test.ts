// Work on arrears: the days of debits by policy, reminders each once and only within the hours, promises decided by what came in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '#kit/crypto/id.ts'
import { businessDate, plusDays, startOf } from '#kit/money/calendar.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { lockCase } from '#partner/case/store.ts'
import { collect } from '#partner/collection/collect.ts'
import { holdDebits, releaseHold } from '#partner/collection/hold.ts'
import { isCollectionDay, mayContact } from '#partner/collection/hours.ts'
import { policyOn } from '#partner/collection/policy/store.ts'
import { accountOf } from '#partner/loan/account.ts'
import { openCollections } from '#test/setup/collection.ts'
import { mailServer } from '#test/setup/mail-server.ts'
import { until } from '#test/setup/programs.ts'
import { breachOf } from './contact.ts'
import { introduce, introducingAgents } from './introduce.ts'
import { queueReminders, sendingReminders, sendReminder } from './remind.ts'
import { assignAgent, decideDue, makePromise, noticeOf, promisesOf, remindersOf } from './store.ts'

const mails = await mailServer()
const open = await openCollections({ SMTP_URL: mails.url })
const { ctx, pass } = open
const { db, clock } = ctx

/** Moves the clock to an hour of the next day. */
function toHour(hour: number): string {
  const on = plusDays(businessDate(clock()), 1)
  pass({ seconds: (startOf(on).getTime() + hour * 3_600_000 - clock().getTime()) / 1000 })
  return on
}
const policyRow = (change: { on: string; weekdays?: number[]; onHolidays?: boolean }) => db`
  insert into collection_policy (from_on, retry_days, most_attempts, weekdays, on_holidays, contact_from_hour,
    contact_until_hour, remind_before, remind_after)
  values (${change.on}, 2, 3, ${change.weekdays ?? [1, 2, 3, 4, 5, 6, 7]}, ${change.onHolidays ?? true}, 8, 19, '{2}', '{1,7}')`

test('D3 §6.7: the policy is data: bank holidays and days of the week keep debits back, a person overrides it and holds', async () => {
  const on = businessDate(clock())
  const caseRef = await open.loan()
  await policyRow({ on, onHolidays: false })
  await db`insert into bank_holiday (holiday_on, name) values (${on}, 'A feast') on conflict do nothing`
  assert.deepEqual(await collect(ctx, caseRef, clock()), { blocked: 'NO_COLLECTION_DAY' })
  const act = <T>(work: (tx: Parameters<Parameters<typeof db.tx>[0]>[0]) => Promise<T>) =>
    db.tx(async (tx) => {
      await lockCase(tx, caseRef)
      return work(tx)
    })
  await act((tx) => holdDebits(tx, caseRef, 'DISPUTE', clock()))
  await assert.rejects(
    act((tx) => holdDebits(tx, caseRef, 'OTHER', clock())),
    /held already/,
  )
  assert.deepEqual(await collect(ctx, caseRef, clock(), async () => {}), { blocked: 'ON_HOLD' })
  await act((tx) => releaseHold(tx, caseRef))
  assert.ok('amountPaise' in (await collect(ctx, caseRef, clock(), async () => {})), 'a person presents it')
  const { holiday } = await policyOn(db, '2027-01-26')
  assert.equal(holiday, 'Republic Day')
  const monday = { weekdays: [1], onHolidays: true, holiday: null }
  assert.deepEqual(
    ['2026-11-22', '2026-11-23', '2026-11-24'].map((day) => isCollectionDay(monday, day)),
    [false, true, false],
  )
})

test('RBI, hours of contact: a reminder of each kind goes out once, between eight and seven, and none for what is paid', async () => {
  const hours = { contactFromHour: 8, contactUntilHour: 19 }
  const at = (time: string) => new Date(`2026-11-20T${time}:00+05:30`)
  assert.deepEqual(
    ['07:59', '08:00', '18:59', '19:00'].map((time) => mayContact(hours, at(time))),
    [false, true, true, false],
  )
  toHour(7)
  // Its first instalment was due yesterday, as the second one is in six days.
  const caseRef = await open.loan('1234', { daysAgo: 8 })
  assert.equal(await queueReminders(ctx), 0, 'it is too early in the day')
  pass({ seconds: 3600 })
  await queueReminders(ctx)
  await queueReminders(ctx)
  assert.deepEqual(
    (await remindersOf(db, caseRef)).map(({ number, kind }) => [number, kind]),
    [[1, 'after-1']],
  )
  const stop = open.run(sendingReminders)
  const mine = async () => (await remindersOf(db, caseRef)).map(({ state }) => state)
  for (let i = 0; i < 200 && !(await mine()).includes('SENT'); i++) await new Promise((done) => setTimeout(done, 25))
  await stop()
  assert.deepEqual(await mine(), ['SENT'])
  const sent = mails.mails.length
  await sendReminder(ctx, { caseRef, number: 1, kind: 'after-1' })
  assert.equal(mails.mails.length, sent, 'a mail is never sent twice')
  const { loanId } = (await accountOf(db, caseRef)) ?? {}
  const [mail] = mails.mails.filter(({ text }) => text.includes(`${loanId}`))
  assert.ok(mail, 'the mail names the loan')
  toHour(9)
  pass({ days: 3 })
  await queueReminders(ctx)
  assert.deepEqual((await remindersOf(db, caseRef)).map(({ number, kind }) => `${number} ${kind}`).sort(), [
    '1 after-1',
    '2 before-2',
  ])
})

test('a promise is kept or broken by what came in until its day, and one is open at a time', async () => {
  const [keeps, breaks] = [await open.loan(), await open.loan()]
  const today = businessDate(clock())
  const promise = (caseRef: string, amountPaise: bigint, promisedOn: string) =>
    db.tx((tx) => makePromise(tx, { caseRef, amountPaise, promisedOn, madeBy: uuidv4() }, clock()))
  await assert.rejects(promise(keeps, 100_00n, plusDays(today, -1)), /sixty days/)
  await promise(keeps, 100_00n, today)
  await promise(breaks, 100_00n, today)
  await assert.rejects(promise(keeps, 50_00n, today), /open/)
  await db`
    insert into payment (case_ref, payment_id, status, method, amount_paise, installment_ids, value_on, created_at, updated_at)
    values (${keeps}, ${uuidv4()}, 'POSTED', 'UPI', 10000, '{}', ${today}, ${clock()}, ${clock()})`
  assert.deepEqual(await decideDue(ctx), { kept: 0, broken: 0 }, 'the day is not over')
  toHour(1)
  assert.deepEqual(await decideDue(ctx), { kept: 1, broken: 1 })
  assert.deepEqual(await decideDue(ctx), { kept: 0, broken: 0 })
  const states = await Promise.all([keeps, breaks].map(async (caseRef) => (await promisesOf(db, caseRef))[0]?.state))
  assert.deepEqual(states, ['KEPT', 'BROKEN'])
})

test('key facts statement, recovery agents: the borrower is sent the name and the contact of an agent once, before any contact', async () => {
  const caseRef = await open.loan()
  const staffId = uuidv4()
  await db`
    insert into staff (staff_id, email, name, roles, password_hash, created_at)
    values (${staffId}, 'vikram@lender.example', 'Vikram Rao', '{collections}', 'x', ${clock()})`
  const assign = (sentByPost = false) =>
    db.tx(async (tx) => {
      await assignAgent(tx, caseRef, staffId, clock())
      await introduce({ ...ctx, tx, at: clock() }, { caseRef, staffId, sentByPost })
    })
  const notice = () => noticeOf(db, { caseRef, staffId })
  const call = () => ({ caseRef, staffId, way: 'CALL' as const, contactedAt: clock() })
  const broken = (note: Parameters<typeof breachOf>[1] = call()) => db.tx((tx) => breachOf(tx, note))
  const mine = () => mails.mails.filter(({ text }) => text.includes('Vikram Rao handles')).length
  toHour(10)
  mails.refusing = 550
  await assign()
  assert.deepEqual([(await notice())?.state, await broken()], ['QUEUED', 'AGENT_UNKNOWN'])
  const stop = open.run(introducingAgents)
  await until('the server refuses it', async () => (await notice())?.state === 'FAILED')
  assert.equal(await broken(), 'AGENT_UNKNOWN')
  mails.refusing = null
  await assign()
  await until('the mail went out', async () => (await notice())?.state === 'SENT')
  await assign()
  assert.deepEqual([await broken(), mine()], [null, 1])
  const { loanId } = (await accountOf(db, caseRef)) ?? {}
  const [mail] = mails.mails.filter(({ text }) => text.includes(`${loanId}`))
  assert.match(mail!.text, /You can reach Vikram Rao at vikram@lender\.example/)
  // What was before the mail was before the borrower knew; a letter, and a colleague who is no agent, are another thing.
  const before = secondsAfter(clock(), -3600)
  assert.equal(await broken({ ...call(), contactedAt: before }), 'AGENT_UNKNOWN')
  assert.equal(await broken({ ...call(), contactedAt: before, way: 'POST' }), null)
  assert.equal(await broken({ ...call(), contactedAt: before, staffId: uuidv4() }), null)
  assert.equal(await broken({ ...call(), contactedAt: secondsAfter(clock(), 11 * 3600) }), 'OUTSIDE_HOURS')
  await stop()
})

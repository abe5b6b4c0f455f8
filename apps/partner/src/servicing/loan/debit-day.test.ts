// A due date on a day without debits: overdue, class and penal charges count from the next day with debits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays } from '@lendloom/lending/calendar'
import type { Db } from '@lendloom/postgres/sql'
import { testAccounts } from '@lendloom/tests/setup/account'
import { readEntries } from '#partner/books/ledger/store.ts'
import { loansAfter } from '#partner/records/report/store.ts'
import { insertReminders } from '#partner/servicing/collection/arrears/store.ts'
import { payoffOf } from './account-view.ts'
import { daysPastDue } from './class/asset-class.ts'
import { readPastDueSince } from './class/store.ts'

/** A Saturday. The lender presents debits from Monday to Friday, except on bank holidays. */
const dueOn = '2026-11-28'
const firstDebitOn = '2026-12-02'

async function lenderWith(holidays: string[]) {
  const accounts = await testAccounts()
  const { db } = accounts
  const setPolicy = (from: string, weekdays: number[]) => db`
    insert into collection_policy (from_on, retry_days, most_attempts, weekdays, on_holidays, contact_from_hour,
      contact_until_hour, remind_before, remind_after)
    values (${from}, 2, 3, ${weekdays}, false, 8, 19, '{2}', '{1,7}')`
  await setPolicy('2026-11-01', [1, 2, 3, 4, 5])
  const addHoliday = (on: string) => db`insert into bank_holiday (holiday_on, name) values (${on}, 'A feast')`
  for (const on of holidays) await addHoliday(on)
  return {
    ...accounts,
    setPolicy,
    addHoliday,
    removeHoliday: (on: string) => db`delete from bank_holiday where holiday_on = ${on}`,
    openDue: (on: string) => accounts.open({}, plusDays(on, -7)),
    penaltiesOf: async (caseRef: string) =>
      (await readEntries(db, caseRef))
        .filter(({ kind }) => kind === 'PENALTY')
        .map(({ entryId, businessOn }) => `${entryId} ${businessOn}`),
    /** Ends a day, and returns what the borrower sees of it. */
    async stateAfter(caseRef: string, on: string) {
      await accounts.endDay(on)
      const { loanStatus, assetClass, soa } = await accounts.view(caseRef)
      const since = await readPastDueSince(db, caseRef, { on, tolerance: 0n })
      return { loanStatus, assetClass, days: daysPastDue(since, on), overdue: soa.overduePaise }
    },
  }
}

const notLate = { loanStatus: 'ACTIVE', assetClass: 'STANDARD', days: 0, overdue: 0n }
const late = (days: number) => ({ loanStatus: 'OVERDUE', assetClass: 'SMA_0', days, overdue: 4790_00n })

/** The days of the reminders that would be sent for the case. */
const remindersOn = async (db: Db, caseRef: string, on: string) =>
  (
    await db.tx((tx) =>
      insertReminders(
        tx,
        { on, tolerance: 10_00n, before: [], after: [1, 7], afterDebits: [] },
        new Date(`${on}T06:00:00Z`),
      ),
    )
  ).flatMap((reminder) => (reminder.caseRef === caseRef ? [reminder.kind] : []))

test('Penal charges, 18 August 2023: due on a Saturday before two holidays costs nothing before debit and grace', async () => {
  const { db, openDue, stateAfter, penaltiesOf, view, endDay } = await lenderWith(['2026-11-30', '2026-12-01'])
  const caseRef = await openDue(dueOn)
  for (let on = dueOn; on < firstDebitOn; on = plusDays(on, 1)) {
    assert.deepEqual(await stateAfter(caseRef, on), notLate, on)
    assert.deepEqual(await remindersOn(db, caseRef, plusDays(on, 1)), [], on)
  }
  const [row] = (await view(caseRef)).schedule.installments
  assert.equal(row?.status, 'DUE')
  const due = (await readEntries(db, caseRef)).find(({ entryId }) => entryId === 'due-1')
  assert.equal(due?.businessOn, dueOn, 'the interest is earned on the agreed day')
  assert.deepEqual(await stateAfter(caseRef, firstDebitOn), late(1))
  assert.deepEqual(await remindersOn(db, caseRef, plusDays(firstDebitOn, 1)), ['after-1'])
  const payoff = await payoffOf(db, caseRef, plusDays(firstDebitOn, 4), new Date('2026-12-03T06:00:00Z'))
  assert.equal(payoff?.penalty, 48_00n, 'the amount that closes the loan has the charge of its day')
  await endDay('2026-12-04')
  assert.deepEqual(await penaltiesOf(caseRef), [], 'two days of grace after the first debit')
  await endDay('2026-12-12')
  assert.deepEqual(await penaltiesOf(caseRef), [
    'penalty-1-1 2026-12-05',
    'penalty-2-1 2026-12-10',
    'penalty-1-2 2026-12-12',
  ])
})

test('RBI, asset classification: days past due and classes count from the first day with debits', async () => {
  const { db, openDue, endDay, view } = await lenderWith(['2026-11-30', '2026-12-01'])
  const caseRef = await openDue(dueOn)
  await endDay(plusDays(firstDebitOn, 29))
  assert.equal((await view(caseRef)).assetClass, 'SMA_0', 'day 30')
  await endDay(plusDays(firstDebitOn, 30))
  assert.equal((await view(caseRef)).assetClass, 'SMA_1', 'day 31')
  const [line] = await loansAfter(db, { closedSince: dueOn, after: '', limit: 1, tolerance: 0n })
  assert.equal(line?.oldestDueOn, firstDebitOn, 'the bureau report counts the same days')
})

test('Penal charges, 18 August 2023: due on a holiday, the days count from the next day; on a debit day they stay', async () => {
  const { openDue, stateAfter, penaltiesOf, endDay } = await lenderWith(['2026-11-25'])
  const onHoliday = await openDue('2026-11-25')
  const onDebitDay = await openDue('2026-11-26')
  assert.deepEqual(await stateAfter(onHoliday, '2026-11-25'), notLate)
  assert.deepEqual(await stateAfter(onHoliday, '2026-11-26'), late(1))
  assert.deepEqual(await stateAfter(onDebitDay, '2026-11-26'), late(1))
  await endDay('2026-11-29')
  assert.deepEqual(await penaltiesOf(onHoliday), ['penalty-1-1 2026-11-29'])
  assert.deepEqual(await penaltiesOf(onDebitDay), ['penalty-1-1 2026-11-29'])
})

test('Penal charges, 18 August 2023: a policy or a holiday that comes later never makes a row late earlier', async () => {
  const { openDue, stateAfter, setPolicy, addHoliday, removeHoliday } = await lenderWith(['2026-11-30', '2026-12-01'])
  const caseRef = await openDue(dueOn)
  assert.deepEqual(await stateAfter(caseRef, dueOn), notLate)
  await removeHoliday('2026-11-30')
  assert.deepEqual(await stateAfter(caseRef, '2026-11-30'), notLate, 'the row already counts from a later day')
  await addHoliday(firstDebitOn)
  assert.deepEqual(await stateAfter(caseRef, firstDebitOn), notLate, 'a new holiday moves the count')
  await setPolicy('2026-12-03', [1])
  assert.deepEqual(await stateAfter(caseRef, '2026-12-03'), notLate, 'a new policy moves the count')
  assert.deepEqual(await stateAfter(caseRef, '2026-12-06'), notLate)
  // The second row was due on the Saturday before, and waits for the same Monday.
  assert.deepEqual(await stateAfter(caseRef, '2026-12-07'), { ...late(1), overdue: 2n * 4790_00n })
})

test('RBI, asset classification: money of a day before the first debit corrects the class that counted from it', async () => {
  const { openDue, receive, endDay, view, setClock, penaltiesOf } = await lenderWith(['2026-11-30', '2026-12-01'])
  const caseRef = await openDue(dueOn)
  await endDay(plusDays(dueOn, 6))
  assert.equal((await view(caseRef)).assetClass, 'SMA_0')
  setClock(new Date('2026-12-05T06:00:00Z'))
  await receive(caseRef, 4790_00n, '2026-11-30')
  await endDay('2026-12-05')
  assert.equal((await view(caseRef)).assetClass, 'STANDARD')
  assert.deepEqual(await penaltiesOf(caseRef), [])
})

test('D3 §2.5: a row that was paid before its first day with debits is overdue if the payment is returned', async () => {
  const { openDue, receive, reverse, endDay, view, setClock } = await lenderWith(['2026-11-30', '2026-12-01'])
  const caseRef = await openDue(dueOn)
  await endDay(dueOn)
  setClock(new Date('2026-11-29T06:00:00Z'))
  const paymentId = '018f0000-0000-7000-8000-000000000001'
  await receive(caseRef, 4790_00n, '2026-11-29', paymentId)
  await endDay('2026-12-02')
  setClock(new Date('2026-12-03T06:00:00Z'))
  await reverse(caseRef, paymentId, '2026-12-03')
  assert.equal((await view(caseRef)).loanStatus, 'OVERDUE')
})

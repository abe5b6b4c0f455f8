// For any calendar of the lender, a borrower is not late before the lender presented debits once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays } from '@lendloom/lending/calendar'
import { proposedTerms } from '@lendloom/tests/setup/account'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { finalTerms } from '#partner/origination/terms/terms.ts'
import { classOn } from '#partner/servicing/loan/class/asset-class.ts'
import { arrearsFrom, conditionOf, type InstallmentRow, rowStatus } from '#partner/servicing/loan/installment-row.ts'
import { initialInstallments } from '#partner/servicing/loan/open-loan.ts'
import { endDays } from '#partner/servicing/loan/row-day-end.ts'
import { type DebitCalendar, debitDaysOf } from './debit-days.ts'

/** A Friday. */
const disbursedOn = '2026-11-20'
const span = 60
const at = new Date('2026-11-20T06:00:00.000Z')
const dayOf = (number: number): string => plusDays(disbursedOn, number)
const anyDay = fc.integer({ min: 0, max: span }).map(dayOf)

const anyCalendar = fc.record({
  weekdays: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
  laterWeekdays: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
  laterFrom: anyDay,
  onHolidays: fc.boolean(),
  holidays: fc.array(anyDay, { maxLength: 20 }),
  // What the lender enters and removes while the loan runs; it counts from the next day, as at the desk.
  changes: fc.array(fc.record({ knownFrom: anyDay, holiday: anyDay }), { maxLength: 8 }),
})
type Calendar = typeof anyCalendar extends fc.Arbitrary<infer Value> ? Value : never

/** The calendar as the lender knows it on a day: past days stay as they were. */
function knownOn({ holidays, changes, ...rest }: Calendar, day: string): DebitCalendar {
  const known = new Set(holidays)
  for (const { knownFrom, holiday } of changes) {
    if (knownFrom > day || holiday < knownFrom) continue
    if (known.has(holiday)) known.delete(holiday)
    else known.add(holiday)
  }
  const { weekdays, laterWeekdays, laterFrom, onHolidays } = rest
  const first = { fromOn: '2000-01-01', weekdays, onHolidays }
  const later = { fromOn: laterFrom, weekdays: laterWeekdays, onHolidays }
  return { policies: [first, later], holidays: known }
}

/** Whether the lender presented debits on a day, by the calendar of that day, without the code under test. */
function presentedOn(calendar: Calendar, day: string): boolean {
  const weekday = ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1
  const weekdays = day < calendar.laterFrom ? calendar.weekdays : calendar.laterWeekdays
  return weekdays.includes(weekday) && (calendar.onHolidays || !knownOn(calendar, day).holidays.has(day))
}

function firstPresented(calendar: Calendar, from: string): string {
  let day = from
  while (!presentedOn(calendar, day)) day = plusDays(day, 1)
  return day
}

test('Penal charges, 18 August 2023: no charge, class or overdue status before the first debit and grace, by any calendar', () => {
  let moved = 0
  let charged = 0
  fc.assert(
    fc.property(anyCalendar, fc.integer({ min: 0, max: 4 }), (calendar, graceDays) => {
      const terms = finalTerms({ ...proposedTerms, penalty: { ...proposedTerms.penalty, graceDays } })
      let rows: InstallmentRow[] = initialInstallments(terms, disbursedOn, at)
      const dueDays = rows.map(({ dueOn }) => dueOn)
      const presented = dueDays.map((dueOn) => firstPresented(calendar, dueOn))
      const firstDebitOn = presented[0] ?? ''
      for (let number = 0; number <= span; number++) {
        const on = dayOf(number)
        const done = endDays(
          rows,
          { ...terms, laterPrincipal: 0n },
          {
            through: on,
            debitDays: debitDaysOf(knownOn(calendar, on)),
            at,
          },
        )
        rows = done.rows
        const { assetClass, daysPastDue } = classOn(
          { oldestDueOn: arrearsFrom(rows), npaOn: null, isLoss: false, awaitsPayment: false },
          on,
        )
        assert.equal(conditionOf(rows) === 'overdue', assetClass !== 'STANDARD', `${on}: status and class agree`)
        if (on < firstDebitOn) assert.equal(daysPastDue, 0, on)
        for (const [i, row] of rows.entries())
          if (on < (presented[i] ?? '')) assert.equal(rowStatus(row), 'DUE', `row ${row.number} on ${on}`)
        for (const { kind, entryId } of done.entries) {
          if (kind !== 'PENALTY') continue
          const row = Number(entryId.split('-')[1]) - 1
          assert.ok(on > plusDays(presented[row] ?? '', graceDays), `${entryId} on ${on}`)
          charged++
        }
      }
      // On a due date with debits nothing moves.
      for (const [i, { dueOn, countsFrom, fellDue }] of rows.entries()) {
        if (!fellDue) continue
        assert.equal(countsFrom === null, presented[i] === dueOn)
        if (countsFrom !== null) moved++
      }
    }),
    { numRuns: roundsOf(300) },
  )
  assert.ok(moved > 20, `${moved} rows counted from a later day`)
  assert.ok(charged > 20, `${charged} penal charges`)
})

test('D3 §6.7: the first day with debits is after the weekend and the holidays, unless debits are presented on them', () => {
  const calendar = (onHolidays: boolean, weekdays: number[]) =>
    debitDaysOf({
      policies: [
        { fromOn: '2000-01-01', weekdays: [1], onHolidays: true },
        { fromOn: '2026-11-01', weekdays, onHolidays },
      ],
      holidays: new Set(['2026-11-30', '2026-12-01']),
    })
  const workdays = [1, 2, 3, 4, 5]
  assert.equal(calendar(false, workdays)('2026-11-28'), '2026-12-02')
  assert.equal(calendar(true, workdays)('2026-11-28'), '2026-11-30')
  assert.equal(calendar(false, workdays)('2026-12-02'), '2026-12-02')
  assert.equal(calendar(false, workdays)('2026-10-27'), '2026-11-02', 'each day has its own policy')
  assert.equal(calendar(false, [])('2026-11-28'), '2026-11-28', 'without debits the due date counts')
})

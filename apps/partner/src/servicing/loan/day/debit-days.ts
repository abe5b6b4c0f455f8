// The days on which the lender presents debits, by its collection policies and the bank holidays.

import { plusDays } from '@lendloom/lending/calendar'
import type { Run } from '@lendloom/postgres/sql'
import { rails } from '#partner/bank/rail/rails.ts'
import type { DebitDays } from '#partner/servicing/loan/row-day-end.ts'

/** When debits are presented from a day on. */
interface DebitPolicy {
  fromOn: string
  /** Monday is 1. */
  weekdays: number[]
  onHolidays: boolean
}

export interface DebitCalendar {
  /** By start date, earliest first. */
  policies: DebitPolicy[]
  holidays: ReadonlySet<string>
}

/** In days. A lender without a day with debits in a year does not collect by debits, so due dates count as they are. */
const farthest = 366

/** A day counts only if debits on all rails are presented on it, so that it is the same for every borrower. */
const opensOnHolidays = rails.every((rail) => rail.opensOnHolidays)

export function debitDaysOf({ policies, holidays }: DebitCalendar): DebitDays {
  const isDebitDay = (on: string): boolean => {
    const policy = policies.findLast(({ fromOn }) => fromOn <= on)
    if (!policy) return true
    const { weekdays, onHolidays } = policy
    return hasDebits({ weekdays, onHolidays: onHolidays && opensOnHolidays, isHoliday: holidays.has(on) }, on)
  }
  return (from) => {
    for (let days = 0; days < farthest; days++) {
      const on = plusDays(from, days)
      if (isDebitDay(on)) return on
    }
    return from
  }
}

interface DayRule extends Pick<DebitPolicy, 'weekdays' | 'onHolidays'> {
  isHoliday: boolean
}

/** Whether a policy allows debits on a day. */
export const hasDebits = ({ weekdays, onHolidays, isHoliday }: DayRule, on: string): boolean =>
  weekdays.includes(weekdayOf(on)) && (!isHoliday || onHolidays)

/** Returns 1 for Monday to 7 for Sunday. */
const weekdayOf = (on: string): number => new Date(`${on}T00:00:00.000Z`).getUTCDay() || 7

export async function readDebitDays(db: Run): Promise<DebitDays> {
  const [policies, holidays] = await Promise.all([
    db<DebitPolicy>`select from_on, weekdays, on_holidays from collection_policy order by from_on`,
    db<{ holidayOn: string }>`select holiday_on from bank_holiday`,
  ])
  return debitDaysOf({ policies, holidays: new Set(holidays.map(({ holidayOn }) => holidayOn)) })
}

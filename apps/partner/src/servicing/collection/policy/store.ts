// Tables collection_policy and bank_holiday: on which days debits are presented, and when borrowers are contacted and
// reminded.

import { date, rowsAs, text } from '@lendloom/postgres/rows'
import { oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'

export interface CollectionPolicy {
  /** Minimum days from a returned debit to the next attempt. */
  retryDays: number
  /** Maximum number of debits for one instalment, including the first. An officer may exceed it. */
  mostAttempts: number
  /** Weekdays on which debits are presented; Monday is 1. */
  weekdays: number[]
  /** Whether debits are presented on bank holidays. */
  onHolidays: boolean
  contactFromHour: number
  contactUntilHour: number
  /** Days before a due date on which borrowers are reminded. */
  remindBefore: number[]
  /** Days after it on which they are reminded of an unpaid instalment. */
  remindAfter: number[]
}

/** Returns the policy in force on a business day, and the name of that day's bank holiday, if any. */
export async function policyOn(db: Run, on: string): Promise<CollectionPolicy & { holiday: string | null }> {
  const rows = await db<CollectionPolicy & { holiday: string | null }>`
    select retry_days, most_attempts, weekdays, on_holidays, contact_from_hour, contact_until_hour, remind_before, remind_after,
      (select h.name from bank_holiday h where h.holiday_on = ${on}::date) as holiday
    from collection_policy where from_on <= ${on}::date order by from_on desc limit 1`
  return oneRow(rows)
}

/** Returns the next bank holidays from a day on. */
export const holidaysFrom = (db: Run, on: string, limit: number) => db<{ holidayOn: string; name: string }>`
  select holiday_on, name from bank_holiday where holiday_on >= ${on}::date order by holiday_on limit ${limit}`

/** Returns the policy in force on a day and all later policies, with their start dates. */
export const policiesFrom = (db: Run, on: string) => db<CollectionPolicy & { fromOn: string }>`
  select from_on, retry_days, most_attempts, weekdays, on_holidays, contact_from_hour, contact_until_hour, remind_before,
    remind_after
  from collection_policy
  where from_on >= (select max(from_on) from collection_policy where from_on <= ${on}::date) order by from_on`

/** Stores a policy in place of one that starts on the same day. */
export async function savePolicy(tx: Tx, policy: CollectionPolicy & { fromOn: string }): Promise<void> {
  await tx`
    insert into collection_policy ${tx({ ...policy })}
    on conflict (from_on) do update set retry_days = excluded.retry_days, most_attempts = excluded.most_attempts,
      weekdays = excluded.weekdays, on_holidays = excluded.on_holidays, contact_from_hour = excluded.contact_from_hour,
      contact_until_hour = excluded.contact_until_hour, remind_before = excluded.remind_before,
      remind_after = excluded.remind_after`
}

export interface Holiday {
  holidayOn: string
  name: string
}

/** Returns the bank holidays of a year. */
export const holidaysOf = (db: Run, year: string) => db<Holiday>`
  select holiday_on, name from bank_holiday
  where holiday_on >= make_date(${year}::int, 1, 1) and holiday_on <= make_date(${year}::int, 12, 31) order by holiday_on`

/** Replaces the bank holidays of a year. */
export async function saveHolidays(tx: Tx, year: string, holidays: Holiday[]): Promise<void> {
  await tx`
    delete from bank_holiday where holiday_on >= make_date(${year}::int, 1, 1) and holiday_on <= make_date(${year}::int, 12, 31)`
  await tx`
    insert into bank_holiday (holiday_on, name)
    select holiday_on, name
    from ${rowsAs(sql`input`, holidays, {
      holidayOn: date((holiday) => holiday.holidayOn),
      name: text((holiday) => holiday.name),
    })}`
}

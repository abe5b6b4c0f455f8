// Tables of the policy of collections: collection_policy, bank_holiday.

import { oneRow, type Run } from '#kit/db/sql.ts'

/** How debits are asked for and borrowers contacted on a day. */
export interface CollectionPolicy {
  /** Days between a debit that was returned and the next one. */
  retryDays: number
  /** Debits for the same instalment, the first one included, before a person must decide. */
  mostAttempts: number
  /** Monday is 1. */
  weekdays: number[]
  onHolidays: boolean
  contactFromHour: number
  contactUntilHour: number
  remindBefore: number[]
  remindAfter: number[]
}

/** The policy that holds on a business day, and the name of the bank holiday that it is, if it is one. */
export async function policyOn(db: Run, on: string): Promise<CollectionPolicy & { holiday: string | null }> {
  const found = await db<CollectionPolicy & { holiday: string | null }>`
    select retry_days, most_attempts, weekdays, on_holidays, contact_from_hour, contact_until_hour, remind_before, remind_after,
      (select h.name from bank_holiday h where h.holiday_on = ${on}::date) as holiday
    from collection_policy where from_on <= ${on}::date order by from_on desc limit 1`
  return oneRow(found)
}

/** Bank holidays from a day on, the next ones first. */
export const holidaysFrom = (db: Run, on: string, limit: number) => db<{ holidayOn: string; name: string }>`
  select holiday_on, name from bank_holiday where holiday_on >= ${on}::date order by holiday_on limit ${limit}`

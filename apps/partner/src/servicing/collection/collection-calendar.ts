// Collection days and contact hours, in Indian time (D3 §6 rule 7).
import { businessDate, startOf } from '@lendloom/lending/calendar'
import { hasDebits } from '#partner/servicing/loan/day/debit-days.ts'
import type { CollectionPolicy } from './policy/store.ts'

/** Whether the policy allows debits on a day. `holiday`: the name of a bank holiday on that day; null without one. */
export const isCollectionDay = (
  { holiday, ...policy }: Pick<CollectionPolicy, 'weekdays' | 'onHolidays'> & { holiday: string | null },
  on: string,
): boolean => hasDebits({ ...policy, isHoliday: holiday !== null }, on)

/** Whether `at` is within the hours in which the policy allows contacts with borrowers. */
export function mayContact(
  { contactFromHour, contactUntilHour }: Pick<CollectionPolicy, 'contactFromHour' | 'contactUntilHour'>,
  at: Date,
): boolean {
  const hours = (at.getTime() - startOf(businessDate(at)).getTime()) / 3_600_000
  return hours >= contactFromHour && hours < contactUntilHour
}

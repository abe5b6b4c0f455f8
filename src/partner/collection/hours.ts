// The hours of the business day in which the bank takes debits, by the clock of India (D3 §6 rule 7).
import { businessDate, startOf } from '#kit/money/calendar.ts'
import type { Context } from '#partner/context.ts'

/** Whether a debit may be presented now: after the cut-off it would be one of another day. */
export function isWithinHours({ config }: Pick<Context, 'config'>, at: Date): boolean {
  const hours = (at.getTime() - startOf(businessDate(at)).getTime()) / 3_600_000
  return hours >= config.PARTNER_COLLECT_FROM_HOUR && hours < config.PARTNER_COLLECT_UNTIL_HOUR
}

// The rules of a rail, on which mandates are debited. docs/reference/debit-rails.md shows them with their sources.

import { keysOf } from '@lendloom/foundation/record'
import { businessDate, startOf } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'

/**
 * What to do after a returned debit:
 * - `retry`: debit again on a later day, up to the maximum number of tries.
 * - `wait`: debit again once the bank accepts a debit. The debit does not count as a try.
 * - `new-mandate`: wait for a new mandate; this mandate allows no more debits.
 * - `stop`, `review`: wait until an officer allows debits again. `review` applies to all codes that are not listed.
 * - `enquire`: the code leaves this debit's own result open, so ask the bank for it.
 */
export type ReturnPolicy = 'retry' | 'wait' | 'new-mandate' | 'stop' | 'enquire' | 'review'

export interface Rail {
  method: 'ENACH' | 'UPI_AUTOPAY'
  /** Hours of the day, in India, between which the bank accepts a debit. */
  hours: readonly (readonly [from: number, until: number])[]
  /** Hours at which the accepted debits are presented together; empty if each is presented at once. */
  sessions: readonly number[]
  opensOnHolidays: boolean
  /** Hours after the presentation within which the bank knows the result. */
  resultHours: number
  /** Hours between the notice to the borrower and the debit. */
  noticeHours: number
  /** Whether the bank sends a notice of each debit. Otherwise the schedule announces all debits. */
  isNotifiedByBank: boolean
  /** The most for one debit without the borrower's PIN. */
  maxDebitPaise: Paise
  maxMandatePaise: Paise
  maxAttempts: number
  /** Minimum days between a returned debit and the next one. */
  retryDays: number
  isPausable: boolean
  /** The return codes of each policy, separated by spaces. */
  codes: Record<Exclude<ReturnPolicy, 'review'>, string>
}

export function returnPolicyOf({ codes }: Rail, code: string): ReturnPolicy {
  return keysOf(codes).find((policy) => codes[policy].split(' ').includes(code)) ?? 'review'
}

/** Whether the bank accepts a debit now. After these hours it would count the debit for another day. */
export function isRailOpen({ hours }: Rail, at: Date): boolean {
  const hour = (at.getTime() - startOf(businessDate(at)).getTime()) / 3_600_000
  return hours.some(([from, until]) => hour >= from && hour < until)
}

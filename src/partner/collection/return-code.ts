// What to do after a returned debit, by the bank's return code.

import { keysOf } from '#kit/runtime/record.ts'

/**
 * - `retry`: debit again on a later day.
 * - `new-mandate`: wait for a new mandate; this mandate allows no more debits.
 * - `stop`, `review`: wait until an officer allows debits again. `review` applies to all codes that are not listed.
 * - `enquire`: the code leaves this debit's own result open, so ask the bank for it.
 */
export type ReturnPolicy = 'retry' | 'new-mandate' | 'stop' | 'enquire' | 'review'

const codes: Record<Exclude<ReturnPolicy, 'review'>, string> = {
  retry: '04 55 57 58 59 98',
  'new-mandate': '01 02 08 11 12 14 15 21 22 23 24 25 26 27 28 29 54 61',
  stop: '06 07 17 60 68 69',
  enquire: '13 31',
}

const byCode = new Map(
  keysOf(codes).flatMap((policy) => codes[policy].split(' ').map((code): [string, ReturnPolicy] => [code, policy])),
)

export const policyOf = (code: string): ReturnPolicy => byCode.get(code) ?? 'review'

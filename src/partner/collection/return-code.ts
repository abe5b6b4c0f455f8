// Maps a debit's return code to a policy: retry, new mandate, stop, enquiry or review.

import { keysOf } from '#kit/runtime/record.ts'

/**
 * `retry`: another debit on a later day. `new-mandate`: no debit under this mandate. `stop`: no debit until an officer
 * allows it. `enquire`: the code is about another debit, so the bank is asked about this debit's original reference.
 * `review`: an officer decides, because the code is in none of these lists.
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

/** The list of codes is open: unknown ones need a review. */
export const policyOf = (code: string): ReturnPolicy => byCode.get(code) ?? 'review'

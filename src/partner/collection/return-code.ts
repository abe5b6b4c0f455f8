// The effect of a returned debit's code: another try, a new mandate, a person, or an enquiry at the bank.

import { keysOf } from '#kit/runtime/record.ts'
/**
 * `retry`: another debit on a later day. `new-mandate`: none under this mandate. `stop`: none until a person allows it.
 * `enquire`: the code concerns another debit; only the bank's answer on the original reference counts. `review`: a
 * person decides, because the code is unknown or not about money.
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

/** Codes are an open list: a person reads unknown ones. */
export const policyOf = (code: string): ReturnPolicy => byCode.get(code) ?? 'review'

// The number of a complaint, and the tag of the address that its mails are answered to.

import { businessDate } from '@lendloom/lending/calendar'
import { randomOctets } from '@lendloom/seal/id'

/** Omits the confusable characters 0, O, 1, I, L and U. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns uniformly distributed characters. A byte from `unbiasedLimit` up would make some characters likelier. */
function randomText(count: number): string {
  const unbiasedLimit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < count)
    for (const byte of randomOctets(count))
      if (byte < unbiasedLimit && text.length < count) text += alphabet[byte % alphabet.length]
  return text
}

/** `GR-2611-7K3Q9`: year and month in India, then random characters. The caller checks that the number is unused. */
export const newComplaintNumber = (at: Date): string =>
  `GR-${businessDate(at).slice(2, 7).replace('-', '')}-${randomText(5)}`

/** At least eighty random bits, in lower case because mail programs often lower-case addresses. */
export const newReplyTag = (): string => randomText(17).toLowerCase()

/** Parses a complaint number in any spelling; returns undefined for any other text. */
export function parseComplaintNumber(text: string): string | undefined {
  const [, month, randomPart] = /^\s*GR[\s-]*(\d{4})[\s-]*([2-9A-HJKMNP-TV-Z]{5})\s*$/i.exec(text) ?? []
  return month && randomPart && `GR-${month}-${randomPart.toUpperCase()}`
}

// The number of a complaint, to be told by telephone, and the tag that answers by e-mail are addressed with.

import { randomOctets } from '#kit/crypto/random.ts'
import { businessDate } from '#kit/money/calendar.ts'

/** No character is taken for another one: neither 0 and O, nor 1, I and L, nor U and V. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Each as likely as any other: bytes that would favour some are drawn again. */
function drawn(count: number): string {
  const even = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < count)
    for (const byte of randomOctets(count))
      if (byte < even && text.length < count) text += alphabet[byte % alphabet.length]
  return text
}

/** `GR-2611-7K3Q9`: year and month in India, and five characters of thirty. Whoever makes one sees to it that it is new. */
export const newNumber = (at: Date): string => `GR-${businessDate(at).slice(2, 7).replace('-', '')}-${drawn(5)}`

/** Eighty bits that nobody guesses, in lower case, as addresses are often written. */
export const newTag = (): string => drawn(17).toLowerCase()

/** A number as somebody types it or says it; undefined when it is none. */
export function numberIn(text: string): string | undefined {
  const [, month, rest] = /^\s*GR[\s-]*(\d{4})[\s-]*([2-9A-HJKMNP-TV-Z]{5})\s*$/i.exec(text) ?? []
  return month && rest && `GR-${month}-${rest.toUpperCase()}`
}

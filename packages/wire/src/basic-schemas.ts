// The basic schemas that all our APIs share.

import { Closed, orNull, Type } from '@lendloom/foundation/schema'
import { uuidPattern } from '@lendloom/foundation/uuid'

export const Text = Type.String()
export const Count = Type.Integer()
/** A UUID, which the console and the command line call an id. */
export const Id = Type.String({ pattern: uuidPattern, 'x-says': 'must be an id' })
/** RFC 3339, in UTC. */
export const Instant = Type.String({ examples: ['2026-11-21T10:00:00.000Z'] })
/** `YYYY-MM-DD`. */
export const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', 'x-says': 'must be a day such as 2026-11-21' })
export const Month = Type.String({
  pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$',
  'x-says': 'must be a month such as 2026-11',
})
/** Rupees with two decimals. */
export const Money = Type.String({ pattern: '^\\d+\\.\\d{2}$', examples: ['200000.00'] })
/** A borrower's amount, in whole rupees. */
export const WholeRupees = Type.String({
  pattern: '^[1-9]\\d{0,9}(?:\\.00)?$',
  'x-says': 'must be a whole positive amount in rupees',
})
export const TextOrNull = orNull(Text)
export const InstantOrNull = orNull(Instant)
export const wholeNumber = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, 'x-says': `must be a whole number from ${minimum} to ${maximum}` })
/** An empty body: `{}`, or none at all. */
export const NoBody = Closed({})

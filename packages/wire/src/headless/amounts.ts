// Amounts of the headless API, in rupees (D2 §8).

import { Type } from '@lendloom/foundation/schema'

/** An amount in an answer: rupees with two decimals. */
export const AnsweredAmount = Type.String({ examples: ['200000.00'] })

/** An amount that a client sends: positive, in whole rupees, digits only. */
export const RequestedAmount = Type.String({
  pattern: '^0*[1-9]\\d{0,9}$',
  maxLength: 20,
  'x-says': 'must be a positive amount in whole rupees, digits only',
  examples: ['150000'],
})

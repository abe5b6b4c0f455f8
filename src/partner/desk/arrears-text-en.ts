// What the desk says of arrears: contacts, promises, reminders, in English.
import type { ContactOutcome, ContactWay, PaymentPromise } from '#partner/collection/arrears/store.ts'

export const ways: Record<ContactWay, string> = {
  CALL: 'Call',
  VISIT: 'Visit',
  MESSAGE: 'Message',
  POST: 'Letter by post',
  OTHER: 'Other',
}

export const outcomes: Record<ContactOutcome, string> = {
  REACHED: 'Spoke with the borrower',
  NOT_REACHED: 'Did not reach them',
  WRONG_NUMBER: 'Wrong number or address',
  REFUSED: 'They refused to speak',
}

export const promiseStates: Record<PaymentPromise['state'], [text: string, tone: string]> = {
  OPEN: ['Open', 'warn'],
  KEPT: ['Kept', 'good'],
  BROKEN: ['Broken', 'bad'],
}

/** `before-2` as `2 days before`. */
export function reminderKind(kind: string): string {
  const [side, days] = kind.split('-')
  return `${days} ${days === '1' ? 'day' : 'days'} ${side === 'before' ? 'before' : 'after'} the due date`
}

export const contactHours = (from: number, until: number): string =>
  `Borrowers may be contacted from ${from}:00 to ${until}:00.`
export const notWithinHours = 'It is outside the hours in which borrowers may be contacted.'
export const nobodyYet = 'Nobody'

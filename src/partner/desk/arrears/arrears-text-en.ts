// The desk's English texts on arrears: contacts, promises, reminders.
import type {
  AgentNotice,
  Breach,
  ContactChannel,
  ContactOutcome,
  PaymentPromise,
} from '#partner/collection/arrears/store.ts'

export const ways: Record<ContactChannel, string> = {
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
export const outsideNow = 'It is outside these hours now: do not contact them before.'

export const breachTexts: Record<Breach, string> = {
  OUTSIDE_HOURS: 'Outside the hours',
  AGENT_UNKNOWN: 'Before the borrower knew the agent',
}

/** Texts about the notice of an agent. */
export const noticeTexts: Record<AgentNotice['state'], string> = {
  QUEUED:
    'The borrower is being sent the name and the contact of the agent. Until then the agent does not contact them.',
  TRIED: 'Whether the mail that names the agent went out is not known. Assign again to send another, or send a letter.',
  SENT: 'The borrower was sent the name and the contact of the agent.',
  FAILED:
    'The borrower could not be sent the name and the contact of the agent. Send a letter, tick the box, and assign again.',
}
export const nobodyYet = 'Nobody'

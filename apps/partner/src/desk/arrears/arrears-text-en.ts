// The English texts of the desk about contacts, promises to pay and reminders.

import type { StateTone } from '@lendloom/design/icons'
import { dayText } from '@lendloom/lending/calendar'
import { hourText, inr } from '#partner/desk/parts/format.ts'
import type {
  AgentNotice,
  Breach,
  ContactChannel,
  ContactOutcome,
  PaymentPromise,
} from '#partner/servicing/collection/arrears/store.ts'

export const channelNames: Record<ContactChannel, string> = {
  CALL: 'Call',
  VISIT: 'Visit',
  MESSAGE: 'Message',
  POST: 'Letter by post',
  OTHER: 'Other',
}

export const outcomeNames: Record<ContactOutcome, string> = {
  REACHED: 'Spoke to the borrower',
  NOT_REACHED: 'Did not reach the borrower',
  WRONG_NUMBER: 'Wrong number or address',
  REFUSED: 'Borrower refused to speak',
}

export const chooseChannel = 'Choose the channel'
export const chooseOutcome = 'Choose the result'
export const noteLabel = 'Note, if you spoke to the borrower'
export const noteMissing = 'write down what the borrower said'

export const promiseStates: Record<PaymentPromise['state'], [text: string, tone: StateTone]> = {
  OPEN: ['Open', 'warn'],
  KEPT: ['Kept', 'good'],
  BROKEN: ['Broken', 'bad'],
}

export const newPromiseText = (
  { amountPaise, promisedOn }: Pick<PaymentPromise, 'amountPaise' | 'promisedOn'>,
  actor: string,
): string => `${actor} already recorded a promise of ${inr(amountPaise)} by ${dayText(promisedOn)}`

/** Formats `before-2` as `2 days before the due date`. */
export function reminderKind(kind: string): string {
  const [side, days] = kind.split('-')
  return `${days} ${days === '1' ? 'day' : 'days'} ${side === 'before' ? 'before' : 'after'} the due date`
}

export const contactHours = (from: number, until: number): string =>
  `You may contact borrowers from ${hourText(from)} to ${hourText(until)}.`
export const outsideHours = (day: 'today' | 'tomorrow', from: number): string =>
  `It is outside the contact hours. Do not call, visit or message the borrower before ${hourText(from).replace(' ', '\u{a0}')} ${day}.`

export const breachTexts: Record<Breach, string> = {
  OUTSIDE_HOURS: 'Outside contact hours',
  AGENT_UNKNOWN: 'Before the borrower knew the agent',
}

export const noticeTexts: Record<AgentNotice['state'], string> = {
  QUEUED:
    'We are sending the borrower the agent’s name and contact details. Until then, the agent must not contact the borrower.',
  TRIED:
    'We do not know whether the email that names the agent was sent. Assign the agent again to send another email, or send a letter.',
  SENT: 'The borrower has received the agent’s name and contact details.',
  FAILED:
    'We could not send the borrower the agent’s name and contact details. Send a letter, tick the box, and assign the agent again.',
}
export const unassigned = 'Unassigned'

export const agentChange = (agent: string | null, actor: string | undefined): string =>
  actor === undefined
    ? 'the page did not show the present agent'
    : `${actor} ${agent === null ? 'removed the agent' : `assigned ${agent}`} after you opened the page`

export const assignments = { all: 'All', mine: 'My cases', nobody: 'Unassigned' } as const
/** The loans that the list of arrears can show alone: the bands by their first day past due, and promises. */
export const selections = {
  '1': '1–30 days',
  '31': '31–60 days',
  '61': '61–90 days',
  '91': 'Over 90 days',
  promised: 'Promises due',
} as const

export const bulkTexts = {
  chooseAgent: 'Choose an agent',
  chooseAnAgent: 'choose an agent who may contact borrowers',
  sentByPost: 'I sent each borrower the agent’s name and contact details by letter',
  assign: 'Assign to the agent',
  promisesDue: 'today or earlier',
  promiseBroken: 'Promise broken on',
  noCases: 'select at least one case',
  tooManyCases: 'select at most 200 cases',
  noLoan: 'only a case with a loan can have an agent',
  notInArrears: 'not overdue',
  notIntroduced: 'no email can introduce the agent, so send a letter first',
}

export const barTexts = {
  label: 'This case',
  call: 'Call',
  showNumber: 'Show number',
  callFrom: (hour: number) => `from ${hourText(hour)}`,
  notIntroduced: 'not yet',
  contact: 'Contact',
  promise: 'Promise',
  money: 'Payments',
  next: 'Next case',
  list: 'Back to the list',
}

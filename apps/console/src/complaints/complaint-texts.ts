// Texts and colours of complaints.

import {
  attachmentTypes,
  type ComplaintCategory,
  type ComplaintEvent,
  type ComplaintOrigin,
  type ComplaintOutcome,
  type ComplaintRoute,
  type ComplaintStatus,
  type ComplaintTemplate,
  complaintCategories,
  type EntryAuthor,
  maxAttachmentBytes,
} from '@lendloom/wire/console/complaint-lists'
import type { ListedComplaint, ThreadEntry } from '@lendloom/wire/console/complaints'
import type { Tone } from '../ui/components.tsx'

export const categoryNames: Record<ComplaintCategory, string> = {
  CHARGES: 'Interest or a charge',
  REPAYMENT: 'A payment or instalment',
  MONEY: 'The payout',
  DOCUMENTS: 'A document',
  CONDUCT: 'Treatment',
  COOLING_OFF: 'Cancelling the loan (cooling-off)',
  PART_PAYMENT: 'Effect of a part payment',
  CLOSING_AMOUNT: 'Amount to close the loan',
  CANCELLATION: 'Cancelling before the payout',
  PRIVACY: 'Personal data',
  APP: 'The app or page',
  OTHER: 'Something else',
}

export const statusWords: Record<ComplaintStatus, readonly [Tone, string]> = {
  NEW: ['warn', 'New'],
  ACKNOWLEDGED: ['info', 'Acknowledged'],
  IN_PROGRESS: ['info', 'In progress'],
  WAITING_FOR_BORROWER: ['plain', 'Waiting for borrower'],
  RESOLVED: ['good', 'Resolved'],
  CLOSED: ['good', 'Closed'],
  MERGED: ['plain', 'Merged'],
}

/** The state of a complaint in words. That it was acknowledged matters no more once its answer is overdue. */
export const stateWords = ({
  status,
  overdue,
}: Pick<ListedComplaint, 'status' | 'overdue'>): readonly [Tone, string] =>
  status === 'ACKNOWLEDGED' && overdue ? ['bad', 'Not answered'] : statusWords[status]

export const originNames: Record<ComplaintOrigin, string> = {
  PAGE: 'on the page',
  EMAIL: 'by email',
  STAFF: 'by telephone',
}

export const routeNames: Record<ComplaintRoute, string> = {
  PLATFORM: 'We answer',
  LENDER_NETWORK: 'Lender, over the network',
  LENDER_MAIL: 'Lender, by email',
}

/** Who answers a complaint where; empty if we do. */
export function whoAnswersText(route: ComplaintRoute, lender: string): string {
  switch (route) {
    case 'PLATFORM':
      return ''
    case 'LENDER_MAIL':
      return `${lender} answers by email; its answer appears here.`
    case 'LENDER_NETWORK':
      return `${lender} answers over the network; its answer appears here.`
  }
}

export const outcomeNames: Record<ComplaintOutcome, string> = {
  UPHELD: 'Upheld: the borrower is right',
  PARTLY_UPHELD: 'Upheld in part',
  NOT_UPHELD: 'Not upheld',
  WITHDRAWN: 'Withdrawn by the borrower',
}

/** The outcome in the words of the matter: a request to cancel is not upheld but done. */
export const outcomeText = (category: ComplaintCategory, outcome: ComplaintOutcome): string =>
  category === 'COOLING_OFF' && outcome === 'UPHELD' ? 'The loan is cancelled' : outcomeNames[outcome]

export const templateNames: Record<ComplaintTemplate, string> = {
  WORKING: 'We are looking into it',
  ASK: 'We need one thing',
  SENT_TO_LENDER: 'Forwarded to the lender',
  UPHELD: 'You are right',
  NOT_UPHELD: 'As agreed',
  REFUND: 'Refund',
  PRIVACY: 'Your data',
  BLANK: 'Empty',
}

export const authorNames: Record<EntryAuthor, string> = {
  BORROWER: 'Borrower',
  OFFICER: 'Lendloom',
  LENDER: 'Lender',
  TENANT: 'Tenant',
  SYSTEM: 'Lendloom',
}

const escalationReasons: Record<string, string> = {
  TIME: 'not resolved in time',
  OFFICER: 'decided by an officer',
  NOT_SATISFIED: 'borrower not satisfied',
}
const closedTexts: Record<string, string> = {
  TIME: 'Closed: no further reply from the borrower',
  BORROWER: 'Closed by the borrower',
  UNPAID: 'Closed: the amount for the cancellation did not arrive in time',
  OFFICER: 'Closed',
}

type Values = ThreadEntry['values']

const categoryText = (code: string | undefined): string => {
  const category = complaintCategories.find((each) => each === code)
  return category ? categoryNames[category].toLowerCase() : ''
}

const events: Record<ComplaintEvent, (values: Values) => string> = {
  OPENED: ({ origin = 'PAGE' }) =>
    `Received ${{ PAGE: 'on the page', EMAIL: 'by email', STAFF: 'by telephone' }[origin] ?? ''}`,
  ACKNOWLEDGED: () => 'We sent the borrower the reference number',
  ASSIGNED: ({ assignee }) => (assignee ? `Assigned to ${assignee}` : 'Unassigned'),
  CATEGORIZED: ({ category }) => `Topic: ${categoryText(category)}`,
  MATCHED: () => 'Matched to its borrower',
  SENT_TO_LENDER: ({ lender = 'the lender', by }) =>
    `Sent to ${lender} ${by === 'LENDER_NETWORK' ? 'over the network' : 'by email'}`,
  LENDER_WORKS: () => 'The lender is working on it',
  LENDER_REFUSED: () => 'The lender did not accept it: we must answer',
  FIRST_ANSWER_LATE: () => 'First answer late; reminder sent',
  RESOLUTION_DUE_SOON: () => 'Resolution due soon; reminder sent',
  ESCALATED: ({ nodal = '', because: reason = '' }) =>
    `Escalated to ${nodal || 'the nodal officer'}: ${escalationReasons[reason] ?? reason}`,
  OMBUDSMAN: () => 'We informed the borrower about the Reserve Bank’s ombudsman',
  RESOLVED: () => 'Resolved',
  CLOSED: ({ by = '' }) => closedTexts[by] ?? 'Closed',
  REOPENED: ({ by }) => (by === 'BORROWER' ? 'Reopened by the borrower' : 'Reopened'),
  MERGED: ({ other = '' }) => `Continued in ${other}`,
  MERGED_IN: ({ other = '' }) => `Messages of ${other} added`,
  ACCEPTED: () => 'Email accepted as the borrower’s',
  DISMISSED: () => 'Email not accepted',
  FOLLOWS: ({ other = '' }) => `Follows ${other}, which was closed too long ago`,
}

export const eventText = ({ code, values }: Pick<ThreadEntry, 'code' | 'values'>): string =>
  code === null ? '' : events[code](values)

/** Returns why a chosen file cannot be sent; null if it can be sent. */
export function fileFault({ name, type, size }: File): string | null {
  if (!attachmentTypes.some((each) => each === type)) return `${name} is not a PDF, PNG or JPEG file`
  return size > maxAttachmentBytes ? `${name} is larger than ${maxAttachmentBytes >> 20} MB` : null
}

// English column headers and outcomes of the exported figures.

import { ownValue, recordOf } from '@lendloom/foundation/record'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'

export const columnNames = {
  begins: 'Start (India time)',
  tenant: 'Tenant',
  application: 'Application',
  product: 'Product',
  status: 'Status',
  lender: 'Lender',
  action: 'Action',
  event: 'Event',
  outcome: 'Outcome',
  count: 'Count',
  p50: 'p50',
  p90: 'p90',
} as const
export const unitNames = { seconds: 'seconds', milliseconds: 'milliseconds' } as const

/** `OFFER_SELECTED` becomes `Offer selected`. */
const sentenceCase = (code: string): string => code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ')

const outcomeTexts: Record<string, string> = {
  ...recordOf(statuses, sentenceCase),
  REQUESTED: 'Requested',
  ANSWERED: 'Answered',
  CHOSEN: 'Chosen',
  FIRST_TRY: 'Delivered on the first try',
  REPEATED: 'Delivered after retries',
  GIVEN_UP: 'Given up',
  STOPPED: 'Stopped',
  WAITING: 'Waiting',
  LATE: 'Answered late',
  SILENT: 'No answer',
  REFUSED: 'Refused',
  UNREACHED: 'Not reached',
  DONE: 'Done',
  FAILED: 'Failed',
  SUPERSEDED: 'Superseded',
  GAP: 'Arrived before its predecessor',
}
export const outcomeText = (outcome: string): string => ownValue(outcomeTexts, outcome) ?? outcome

// Texts and colours of journeys and their timelines.

import { contractOf, type ProductId } from '@lendloom/lending/product/products'
import type { TimelineKind } from '@lendloom/wire/console/journey-lists'
import type { ActAvailability, JourneyHead, TimelineEntry, WaitingFor } from '@lendloom/wire/console/journeys'
import { endReasonText, inlineLabelOf, labelOf } from '../ui/code-labels.ts'
import { ago, type Tone } from '../ui/components.tsx'
import { eventText } from './event-texts.ts'

export const productName = (product: ProductId): string =>
  contractOf(product).name.replace(/^./, (first) => first.toUpperCase())

const goodStates = new Set([
  'DISBURSED',
  'DELIVERED',
  'ACK',
  'ACCEPTED',
  'APPLIED',
  'STORED',
  'COMPLETED',
  'GIVEN',
  'VERIFIED',
  'APPROVED',
  'SUCCEEDED',
  'SUCCESS',
  'ACKNOWLEDGED',
  'RESOLVED',
  'CLOSED',
])
const badStates = new Set([
  'REJECTED',
  'NOT_OFFERED',
  'FAILURE',
  'EXPIRED',
  'FAILED',
  'NACK',
  'GIVEN_UP',
  'GONE',
  'REFUSED',
  'DECLINED',
  'UNDELIVERABLE',
  'DEAD',
  'CONFLICT',
])
const warningStates = new Set([
  'WAITING',
  'RETRYING',
  'STUCK',
  'WITHDRAWN',
  'LATE',
  'PENDING',
  'ESCALATED',
  'FAILING',
  'NOT_UNDERSTOOD',
])

export function toneOf(state: string | null): Tone {
  if (state === null) return 'plain'
  if (goodStates.has(state)) return 'good'
  if (badStates.has(state)) return 'bad'
  if (state === 'IGNORED' || state === 'NOT_REQUIRED') return 'plain'
  return warningStates.has(state) ? 'warn' : 'info'
}

const waitNames: Record<WaitingFor['what'], string> = {
  PROFILE: 'profile',
  OFFERS: 'offers',
  CHOICE: 'choice of an offer',
  FINAL_OFFER: 'final offer',
  ACCEPTANCE: 'acceptance of the final offer',
  CONSENT: 'consent at the account aggregator',
  ACCOUNT: 'bank account',
  KYC: 'KYC',
  MANDATE: 'repayment mandate',
  AGREEMENT: 'signature on the agreement',
  VISIT: 'branch visit',
  DISBURSAL: 'disbursal',
  LENDER: 'response',
}

/** What the journey waits for, from whom, and until when. */
export const waitingText = ({ what, whose, until }: WaitingFor): string =>
  `The ${whose}’s ${waitNames[what]}${until ? `, until ${ago(until)}` : ''}`

export const waitingParty = ({ what, whose }: WaitingFor): string =>
  `${labelOf(whose)}: ${what === 'CHOICE' ? 'choice' : what === 'ACCEPTANCE' ? 'acceptance' : waitNames[what]}`

export const kindNames: Record<TimelineKind, string> = {
  update: 'Updates',
  request: 'API requests',
  delivery: 'Deliveries',
  network: 'Network',
  'partner-event': 'Partner',
  provider: 'Providers',
  document: 'Documents',
  consent: 'Consents',
  offer: 'Offers',
  servicing: 'Servicing',
  grievance: 'Grievances',
  staff: 'Staff',
  job: 'Scheduled',
}

type Params = TimelineEntry['title']['params']
const text = (params: Params, name: string): string =>
  params[name] === null || params[name] === undefined ? '' : String(params[name])
const withPreposition = (params: Params, name: string, preposition: string): string =>
  text(params, name) ? ` ${preposition} ${text(params, name)}` : ''
const answerText = (params: Params): string =>
  text(params, 'answer') ? `: ${text(params, 'answer')}${text(params, 'ms') ? ` in ${text(params, 'ms')} ms` : ''}` : ''

const partnerEventText = (params: Params): string => {
  const fact = (name: string) => text(params, name) || null
  return eventText(text(params, 'type'), {
    status: fact('status'),
    amount: fact('amount'),
    reasonCode: fact('reasonCode'),
  })
}

const journeyApiPath = /^\/api\/v1\/headless\/journeys\/\{journeyID\}/

const titles: Record<string, (params: Params) => string> = {
  update: (p) => `${labelOf(text(p, 'status'))} (update ${text(p, 'sequence')})`,
  request: (p) =>
    `${text(p, 'method')} ${text(p, 'route').replace(journeyApiPath, '…')}: ${text(p, 'status')}${withPreposition(p, 'error', '')} in ${text(p, 'ms')} ms`,
  delivery: (p) => `${labelOf(text(p, 'status'))} webhook to ${text(p, 'url') || 'the callback'}`,
  'delivery-try': (p) => `Try ${text(p, 'number')} to deliver ${inlineLabelOf(text(p, 'status'))}${answerText(p)}`,
  'network-received': (p) => `${text(p, 'action')} from ${text(p, 'lender') || text(p, 'party')}`,
  'network-sent': (p) => `${text(p, 'action')} to ${text(p, 'lender') || text(p, 'party')}`,
  'network-noted': (p) => `${labelOf(text(p, 'type'))}${withPreposition(p, 'lender', 'at')}`,
  'event-sent': (p) => `${partnerEventText(p)} · sent to the partner`,
  'event-received': (p) => `${partnerEventText(p)} · from the partner`,
  'check-begun': (p) =>
    `${labelOf(text(p, 'kind'))} begun${text(p, 'adapter') && ` at ${labelOf(text(p, 'adapter'))}`}`,
  'provider-asked': (p) => `${labelOf(text(p, 'kind'))}: sent to the provider`,
  'provider-told': (p) => `${labelOf(text(p, 'kind'))}: callback from the provider`,
  aggregator: (p) => `Account aggregator${text(p, 'purpose') && ` for ${inlineLabelOf(text(p, 'purpose'))}`}`,
  document: (p) => `File: ${labelOf(text(p, 'type'))}`,
  'consent-given': (p) => `Consent given: ${labelOf(text(p, 'purpose'))}`,
  'consent-withdrawn': () => 'Consent withdrawn',
  'offer-chosen': (p) => `Offer${withPreposition(p, 'lender', 'of')} chosen`,
  'offer-accepted': (p) => `Offer${withPreposition(p, 'lender', 'of')} accepted`,
  'offer-rejected': (p) => `Offer${withPreposition(p, 'lender', 'of')} rejected`,
  servicing: (p) => labelOf(text(p, 'kind')),
  complaint: (p) => `Complaint ${text(p, 'number')}: ${inlineLabelOf(text(p, 'topic'))}`,
  grievance: (p) => `Grievance: ${labelOf(text(p, 'category') || text(p, 'topic'))}`,
  'staff-act': (p) => labelOf(text(p, 'act')),
  job: (p) => `${labelOf(text(p, 'kind'))}${text(p, 'dueAt') ? `, due ${ago(text(p, 'dueAt'))}` : ''}`,
}

export const noteOf = ({ title: { params } }: TimelineEntry): string => text(params, 'note') || text(params, 'error')

export const titleOf = ({ title: { code, params } }: TimelineEntry): string => titles[code]?.(params) ?? labelOf(code)

export const actNames: Record<ActAvailability['act'], string> = {
  reveal: 'Reveal personal data',
  'replay-deliveries': 'Replay missed updates',
  'replay-events': 'Resend events to the partner',
  'retry-events': 'Retry waiting events',
  'move-on': 'Only in the sandbox',
}
export const obstacles: Record<NonNullable<ActAvailability['because']>, string> = {
  ROLE: 'your role does not allow this',
  NOTHING_TO_DO: 'nothing to do',
  ENDED: 'the journey has ended',
  SANDBOX_ONLY: 'only in the sandbox',
}

export const hasNoLoan = ({ status, endReason, expired }: JourneyHead): boolean =>
  status === 'REJECTED' || status === 'NOT_OFFERED' || endReason !== null || expired !== null

export const refusingLender = ({ status, lender, offers }: JourneyHead): string | null =>
  status === 'REJECTED' ? (lender?.name ?? offers.find(({ rejectedAt }) => rejectedAt !== null)?.lender ?? null) : null

export function refusalText(head: JourneyHead): string {
  const refusing = refusingLender(head)
  return `${refusing ? ` by ${refusing}` : ''}${head.endReason ? `: ${endReasonText(head.endReason)}` : ''}`
}

export const lenderOf = ({ lender }: Pick<JourneyHead, 'lender'>): string => lender?.name ?? '–'

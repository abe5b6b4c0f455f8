// Texts and colours of journeys and their timelines.

import type { TimelineKind } from '#contract/console/journey-lists.ts'
import type { JourneyHead, PossibleAct, TimelineEntry, WaitingFor } from '#contract/console/journeys.ts'
import { contractOf, type ProductId } from '#contract/product/products.ts'
import { inr, paiseFrom } from '#kit/money/money.ts'
import { ago, type Tone } from '../ui/parts.tsx'
import { worded, wordedInside } from '../ui/words.ts'

export const productName = (product: ProductId): string =>
  contractOf(product).name.replace(/^./, (first) => first.toUpperCase())

const good = new Set([
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
const bad = new Set([
  'REJECTED',
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
const warn = new Set([
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
  if (good.has(state)) return 'good'
  if (bad.has(state)) return 'bad'
  if (state === 'IGNORED') return 'plain'
  return warn.has(state) ? 'warn' : 'info'
}

const waits: Record<WaitingFor['what'], string> = {
  PROFILE: 'the profile',
  OFFERS: 'offers',
  CHOICE: 'the choice of an offer',
  FINAL_OFFER: 'the final offer',
  ACCEPTANCE: 'the acceptance of the final offer',
  CONSENT: 'consent at the account aggregator',
  ACCOUNT: 'the bank account',
  KYC: 'KYC',
  MANDATE: 'the repayment mandate',
  AGREEMENT: 'the signature on the agreement',
  VISIT: 'the branch visit',
  DISBURSAL: 'disbursal',
  LENDER: 'the lender',
}

/** What is pending, with the party and the deadline. */
export const waitingText = ({ what, whose, until }: WaitingFor): string =>
  `${waits[what].replace(/^./, (first) => first.toUpperCase())}, from the ${whose}${until ? `, until ${ago(until)}` : ''}`

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
  job: 'Waiting work',
}

type Params = TimelineEntry['title']['params']
const text = (params: Params, name: string): string =>
  params[name] === null || params[name] === undefined ? '' : String(params[name])
const by = (params: Params, name: string, before: string): string =>
  text(params, name) ? ` ${before} ${text(params, name)}` : ''
const answered = (params: Params): string =>
  text(params, 'answer') ? `: ${text(params, 'answer')}${text(params, 'ms') ? ` in ${text(params, 'ms')} ms` : ''}` : ''

const titles: Record<string, (params: Params) => string> = {
  update: (p) => `${worded(text(p, 'status'))} (update ${text(p, 'sequence')})`,
  request: (p) =>
    `${text(p, 'method')} ${text(p, 'route')}: ${text(p, 'status')}${by(p, 'error', '')} in ${text(p, 'ms')} ms`,
  delivery: (p) => `${worded(text(p, 'status'))} webhook to ${text(p, 'url') || 'the callback'}`,
  'delivery-try': (p) => `Try ${text(p, 'number')} to deliver ${wordedInside(text(p, 'status'))}${answered(p)}`,
  'network-received': (p) => `${text(p, 'action')} from ${text(p, 'lender') || text(p, 'party')}`,
  'network-sent': (p) => `${text(p, 'action')} to ${text(p, 'lender') || text(p, 'party')}`,
  'network-noted': (p) => `${worded(text(p, 'type'))}${by(p, 'lender', 'at')}`,
  'event-sent': (p) => `${worded(text(p, 'type'))} sent to the partner`,
  'event-received': (p) => `${worded(text(p, 'type'))} from the partner`,
  'check-begun': (p) => `${worded(text(p, 'kind'))} begun${by(p, 'adapter', 'at')}`,
  'provider-asked': (p) => `${worded(text(p, 'kind'))}: sent to the provider`,
  'provider-told': (p) => `${worded(text(p, 'kind'))}: callback from the provider`,
  aggregator: (p) => `Account aggregator${by(p, 'purpose', 'for')}`,
  document: (p) => `File: ${worded(text(p, 'type'))}`,
  'consent-given': (p) => `Consent given: ${worded(text(p, 'purpose'))}`,
  'consent-withdrawn': () => 'Consent withdrawn',
  'offer-chosen': (p) => `Offer${by(p, 'lender', 'of')} chosen`,
  'offer-accepted': (p) => `Offer${by(p, 'lender', 'of')} accepted`,
  'offer-rejected': (p) => `Offer${by(p, 'lender', 'of')} rejected`,
  servicing: (p) => worded(text(p, 'kind')),
  complaint: (p) => `Complaint ${text(p, 'number')}: ${wordedInside(text(p, 'topic'))}`,
  grievance: (p) => `Grievance: ${worded(text(p, 'category') || text(p, 'topic'))}`,
  'staff-act': (p) => worded(text(p, 'act')),
  job: (p) => `${worded(text(p, 'kind'))}${text(p, 'dueAt') ? `, due ${ago(text(p, 'dueAt'))}` : ''}`,
}

/** The platform's note on an entry. */
export const noteOf = ({ title: { params } }: TimelineEntry): string => text(params, 'note') || text(params, 'error')

/** A sentence for an entry; the code's words for an unknown one. */
export const titleOf = ({ title: { code, params } }: TimelineEntry): string => titles[code]?.(params) ?? worded(code)

export const actNames: Record<PossibleAct['act'], string> = {
  reveal: 'Reveal personal data',
  'replay-deliveries': 'Send missed deliveries again',
  'replay-events': 'Send events to the partner again',
  'retry-events': 'Retry waiting events',
  'move-on': 'Act as the borrower',
}
export const obstacles: Record<NonNullable<PossibleAct['because']>, string> = {
  ROLE: 'not with your role',
  NOTHING_TO_DO: 'nothing to do',
  ENDED: 'the journey has ended',
  SANDBOX_ONLY: 'only in the sandbox',
}

/** `₹2,00,000` of `200000.00`. */
export function rupees(amount: string | null): string {
  const paise = amount === null ? null : paiseFrom(amount)
  return paise === null ? (amount ?? '–') : inr(paise)
}

export const lenderOf = ({ lender }: Pick<JourneyHead, 'lender'>): string => lender?.name ?? '–'

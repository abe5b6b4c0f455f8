// Texts of journeys and of the entries of their timelines, with the tone that shows each state.

import { isKeyOf } from '@lendloom/foundation/record'
import { capitalize } from '@lendloom/foundation/text'
import { inr } from '@lendloom/lending/money'
import { contractOf, type ProductId } from '@lendloom/lending/product/products'
import type { TimelineKind } from '@lendloom/wire/console/journey-lists'
import type { ActAvailability, JourneyHead, TimelineEntry, WaitingFor } from '@lendloom/wire/console/journeys'
import type { ServicingKind } from '@lendloom/wire/headless/journey'
import { ageTick, momentText, now } from '../ui/clock.ts'
import { endReasonText, inlineLabelOf, labelOf } from '../ui/code-labels.ts'
import type { Tone } from '../ui/components.tsx'
import { countText } from '../ui/format-figures.ts'
import { eventText } from './event-texts.ts'
import type { Refusal } from './fold-timeline.ts'
import { plannedText } from './planned-texts.ts'

/** The name of a product, with a capital. */
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
  'ACTIVE',
  'PAID',
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

/** Returns the tone of a state; `plain` without one. */
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

/** What the journey waits for, from whom, since when, and until when. */
export function waitingText({ what, whose, since, until }: WaitingFor, lender: string | null = null): string {
  const name =
    what === 'OFFERS'
      ? 'the lenders’ offers'
      : lender
        ? `the ${waitNames[what]} of ${lender}`
        : `the ${whose}’s ${waitNames[what]}`
  return `Waiting for ${whose === 'lender' ? name : `the borrower’s ${waitNames[what]}`}, since ${momentText(since)}${until ? `, until ${momentText(until)}` : ''}`
}

/** For whom and what the journey waits, in few words. */
export const waitingParty = ({ what, whose }: WaitingFor): string =>
  `${whose}: ${what === 'CHOICE' ? 'choice' : what === 'ACCEPTANCE' ? 'acceptance' : waitNames[what]}`

/** How long the journey has waited, in one unit such as `1 day`. */
export function waitedFor({ since }: Pick<WaitingFor, 'since'>): string {
  ageTick.value
  const minutes = Math.floor((now() - Date.parse(since)) / 60_000)
  if (minutes < 1) return '< 1 min'
  if (minutes < 60) return `${minutes} min`
  return minutes < 24 * 60
    ? countText(Math.floor(minutes / 60), 'hour')
    : countText(Math.floor(minutes / (24 * 60)), 'day')
}

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
  grievance: 'Complaints',
  staff: 'Staff',
  job: 'Scheduled',
}

type Params = TimelineEntry['title']['params']
const textOfParam = (params: Params, name: string): string =>
  params[name] === null || params[name] === undefined ? '' : String(params[name])
const withPreposition = (params: Params, name: string, preposition: string): string =>
  textOfParam(params, name) ? ` ${preposition} ${textOfParam(params, name)}` : ''
const answerText = (params: Params): string =>
  textOfParam(params, 'answer')
    ? `: ${textOfParam(params, 'answer')}${textOfParam(params, 'ms') ? ` in ${textOfParam(params, 'ms')} ms` : ''}`
    : ''

const partnerEventText = (params: Params): string => {
  const fact = (name: string) => textOfParam(params, name) || null
  return eventText(textOfParam(params, 'type'), {
    status: fact('status'),
    amount: fact('amount'),
    reasonCode: fact('reasonCode'),
    isVerified: typeof params.isVerified === 'boolean' ? params.isVerified : null,
  })
}

const servicingNames: Record<ServicingKind, string> = {
  FORECLOSURE: 'Closing the loan early',
  PRE_PART_PAYMENT: 'Repaying part early',
  MISSED_EMI_PAYMENT: 'Paying a missed instalment',
  STATUS_REFRESH: 'Question about the state of the loan',
}

/** What the borrower asked for after the payout, with the amount if there is one. */
function servicingText(kind: string, paise: string, isOfLine: boolean): string {
  if (isOfLine && kind === 'FORECLOSURE')
    return paise === '' || paise === '0' ? 'Closing the credit line' : `Closing the credit line: ${inr(BigInt(paise))}`
  const name = isKeyOf(servicingNames, kind) ? servicingNames[kind] : labelOf(kind)
  return paise === '' ? name : `${name}: ${inr(BigInt(paise))}`
}

const journeyApiPath =
  /^\/api\/v1\/(?:headless\/journeys\/\{journeyID\}|hybrid\/\{product\}\/borrowers\/\{borrowerProviderID\}\/journey)/

/** The title of an entry by its code; unknown codes are shown as they are. */
const titleTexts: Record<string, (params: Params) => string> = {
  update: (p) => `${labelOf(textOfParam(p, 'status'))} (update ${textOfParam(p, 'sequence')})`,
  request: (p) =>
    `${textOfParam(p, 'method')} ${textOfParam(p, 'route').replace(journeyApiPath, '…')}: ${textOfParam(p, 'status')}${withPreposition(p, 'error', '')} in ${textOfParam(p, 'ms')} ms`,
  delivery: (p) => `${labelOf(textOfParam(p, 'status'))} webhook to ${textOfParam(p, 'url') || 'the callback'}`,
  'delivery-try': (p) =>
    `Try ${textOfParam(p, 'number')} to deliver ${inlineLabelOf(textOfParam(p, 'status'))}${answerText(p)}`,
  'network-received': (p) => `${textOfParam(p, 'action')} from ${textOfParam(p, 'lender') || textOfParam(p, 'party')}`,
  'network-sent': (p) => `${textOfParam(p, 'action')} to ${textOfParam(p, 'lender') || textOfParam(p, 'party')}`,
  'network-noted': (p) => `${labelOf(textOfParam(p, 'type'))}${withPreposition(p, 'lender', 'at')}`,
  'event-sent': (p) => `${partnerEventText(p)} · sent to the partner`,
  'event-received': (p) => `${partnerEventText(p)} · from the partner`,
  'check-begun': (p) =>
    `${labelOf(textOfParam(p, 'kind'))} begun${textOfParam(p, 'adapter') && ` at ${labelOf(textOfParam(p, 'adapter'))}`}`,
  'provider-asked': (p) => `${labelOf(textOfParam(p, 'kind'))}: sent to the provider`,
  'provider-told': (p) => `${labelOf(textOfParam(p, 'kind'))}: callback from the provider`,
  aggregator: (p) =>
    `Account aggregator${textOfParam(p, 'purpose') && ` for ${inlineLabelOf(textOfParam(p, 'purpose'))}`}`,
  document: (p) => `File: ${labelOf(textOfParam(p, 'type'))}`,
  'consent-given': (p) => `Consent given: ${labelOf(textOfParam(p, 'purpose'))}`,
  'consent-withdrawn': () => 'Consent withdrawn',
  'link-made': () => 'Link created for sending',
  'link-opened': () => 'Link opened on a new device, after a code by SMS',
  'link-revoked': () => 'Link revoked',
  'offer-chosen': (p) => `Offer${withPreposition(p, 'lender', 'of')} chosen`,
  'offer-accepted': (p) => `Offer${withPreposition(p, 'lender', 'of')} accepted`,
  'offer-rejected': (p) => `Offer${withPreposition(p, 'lender', 'of')} rejected`,
  servicing: (p) => servicingText(textOfParam(p, 'kind'), textOfParam(p, 'amountPaise'), p.isOfLine === true),
  drawdown: (p) => `Drawdown of ${inr(BigInt(textOfParam(p, 'amountPaise')))}`,
  complaint: (p) => `Complaint ${textOfParam(p, 'number')}: ${inlineLabelOf(textOfParam(p, 'topic'))}`,
  grievance: (p) => `Complaint at the lender: ${inlineLabelOf(textOfParam(p, 'category') || textOfParam(p, 'topic'))}`,
  'staff-act': (p) => labelOf(textOfParam(p, 'act')),
  job: (p) =>
    plannedText(textOfParam(p, 'kind'), {
      lender: textOfParam(p, 'lender') || null,
      check: textOfParam(p, 'check') || null,
      isOfSearch: p.isOfSearch === true,
    }),
}

/** What a person or an error says in an entry; empty without either. */
export const noteOf = ({ kind, title: { params } }: TimelineEntry): string => {
  const note = textOfParam(params, 'note') || textOfParam(params, 'error')
  return kind === 'job' ? capitalize(note) : note
}

/** Returns the title of an entry. */
export const titleOf = ({ title: { code, params } }: TimelineEntry): string =>
  titleTexts[code]?.(params) ?? labelOf(code)

export const actNames: Record<ActAvailability['act'], string> = {
  reveal: 'Reveal personal data',
  'replay-deliveries': 'Replay missed updates',
  'replay-events': 'Resend events to the partner',
  'retry-events': 'Retry waiting events',
  'move-on': 'Only in the sandbox',
}
/** Whether the journey has ended, or will end, without a loan. */
export const hasNoLoan = ({ status, endReason, expired }: JourneyHead): boolean =>
  status === 'REJECTED' || status === 'NOT_OFFERED' || endReason !== null || expired !== null

/** The lender that rejected the journey; null unless it was rejected. */
export const refusingLender = ({ status, lender, offers }: JourneyHead): string | null =>
  status === 'REJECTED' ? (lender?.name ?? offers.find(({ rejectedAt }) => rejectedAt !== null)?.lender ?? null) : null

/** Which lender rejected the journey, and when; null unless it was rejected. */
export function refusalOf(head: JourneyHead): Refusal | null {
  const lender = refusingLender(head)
  if (lender === null) return null
  const rejectedAt = head.offers.find((each) => each.lender === lender)?.rejectedAt
  return { lender, at: rejectedAt ?? head.updatedAt }
}

/** By whom and why the journey was rejected, to follow "Rejected". */
export function refusalText(head: JourneyHead): string {
  const refusing = refusingLender(head)
  return `${refusing ? ` by ${refusing}` : ''}${head.endReason ? `: ${endReasonText(head.endReason)}` : ''}`
}

/** The name of the lender; a dash before one is chosen. */
export const lenderOf = ({ lender }: Pick<JourneyHead, 'lender'>): string => lender?.name ?? '–'

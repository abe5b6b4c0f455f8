// Formats amounts, days, times and states for the desk's pages.

import { type Html, html } from '#kit/http/markup.ts'
import { dayText } from '#kit/money/calendar.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { lazily, ownValue } from '#kit/runtime/record.ts'

const rupeeFormat = lazily(
  () => new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', minimumFractionDigits: 2 }),
)

/** `10000000n` as `₹1,00,000.00`. */
export const inr = (paise: Paise): string => wireInr(rupees(paise))

/** Formats a bank movement, which is negative when outgoing. */
export const signedInr = (paise: Paise): string => `${paise < 0n ? '−' : ''}${inr(paise < 0n ? -paise : paise)}`

/** Formats an amount in wire format, without floats. */
export const wireInr = (amount: string): string => {
  if (!isDecimal(amount)) throw new Error(`${JSON.stringify(amount)} is not an amount`)
  return rupeeFormat().format(amount)
}
const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text)

const zone = { timeZone: 'Asia/Kolkata' } as const
const instantFormat = lazily(
  () => new Intl.DateTimeFormat('en-IN', { ...zone, dateStyle: 'medium', timeStyle: 'short' }),
)

/** `2026-11-20` as `20 Nov 2026`. */
export const formatDay = (on: string): Html => html`<time datetime="${on}">${dayText(on)}</time>`

/** Formats an instant in Indian time. */
export const instantText = (at: Date): string => instantFormat().format(at)
export const formatTime = (at: Date): Html => html`<time datetime="${at.toISOString()}">${instantText(at)}</time>`

const fixedSpellings = new Map(
  ['KYC', 'VKYC', 'PAN', 'GST', 'GSTR', 'ITR', 'UPI', 'NEFT', 'RTGS', 'IMPS', 'SOA', 'APR', 'UMRN'].map((each) => [
    each,
    each,
  ]),
)
  .set('ENACH', 'eNACH')
  .set('ESIGN', 'e-sign')

/** `KYC_PENDING` as `KYC pending`, for the middle of a sentence. */
export const inlineLabelOf = (word: string): string =>
  word
    .split('_')
    .map((each) => fixedSpellings.get(each) ?? each.toLowerCase())
    .join(' ')

/** `READY_TO_DISBURSE` as `Ready to disburse`. */
export const labelOf = (word: string): string => {
  const text = inlineLabelOf(word)
  return text.startsWith('eNACH') ? text : capitalize(text)
}

const tones: Record<string, string> = Object.fromEntries(
  Object.entries({
    good: 'DISBURSED ACTIVE PAID POSTED APPROVED ACCEPT ACCEPTED COMPLETED VERIFIED SUCCEEDED APPROVE MET',
    bad: 'REJECTED REJECT EXPIRED EXPIRE FAILED OVERDUE REVERSED TAKEN_BACK CANCELLED DECLINE NOT_MET',
    warn: 'WAITING UNDER_REVIEW REVIEW_READY READY_TO_DISBURSE TO_DECIDE HELD REVIEW LOWER MISSING',
    quiet: 'WITHDRAWN DUE NOT_STARTED NOT_REQUIRED DROPPED CLOSED NOT_DISBURSED',
  }).flatMap(([tone, words]) => words.split(' ').map((word) => [word, tone])),
)

/** A state as a coloured badge: success, failure, waiting for staff, or in progress. */
export const badge = (word: string): Html =>
  html`<span class="badge ${ownValue(tones, word) ?? 'info'}">${labelOf(word)}</span>`

/** A count with its noun: `1 file`, `2 files`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** Turns a refusal's message into a sentence, with codes in words. */
export const toSentence = (words: string): string =>
  `${capitalize(words.replaceAll(/\b[A-Z]{3,}(?:_[A-Z]+)*\b/g, inlineLabelOf))}.`

/** The age in its largest unit: `3 days`. */
export function ageOf(since: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 60_000))
  if (minutes < 60) return minutes === 0 ? 'less than a minute' : countText(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? countText(hours, 'hour') : countText(Math.floor(hours / 24), 'day')
}

export const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

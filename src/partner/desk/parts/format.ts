// Formats money, days, times and states for the pages of the desk.

import { type Html, html } from '#kit/http/markup.ts'
import { dayText } from '#kit/money/calendar.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { lazily, ownValue } from '#kit/runtime/record.ts'

const rupee = lazily(
  () => new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', minimumFractionDigits: 2 }),
)

/** `10000000n` as `₹1,00,000.00`. */
export const inr = (paise: Paise): string => wireInr(rupees(paise))

/** The bank's movements: negative for outgoing. */
export const signedInr = (paise: Paise): string => `${paise < 0n ? '−' : ''}${inr(paise < 0n ? -paise : paise)}`

/** As above, for an amount in wire format; computed without floats. */
export const wireInr = (amount: string): string => {
  if (!isDecimal(amount)) throw new Error(`${JSON.stringify(amount)} is not an amount`)
  return rupee().format(amount)
}
const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text)

const zone = { timeZone: 'Asia/Kolkata' } as const
const instantFormat = lazily(
  () => new Intl.DateTimeFormat('en-IN', { ...zone, dateStyle: 'medium', timeStyle: 'short' }),
)

/** `2026-11-20` as `20 Nov 2026`. */
export const day = (on: string): Html => html`<time datetime="${on}">${dayText(on)}</time>`

/** An instant by the clock of India. */
export const instantText = (at: Date): string => instantFormat().format(at)
export const when = (at: Date): Html => html`<time datetime="${at.toISOString()}">${instantText(at)}</time>`

const asTheyAre = new Map(
  ['KYC', 'VKYC', 'PAN', 'GST', 'GSTR', 'ITR', 'UPI', 'NEFT', 'RTGS', 'IMPS', 'SOA', 'APR', 'UMRN'].map((each) => [
    each,
    each,
  ]),
)
  .set('ENACH', 'eNACH')
  .set('ESIGN', 'e-sign')

/** `KYC_PENDING` as `KYC pending`, for the middle of a sentence. */
export const plainly = (word: string): string =>
  word
    .split('_')
    .map((each) => asTheyAre.get(each) ?? each.toLowerCase())
    .join(' ')

/** `READY_TO_DISBURSE` as `Ready to disburse`. */
export const plain = (word: string): string => {
  const text = plainly(word)
  return text.startsWith('eNACH') ? text : capital(text)
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
  html`<span class="badge ${ownValue(tones, word) ?? 'info'}">${plain(word)}</span>`

/** One thing, or many of them: `2 files`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** A refusal's message as a sentence, with states in words. */
export const sentence = (words: string): string =>
  `${capital(words.replaceAll(/\b[A-Z]{3,}(?:_[A-Z]+)*\b/g, plainly))}.`

/** How long something waits, roughly: `3 days`. */
export function ageOf(since: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 60_000))
  if (minutes < 60) return counted(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day')
}

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

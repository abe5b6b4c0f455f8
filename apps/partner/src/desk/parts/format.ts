// Formats amounts, days, times and states for the desk's pages.

import { type StateTone, stateIcons } from '@lendloom/design/icons'
import { lazily } from '@lendloom/foundation/lazily'
import { keysOf } from '@lendloom/foundation/record'
import { capitalize, countText } from '@lendloom/foundation/text'
import { type Html, html, icon } from '@lendloom/http/markup'
import { dayText, instantText } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import { agoText, exactText, zonedText } from '@lendloom/lending/time-text'

export { capitalize, countText, instantText }

const rupeeFormat = lazily(
  () => new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', minimumFractionDigits: 2 }),
)

/** Formats an amount of a ledger or a statement, always with its paise: `10000000n` as `₹1,00,000.00`. */
export const exactInr = (paise: Paise): string => formatRupees(rupees(paise))

/** Formats an amount with its paise, if it has any: `₹1,00,000` or `₹1,234.50`. */
export const inr = (paise: Paise): string => wireInr(rupees(paise))

/** The format of amounts that stand below each other: with paise if one of them has any. */
export const amountFormat = (amounts: Paise[]): typeof inr =>
  amounts.some((each) => each % 100n !== 0n) ? exactInr : inr

/** Formats an amount as the value of a form field: `1,00,000`. */
export const amountValue = (paise: Paise): string => inr(paise).replace(/^₹/, '')

/** Formats the amount of a bank transaction, which is negative when outgoing. */
export const signedInr = (paise: Paise): string => `${paise < 0n ? '−' : ''}${exactInr(paise < 0n ? -paise : paise)}`

/** Formats a decimal string as `inr` does. */
export const wireInr = (amount: string): string => formatRupees(amount).replace(/\.00$/, '')

/** The string is never converted to a floating-point number. */
function formatRupees(amount: string): string {
  if (!isDecimal(amount)) throw new Error(`${JSON.stringify(amount)} is not an amount`)
  return rupeeFormat().format(amount)
}
const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text)

/** Formats a measured share of an income, with one decimal: `64.0%`. */
export const shareText = (percent: number): string => `${percent.toFixed(1)}%`

/** Formats a day as `20 Nov 2026`. */
export const formatDay = (day: string): Html => html`<time datetime="${day}">${dayText(day)}</time>`

const monthFormats = {
  long: lazily(() => new Intl.DateTimeFormat('en-IN', { timeZone: 'UTC', month: 'long', year: 'numeric' })),
  short: lazily(() => new Intl.DateTimeFormat('en-IN', { timeZone: 'UTC', month: 'short', year: 'numeric' })),
}

/** Formats a day's month as `November 2026`, or `Nov 2026` for a chart's axis. */
export const monthText = (day: string, length: keyof typeof monthFormats = 'long'): string =>
  monthFormats[length]().format(new Date(day)).replace('Sept ', 'Sep ')

/** Formats an instant as `20 Nov 2026, 6:50 pm`. The tooltip has the seconds and the time zone, as in the console. */
export const formatTime = (at: Date, text = instantText(at)): Html =>
  html`<time datetime="${at.toISOString()}" title="${zonedText(at)}">${text}</time>`

/** Formats an instant with its seconds. */
export const formatExactTime = (at: Date): Html => formatTime(at, exactText(at))

/** Formats an instant as the time that has passed since: `3 days ago`. */
export const formatAgo = (at: Date, now: Date): Html => formatTime(at, agoText(at, now))

/** Words of codes that keep their capitals or have a spelling of their own. */
const fixedSpellings = new Map(
  ['KYC', 'VKYC', 'PAN', 'GST', 'GSTR', 'ITR', 'UPI', 'NEFT', 'RTGS', 'IMPS', 'SOA', 'APR', 'UMRN'].map((each) => [
    each,
    each,
  ]),
)
  .set('ENACH', 'eNACH')
  .set('AUTOPAY', 'Autopay')
  .set('ESIGN', 'e-sign')
  .set('MET', 'passed')

/** Formats `KYC_PENDING` as `KYC pending`, for the middle of a sentence. */
export const inlineLabelOf = (code: string): string =>
  code
    .replace(/_PDF$/, '')
    .split('_')
    .map((each) => fixedSpellings.get(each) ?? each.toLowerCase())
    .join(' ')

/** Formats `READY_TO_DISBURSE` as `Ready to disburse`. */
export const labelOf = (code: string): string => {
  const text = inlineLabelOf(code)
  return text.startsWith('eNACH') ? text : capitalize(text)
}

/** Every other state has the tone `info`. */
const statesByTone: Record<Exclude<StateTone, 'info'>, string> = {
  good: 'DISBURSED ACTIVE PAID POSTED APPROVED ACCEPT ACCEPTED COMPLETED VERIFIED SUCCEEDED APPROVE MET',
  bad: 'REJECTED REJECT EXPIRED EXPIRE FAILED OVERDUE REVERSED TAKEN_BACK DECLINE NOT_MET',
  warn: 'WAITING UNDER_REVIEW REVIEW_READY READY_TO_DISBURSE TO_DECIDE HELD REVIEW LOWER MISSING',
  plain: 'WITHDRAWN DUE NOT_STARTED NOT_REQUIRED DROPPED CLOSED CANCELLED NOT_DISBURSED',
}

const tones = new Map(
  keysOf(statesByTone).flatMap((tone) => statesByTone[tone].split(' ').map((state) => [state, tone] as const)),
)

/** Shows a state with its tone. */
export const badge = (state: string): Html => toneBadge(tones.get(state) ?? 'info', labelOf(state))

/** A badge with its own text. The icon tells the tone without the colour. */
export const toneBadge = (tone: StateTone, text: string | Html): Html =>
  html`<span class="badge ${tone}">${icon(stateIcons[tone])}${text}</span>`

/** Turns a refusal's message into a sentence, in which words replace codes. */
export const toSentence = (message: string): string =>
  `${capitalize(message.replaceAll(/\b[A-Z]{3,}(?:_[A-Z]+)*\b/g, inlineLabelOf))}.`

/** Formats an hour of the day, such as 13, as `1 pm`. */
export const hourText = (hour: number): string => `${hour % 12 || 12} ${hour < 12 ? 'am' : 'pm'}`

/** Formats the age in minutes, hours or days: `3 days`. */
export function ageOf(since: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 60_000))
  if (minutes < 60) return minutes === 0 ? 'less than a minute' : countText(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? countText(hours, 'hour') : countText(Math.floor(hours / 24), 'day')
}

// Figures as people in India write them: lakhs, rupee sign, dates without ambiguity, in the borrower's language.
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { localeOf } from '#contract/language.ts'
import { language, t } from '../text.ts'

/** Sums are grouped in lakhs and written in one way in every language: not every locale of India has it so. */
const figures = 'en-IN'
const locale = () => localeOf(language.value)

/** `"200000.00"` as ₹2,00,000; paise only where there are some. */
export function rupees(amount: string | number): string {
  const value = Number(amount)
  const whole = Number.isInteger(value)
  return new Intl.NumberFormat(figures, {
    style: 'currency',
    currency: 'INR',
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: whole ? 0 : 2,
  }).format(value)
}

/** The number of a wire-format rate, `"14.25"` or `"14.25%"`; null when there is none. */
export function rateOf(text: string): number | null {
  const match = /\d+(?:\.\d+)?/.exec(text)
  return match ? Number(match[0]) : null
}

export function percent(text: string): string {
  const rate = rateOf(text)
  return rate === null ? text : `${new Intl.NumberFormat(figures, { maximumFractionDigits: 2 }).format(rate)}%`
}

/** A charge: an amount as `1180.00`, a percentage as `2%`, or words. */
export const charge = (text: string): string =>
  /^\d+\.\d\d$/.test(text) ? rupees(text) : /^\d+(\.\d+)?%$/.test(text) ? percent(text) : text

/** Units of a fund as `"6249.000"`: with every decimal, which a float would lose for a large number. */
export function units(text: string): string {
  const [whole = '0', decimals] = text.split('.')
  return new Intl.NumberFormat(figures).format(BigInt(whole)) + (decimals ? `.${decimals}` : '')
}

export const months = (count: number): string => t('unit.months', { count })

type Repaid = Pick<EmbedOffer, 'repaymentFrequency' | 'numberOfInstallments' | 'tenureMonths'>

export const isWeekly = ({ repaymentFrequency }: Pick<Repaid, 'repaymentFrequency'>): boolean =>
  /week/i.test(repaymentFrequency ?? '')

/** How long it takes to repay: in weeks where that is how it is repaid. */
export const tenureOf = (offer: Repaid): string =>
  isWeekly(offer) ? t('unit.weeks', { count: offer.numberOfInstallments }) : months(offer.tenureMonths)

/** A calendar day of an ISO 8601 text, as it falls in India; the text itself when it is not one. */
export const day = (iso: string): string => dated(iso, { day: 'numeric', month: 'short', year: 'numeric' })

/** Day and time of an instant, in India. */
export const moment = (iso: string): string =>
  dated(iso, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })

function dated(iso: string, parts: Intl.DateTimeFormatOptions): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  return new Intl.DateTimeFormat(locale(), { ...parts, timeZone: 'Asia/Kolkata' }).format(at)
}

/** A time in its largest whole unit; seconds in tens, so that it does not change all the time. */
function largest(seconds: number): [count: number, unit: 'day' | 'hour' | 'minute' | 'second'] {
  for (const [size, unit] of sizes) if (seconds >= size) return [Math.floor(seconds / size), unit]
  return [Math.floor(seconds / 10) * 10, 'second']
}
const sizes = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const

/** How long ago something was, as `2 minutes ago`. */
export function ago(seconds: number): string {
  const [count, unit] = largest(seconds)
  return new Intl.RelativeTimeFormat(locale()).format(-count, unit)
}

/** An approximate duration, rounded up, as `2 hours`: the wait should not exceed it. */
export function about(seconds: number): string {
  const [below, unit] = largest(seconds - 1)
  const count = below + (unit === 'second' ? 10 : 1)
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** A period such as `P5D`, or already in words, as words. */
export function period(text: string): string {
  const [, count, span = ''] = /^P(\d+)([DWM])$/.exec(text) ?? []
  const unit = { D: 'day', W: 'week', M: 'month' }[span]
  if (!unit) return text
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(Number(count))
}

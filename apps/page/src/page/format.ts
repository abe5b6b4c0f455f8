// Formats amounts, rates, dates and durations for the borrower.

import { localeOf } from '@lendloom/lending/language'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import { language, t } from '../text.ts'

/** The locale of numbers in every language, because not every Indian locale groups digits in lakhs. */
const numberLocale = 'en-IN'
const locale = () => localeOf(language.value)

/** `"200000.00"` as ₹2,00,000; zero paise are hidden. */
export function rupees(amount: string | number): string {
  const value = Number(amount)
  const isWhole = Number.isInteger(value)
  return new Intl.NumberFormat(numberLocale, {
    style: 'currency',
    currency: 'INR',
    minimumFractionDigits: isWhole ? 0 : 2,
    maximumFractionDigits: isWhole ? 0 : 2,
  }).format(value)
}

/** Parses a rate, `"14.25"` or `"14.25%"`; null without a number. */
export function rateOf(text: string): number | null {
  const match = /\d+(?:\.\d+)?/.exec(text)
  return match ? Number(match[0]) : null
}

/** Formats a rate; a text without a number is unchanged. */
export function percent(text: string): string {
  const rate = rateOf(text)
  return rate === null ? text : `${new Intl.NumberFormat(numberLocale, { maximumFractionDigits: 2 }).format(rate)}%`
}

/** Formats a charge: an amount such as `1180.00` or a percentage such as `2%`; other text is unchanged. */
export const charge = (text: string): string =>
  /^\d+\.\d\d$/.test(text) ? rupees(text) : /^\d+(\.\d+)?%$/.test(text) ? percent(text) : text

/** Formats fund units such as `"6249.000"`. Keeps all decimals, which a float would lose in a large number. */
export function units(text: string): string {
  const [whole = '0', decimals] = text.split('.')
  return new Intl.NumberFormat(numberLocale).format(BigInt(whole)) + (decimals ? `.${decimals}` : '')
}

/** A number or code by which the borrower recognises it, but an onlooker cannot read it. */
export const masked = (text: string): string => `••••••${text.slice(-4)}`

/** A number of months. */
export const months = (count: number): string => t('unit.months', { count })

type RepaymentTerms = Pick<EmbedOffer, 'repaymentFrequency' | 'numberOfInstallments' | 'tenureMonths'>

/** Whether instalments are weekly. */
export const isWeekly = ({ repaymentFrequency }: Pick<RepaymentTerms, 'repaymentFrequency'>): boolean =>
  /week/i.test(repaymentFrequency ?? '')

/** The term, in weeks for weekly instalments. */
export const tenureOf = (offer: RepaymentTerms): string =>
  isWeekly(offer) ? t('unit.weeks', { count: offer.numberOfInstallments }) : months(offer.tenureMonths)

/** The day in India of an ISO 8601 date; other text is unchanged. */
export const day = (iso: string): string => formatDate(iso, { day: 'numeric', month: 'short', year: 'numeric' })

/** The last day of a period, which ends at midnight in India: on that day, `today, 11:59 pm`. */
export const lastDay = (iso: string, today: string | undefined): string =>
  iso === today
    ? `${new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(0, 'day')}, ${endOfDay()}`
    : day(iso)

/** The last minute of a day. */
export const endOfDay = (): string => formatDate('2026-01-01T23:59+05:30', { hour: 'numeric', minute: '2-digit' })

/** Day and time in India of an ISO 8601 timestamp. */
export const moment = (iso: string, weekday?: 'short'): string =>
  formatDate(iso, { ...(weekday && { weekday }), day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })

/** A deadline: with its time if it is within a day. */
export const lastMoment = (iso: string): string =>
  Date.parse(iso) - Date.now() < 86_400_000 ? moment(iso) : formatDate(iso, { day: 'numeric', month: 'short' })

function formatDate(iso: string, parts: Intl.DateTimeFormatOptions): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  return new Intl.DateTimeFormat(locale(), { ...parts, timeZone: 'Asia/Kolkata' }).format(at).replaceAll(' ', '\u00a0')
}

/** A duration in its largest whole unit; seconds are rounded to tens, so that the text changes rarely. */
function inLargestUnit(seconds: number): [count: number, unit: 'day' | 'hour' | 'minute' | 'second'] {
  for (const [size, unit] of sizes) if (seconds >= size) return [Math.floor(seconds / size), unit]
  return [Math.floor(seconds / 10) * 10, 'second']
}
const sizes = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const

/** A past time, such as `2 minutes ago`. */
export function ago(seconds: number): string {
  const [count, unit] = inLargestUnit(seconds)
  return new Intl.RelativeTimeFormat(locale()).format(-count, unit)
}

/** An approximate duration, such as `2 hours`, rounded up because the wait should not exceed it. */
export function about(seconds: number): string {
  const [roundedDown, unit] = inLargestUnit(seconds - 1)
  const count = roundedDown + (unit === 'second' ? 10 : 1)
  return withUnit(count, unit)
}

/** A count and its unit, such as `2 hours`. The locale data of Tamil abbreviates hour and minute, which we do not. */
export const withUnit = (count: number, unit: string): string =>
  new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' })
    .format(count)
    .replace('ம.', 'மணிநேரம்')
    .replace('நிமி.', 'நிமிடம்')

/** Formats an ISO 8601 period such as `P5D`; other text is unchanged. */
export function period(text: string): string {
  const [, count, span = ''] = /^P(\d+)([DWM])$/.exec(text) ?? []
  const unit = { D: 'day', W: 'week', M: 'month' }[span]
  if (!unit) return text
  return withUnit(Number(count), unit)
}

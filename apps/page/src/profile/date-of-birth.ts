// What is wrong with a date of birth. Pure.

export type BirthdayFault = 'missing' | 'day' | 'month' | 'year' | 'unreal' | 'old' | 'future' | 'minor'

const oldestAge = 110

/**
 * The fault of a date as `YYYY-M-D`, whose parts are as typed; undefined for an existing day at least 18 and at most 110
 * years before `at`.
 */
export function birthdayFault(text: string, at: Date): BirthdayFault | undefined {
  const [year = '', month = '', day = ''] = text.split('-')
  if (/\D/.test(day)) return 'day'
  if (/\D/.test(month)) return 'month'
  if (/^\d{1,3}$|\D/.test(year)) return 'year'
  if (!year || !month || !day) return 'missing'
  if (Number(year) < at.getUTCFullYear() - oldestAge) return 'old'
  const date = dayAfter(text, 0)
  // A day that does not exist, such as 31 February, has become one of another month.
  if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== Number(month) - 1) return 'unreal'
  if (date > at) return 'future'
  return dayAfter(text, 18) > at ? 'minor' : undefined
}

/** The same day `years` years later. */
function dayAfter(text: string, years: number): Date {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return new Date(Date.UTC(year + years, month - 1, day))
}

// Lets the borrower paste a date into any of its three inputs, or type it through them. Listens at the document, because
// the first response has no room for it.
import { setProfileValue } from '../profile/profile-form.ts'
import { latinDigits } from './latin-digits.ts'

const monthNames = 'january february march april may june july august september october november december'.split(' ')

/** `feb` becomes `2`; a number stays. */
function monthNumber(part: string): string {
  const index = part.length < 3 ? -1 : monthNames.findIndex((name) => name.startsWith(part))
  return index < 0 ? part : `${index + 1}`
}

/** A year of two digits is the last one at which the borrower is at least 18. */
function fullYear(year: string, month: string, day: string, at: Date): string {
  if (!/^\d\d$/.test(year)) return year
  return Date.UTC(2018 + Number(year), Number(month) - 1, Number(day)) > at.getTime() ? `19${year}` : `20${year}`
}

/**
 * Converts a pasted date to `YYYY-M-D`; null for any other text. The day or the year comes first, or the name of the
 * month before the day.
 */
export function pastedDate(text: string, at: Date): string | null {
  const parts = text
    .trim()
    .toLowerCase()
    .replace(/^(\d\d)(\d\d)(\d{4})$/, '$1-$2-$3')
    .split(/[-/., ]+/)
  if (parts[0]?.length === 4 && /^\d/.test(parts[0])) parts.reverse()
  const isMonthFirst = /^[a-z]/.test(parts[0] ?? '')
  const [day = '', month = '', year = '', ...rest] = isMonthFirst ? [parts[1], parts[0], ...parts.slice(2)] : parts
  const number = monthNumber(month)
  const date = `${fullYear(year, number, day, at)}-${number}-${day}`
  return rest.length === 0 && /^\d{4}-\d\d?-\d\d?$/.test(date) ? date : null
}

const dateInput = ({ target }: Event): HTMLInputElement | null =>
  target instanceof HTMLInputElement && target.closest('.date') ? target : null

const inputAfter = (input: HTMLInputElement) => input.closest('label')?.nextElementSibling?.querySelector('input')

export function enableDateEntry(): void {
  addEventListener('paste', (event) => {
    const date = dateInput(event) && pastedDate(latinDigits(event.clipboardData?.getData('text') ?? ''), new Date())
    if (!date) return
    event.preventDefault()
    setProfileValue('dob', date)
  })
  // A separator ends the day or the month, and a digit beyond them belongs to the next input. The focus does not move
  // earlier, because a borrower who presses Tab would skip an input.
  addEventListener('beforeinput', (event) => {
    const input = dateInput(event)
    const next = input?.value && inputAfter(input)
    if (!next) return
    const text = event.data ?? ''
    const isFull = input.value.length === input.maxLength && input.selectionStart === input.selectionEnd
    const isDigit = isFull && !next.value && /^\d$/.test(text)
    if (!isDigit && !/^[-/. ]$/.test(text)) return
    event.preventDefault()
    next.focus()
    if (!isDigit) return
    next.value = text
    next.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

// Lets the borrower paste a date into any of its three inputs, or type it through them. Listens at the document, because
// the first response has no room for it.
import { setProfileValue } from '../profile/profile-form.ts'

/** Converts a pasted date, with the day or the year first, to `YYYY-M-D`; null for any other text. */
export function pastedDate(text: string): string | null {
  const parts = text
    .trim()
    .replace(/^(\d\d)(\d\d)(\d{4})$/, '$1-$2-$3')
    .split(/[-/. ]+/)
  const date = (parts[0]?.length === 4 ? parts : parts.reverse()).join('-')
  return /^\d{4}-\d\d?-\d\d?$/.test(date) ? date : null
}

const dateInput = ({ target }: Event): HTMLInputElement | null =>
  target instanceof HTMLInputElement && target.closest('.date') ? target : null

const inputAfter = (input: HTMLInputElement) => input.closest('label')?.nextElementSibling?.querySelector('input')

export function enableDateEntry(): void {
  addEventListener('paste', (event) => {
    const date = dateInput(event) && pastedDate(event.clipboardData?.getData('text') ?? '')
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

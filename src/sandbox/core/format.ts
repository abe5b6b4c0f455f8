// Days as borrowers read them, and what they are not shown whole.
import { lazily } from '#kit/runtime/lazily.ts'

const dayFormat = lazily(
  () => new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
)

/** `20 November 2026` of `2026-11-20`. */
export const dayText = (day: string): string => dayFormat().format(new Date(`${day}T00:00:00Z`))

/** The last four characters, the rest hidden. */
export const masked = (text: string): string => `${'•'.repeat(Math.max(0, text.length - 4))}${text.slice(-4)}`

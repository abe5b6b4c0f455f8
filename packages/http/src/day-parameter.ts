// Days that a caller sends, such as `2026-11-21`.

import { invalid } from '@lendloom/foundation/refusal'
import { startOf } from '@lendloom/lending/calendar'

/** Returns the day. Throws `invalid` at `path` for a text that is not an existing day. */
export function requireDay(path: string, text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  if (day === null || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    throw invalid({ path, message: 'must be an existing day such as 2026-11-21' })
  return text
}

/** The beginning of the day in India. Throws as `requireDay`. */
export const startOfDay = (path: string, text: string): Date => startOf(requireDay(path, text))

// Texts of audit entries, and links to their subjects.
import type { AuditEntry } from '#contract/console/staff.ts'
import { worded } from '../ui/words.ts'

type Detail = AuditEntry['detail']

const kinds: Record<string, string> = { WORDS: 'An answer', QUESTION: 'A question', RESOLUTION: 'The resolution' }

const one = (name: string, value: Detail[string]): string | null => {
  if (value === '' || (name === 'files' && value === 0)) return null
  if (name === 'files') return value === 1 ? 'one file' : `${value} files`
  if (name === 'kind') return kinds[String(value)] ?? worded(String(value))
  if (name === 'reason') return `“${value}”`
  const text = value === true ? 'yes' : value === false ? 'no' : String(value)
  return `${worded(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2'))}: ${/^[A-Z][A-Z_]+$/.test(text) ? worded(text).toLowerCase() : text}`
}

/** `An answer, 2 files` from the detail of an entry. */
export const detailText = (detail: Detail): string =>
  Object.entries(detail)
    .map(([name, value]) => one(name, value))
    .filter((text) => text !== null)
    .join(', ')

const places: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^COMPLAINT_/, ['grievances']],
  [/^(JOURNEY_|NOTE_ADDED|SANDBOX_JOURNEY_|EVENTS_|PERSONAL_DATA_REVEALED)/, ['journeys']],
  [/^LENDER_SWITCHED_/, ['lenders']],
]

/** The path of the act's subject; null if it has no page. */
export function placeOf({ act, subject, detail }: Pick<AuditEntry, 'act' | 'subject' | 'detail'>): string[] | null {
  if (subject === null || !/^[\da-f]{8}-/.test(subject)) return null
  if (act === 'PERSONAL_DATA_REVEALED' && detail.fields === 'complaint') return ['grievances', subject]
  const path = places.find(([acts]) => acts.test(act))?.[1]
  return path ? [...path, subject] : null
}

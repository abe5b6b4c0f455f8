// Texts of audit entries, and links to their subjects.
import type { AuditEntry } from '@lendloom/wire/console/staff'
import { labelOf, shortId } from '../ui/code-labels.ts'

type Detail = AuditEntry['detail']

const kinds: Record<string, string> = { WORDS: 'An answer', QUESTION: 'A question', RESOLUTION: 'The resolution' }

const formatDetail = (name: string, value: Detail[string]): string | null => {
  if (value === '' || (name === 'files' && value === 0)) return null
  if (name === 'files') return value === 1 ? 'one file' : `${value} files`
  if (name === 'kind') return kinds[String(value)] ?? labelOf(String(value))
  if (name === 'role') return `Role: ${labelOf(String(value)).toLowerCase()}`
  if (name === 'reason') return `“${value}”`
  if (name === 'journeyId') return `Journey ${shortId(String(value))}`
  const text = value === true ? 'yes' : value === false ? 'no' : String(value)
  return `${labelOf(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2'))}: ${/^[A-Z][A-Z_]+$/.test(text) ? labelOf(text).toLowerCase() : text}`
}

const actNames: Record<string, string> = {
  DATA_ERASED_BY_PERIOD: 'Personal data erased after its period',
  DATA_EXPORTED: 'Personal data exported',
  HOLD_PLACED: 'Legal hold placed',
  HOLD_RELEASED: 'Legal hold released',
  KEY_ROLLED: 'Key replaced',
  TRANSCRIPT_EXPORTED: 'Network transcript downloaded',
}

export const actName = (act: string): string => actNames[act] ?? labelOf(act)

/** Formats an entry's details, such as `An answer, 2 files`. */
export const detailText = (detail: Detail): string =>
  Object.entries(detail)
    .map(([name, value]) => formatDetail(name, value))
    .filter((text) => text !== null)
    .join(', ')

const places: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^COMPLAINT_/, ['complaints']],
  [/^(JOURNEY_|NOTE_ADDED|SANDBOX_JOURNEY_|EVENTS_|PERSONAL_DATA_REVEALED|TRANSCRIPT_EXPORTED)/, ['journeys']],
  [/^LENDER_SWITCHED_/, ['lenders']],
]

/** Their subject is a borrower, who is on the page of a journey. */
const personalDataActs = /^(ERASURE_|HOLD_|NOMINEE_RECORDED|DATA_EXPORTED)/

/** The path of the subject's page; null if the subject has no page. */
export function pathOf({ act, subject, detail }: Pick<AuditEntry, 'act' | 'subject' | 'detail'>): string[] | null {
  if (personalDataActs.test(act))
    return typeof detail.journeyId === 'string' ? ['journeys', detail.journeyId, 'personal-data'] : null
  if (subject === null || !/^[\da-f]{8}-/.test(subject)) return null
  if (act === 'PERSONAL_DATA_REVEALED' && detail.fields === 'complaint') return ['complaints', subject]
  const path = places.find(([acts]) => acts.test(act))?.[1]
  return path ? [...path, subject] : null
}

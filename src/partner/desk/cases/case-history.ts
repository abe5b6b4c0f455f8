// The history of a case: status changes, decisions with their authors, and staff acts.
import { type Html, html } from '#kit/http/markup.ts'
import { stopText } from '#partner/desk/books/stop-form.ts'
import { type Cell, tableOf } from '#partner/desk/frame.ts'
import { badge, capitalize, formatTime, labelOf } from '#partner/desk/parts/format.ts'
import { actText } from '#partner/desk/staff/staff-act.ts'
import type { CaseTransition } from '#partner/desk/store.ts'
import type { CaseView } from './read-case.ts'

/** Acts that are not listed, because the history lists the decisions or the cancellation that they made. */
const unlistedActs = new Set(['OFFERED', 'REJECTED', 'KYC_REVIEWED', 'CASE_STOPPED'])

export function caseHistory({ transitions, reviews, staffActs, stop }: CaseView): Html {
  const stoppedBy = staffActs.find(({ act }) => act === 'CASE_STOPPED')?.name
  const entries: { at: Date; cells: Cell[] }[] = [
    ...inTimeOrder(transitions).map(({ at, status }) => ({ at, cells: [badge(status), null, null] })),
    ...reviews.map(({ reviewedAt, kind, decision, reviewer, reasonCode, reasonMessage }) => ({
      at: reviewedAt,
      cells: [
        html`${kind === 'KYC' ? 'KYC' : 'Review'}: ${badge(decision)}`,
        reviewer === 'autopilot' ? 'The rules' : reviewer,
        reasonText({ reasonCode, reasonMessage }),
      ],
    })),
    ...(stop ? [{ at: stop.stoppedAt, cells: [stopText(stop), stoppedBy ?? 'The rules', reasonText(stop)] }] : []),
    ...staffActs
      .filter(({ act }) => !unlistedActs.has(act))
      .map(({ at, act, name, subject }) => ({
        at,
        cells: [capitalize(actText(act)), name ?? 'The command line', subjectText(subject)],
      })),
  ]
  return tableOf(
    'History',
    ['When', 'What', 'Who', 'Details'],
    entries.sort((a, b) => a.at.getTime() - b.at.getTime()).map(({ at, cells }) => [formatTime(at), ...cells]),
    { empty: 'No history yet.' },
  )
}

/** Formats the subject of an act, with a code in words. Ids are shown only in the audit log. */
const subjectText = (subject: string | null) =>
  subject === null || /^[\da-f]{8}-[\da-f-]{27}$/.test(subject)
    ? null
    : /^[A-Z]{3}[A-Z_]*$/.test(subject)
      ? labelOf(subject)
      : subject

const reasonText = ({ reasonCode, reasonMessage }: { reasonCode: string | null; reasonMessage: string | null }) =>
  reasonCode && `${labelOf(reasonCode)}${reasonMessage ? `: ${reasonMessage}` : ''}`

/**
 * Makes the times ascending. A request that waited for the lock of the case has an earlier time than the previous
 * transition.
 */
function inTimeOrder(transitions: CaseTransition[]): CaseTransition[] {
  let latest = 0
  return transitions.map((transition) => {
    latest = Math.max(latest, transition.at.getTime())
    return { ...transition, at: new Date(latest) }
  })
}

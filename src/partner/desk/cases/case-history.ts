// The history of a case: its moves, decisions with their authors, and staff acts.
import { type Html, html } from '#kit/http/markup.ts'
import { stopText } from '#partner/desk/books/stop-form.ts'
import { type Cell, tableOf } from '#partner/desk/frame.ts'
import { badge, capital, plain, when } from '#partner/desk/parts/format.ts'
import { actText } from '#partner/desk/staff/staff-act.ts'
import type { MoveRow } from '#partner/desk/store.ts'
import type { CaseView } from './read-case.ts'

/** Acts that are shown as decisions. */
const decisions = new Set(['OFFERED', 'REJECTED', 'KYC_REVIEWED', 'CASE_STOPPED'])

export function caseHistory({ moves, reviews, did, stop }: CaseView): Html {
  const stoppedBy = did.find(({ act }) => act === 'CASE_STOPPED')?.name
  const all: { at: Date; cells: Cell[] }[] = [
    ...inTheirOrder(moves).map(({ at, status }) => ({ at, cells: [badge(status), null, null] })),
    ...reviews.map(({ reviewedAt, kind, decision, reviewer, reasonCode, reasonMessage }) => ({
      at: reviewedAt,
      cells: [
        html`${kind === 'KYC' ? 'KYC' : 'Review'}: ${badge(decision)}`,
        reviewer === 'autopilot' ? 'The rules' : reviewer,
        whyOf({ reasonCode, reasonMessage }),
      ],
    })),
    ...(stop ? [{ at: stop.stoppedAt, cells: [stopText(stop), stoppedBy ?? 'The rules', whyOf(stop)] }] : []),
    ...did
      .filter(({ act }) => !decisions.has(act))
      .map(({ at, act, name, subject }) => ({
        at,
        cells: [capital(actText(act)), name ?? 'The command line', subject],
      })),
  ]
  return tableOf(
    'History',
    ['When', 'What', 'Who', 'Why'],
    all.sort((a, b) => a.at.getTime() - b.at.getTime()).map(({ at, cells }) => [when(at), ...cells]),
    { empty: 'No history yet.' },
  )
}

const whyOf = ({ reasonCode, reasonMessage }: { reasonCode: string | null; reasonMessage: string | null }) =>
  reasonCode && `${plain(reasonCode)}${reasonMessage ? `: ${reasonMessage}` : ''}`

/** Orders the moves by time: a person who waited for the lock may have an earlier time than the move before. */
function inTheirOrder(moves: MoveRow[]): MoveRow[] {
  let latest = 0
  return moves.map((move) => {
    latest = Math.max(latest, move.at.getTime())
    return { ...move, at: new Date(latest) }
  })
}

// The notice after an act: what the user did, with the amount or month, and the case or person. From the user’s last audit entry.

import { secondsAfter } from '@lendloom/foundation/clock'
import { isKeyOf } from '@lendloom/foundation/record'
import { firstRows } from '@lendloom/postgres/keyset'
import type { Context } from '#partner/context.ts'
import { checkedActs } from '#partner/desk/approval/checked-acts.ts'
import { maxAssigned } from '#partner/desk/arrears/arrears-list.ts'
import { inlineCaseNumber } from '#partner/desk/cases/case-number.ts'
import { capitalize, countText, inlineLabelOf, monthText, wireInr } from '#partner/desk/parts/format.ts'
import { acts } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'
import { type ActRow, listActs } from './store.ts'

/** Reloads of a page later than this show only the kind of act. */
const echoSeconds = 600

/** `done` is the code of the act, as in the address. Undefined for an unknown code. `caseName` replaces the number of the case. */
export async function noticeAfterAct(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { staffId }: Staff,
  done: string | undefined,
  caseName?: string,
): Promise<string | undefined> {
  if (done === undefined || !isKeyOf(acts, done)) return undefined
  const limit = done === 'AGENT_ASSIGNED' ? maxAssigned : 1
  const rows = await listActs(db, { staffId, act: done }, firstRows(limit))
  const [last] = rows
  const what = capitalize(acts[done][0])
  if (!last || secondsAfter(last.at, echoSeconds) < clock()) return `${what}.`
  const together = rows.filter(({ at }) => at.getTime() === last.at.getTime())
  const about = aboutOf(last, together.length, caseName)
  return `${what}${about.length > 0 ? `: ${about.join(', ')}` : ''}.`
}

export function contentWords({ detail }: Pick<ActRow, 'detail'>): string[] {
  const { what, amount, month }: { what?: string; amount?: string; month?: string } = JSON.parse(detail)
  return [
    what !== undefined && (isKeyOf(checkedActs, what) ? checkedActs[what].label : inlineLabelOf(what)),
    amount !== undefined && wireInr(amount),
    month !== undefined && monthText(month),
  ].filter((each) => typeof each === 'string')
}

function caseOf({ loanId, leadId, hasLoan }: ActRow): string | null {
  if (loanId === null || leadId === null) return null
  return inlineCaseNumber({ loanId, leadId, hasLoan: hasLoan === true })
}

function aboutOf(act: ActRow, count: number, caseName: string | undefined): string[] {
  const { subjectName } = act
  return [...contentWords(act), count > 1 ? countText(count, 'case') : (caseName ?? caseOf(act)), subjectName].filter(
    (each) => typeof each === 'string',
  )
}

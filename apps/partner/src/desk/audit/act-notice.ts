// The notice after an act: what the user did, with the amount or month, and the case or person. From the user’s last audit entry.

import { secondsAfter } from '@lendloom/foundation/clock'
import { isKeyOf } from '@lendloom/foundation/record'
import { type Html, html } from '@lendloom/http/markup'
import { firstRows } from '@lendloom/postgres/keyset'
import type { Context } from '#partner/context.ts'
import { checkedActs } from '#partner/desk/approval/checked-acts.ts'
import { maxAssigned } from '#partner/desk/arrears/arrears-list.ts'
import { inlineCaseNumber } from '#partner/desk/cases/case-number.ts'
import { caseLink } from '#partner/desk/frame.ts'
import { capitalize, countText, inlineLabelOf, monthText, wireInr } from '#partner/desk/parts/format.ts'
import { acts } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'
import { type ActRow, listActs, numberedCaseOf } from './store.ts'

/** Reloads of a page later than this show only the kind of act. */
const echoSeconds = 600

/**
 * `done` is the code of the act, as in the address. Undefined for an unknown code. The number of the case is a link to it;
 * on the page of the case, `caseName` stands in its place.
 */
export async function noticeAfterAct(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { staffId }: Staff,
  done: string | undefined,
  caseName?: string,
): Promise<Html | string | undefined> {
  if (done === undefined || !isKeyOf(acts, done)) return undefined
  const limit = done === 'AGENT_ASSIGNED' ? maxAssigned : 1
  const rows = await listActs(db, { staffId, act: done }, firstRows(limit))
  const [last] = rows
  const what = capitalize(acts[done][0])
  if (!last || secondsAfter(last.at, echoSeconds) < clock()) return `${what}.`
  const together = rows.filter(({ at }) => at.getTime() === last.at.getTime())
  const about = aboutOf(last, together.length, caseName)
  return html`${what}${about.map((each, i) => html`${i === 0 ? ': ' : ', '}${each}`)}.`
}

export function contentWords({ detail }: Pick<ActRow, 'detail'>): string[] {
  const { what, amount, month }: { what?: string; amount?: string; month?: string } = JSON.parse(detail)
  return [
    what !== undefined && (isKeyOf(checkedActs, what) ? checkedActs[what].label : inlineLabelOf(what)),
    amount !== undefined && wireInr(amount),
    month !== undefined && monthText(month),
  ].filter((each) => typeof each === 'string')
}

function caseOf(act: ActRow): Html | null {
  const numbered = numberedCaseOf(act)
  return act.caseRef !== null && numbered ? caseLink(act.caseRef, inlineCaseNumber(numbered)) : null
}

function aboutOf(act: ActRow, count: number, caseName: string | undefined): (Html | string)[] {
  const { subjectName } = act
  const cases = count > 1 ? countText(count, 'case') : (caseName ?? caseOf(act))
  return [...contentWords(act), cases, subjectName].filter((each) => each !== null)
}

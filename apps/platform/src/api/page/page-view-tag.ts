// The ETag of a poll's view. It is known from the versions of the rows and the clock, without building the view.

import { secondsAfter } from '@lendloom/foundation/clock'
import type { Arrival } from '@lendloom/http/server'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { digestOf } from '@lendloom/seal/token'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import type { Context } from '#platform/context.ts'
import type { SessionBorrower } from '#platform/integrators/access/embed-session.ts'
import { partnersOf } from '#platform/lenders/partner/partner-look-ups.ts'
import { rowVersionsOf } from './store.ts'

export interface ViewQuery {
  who: SessionBorrower
  after: number | null
}

/** Must be read before the view: a change in between then gets another state, although the view may show it. */
export async function viewStateOf(
  ctx: Pick<Context, 'db' | 'seal'>,
  { who, after }: ViewQuery,
): Promise<{ state: string; pageSequence: number | null }> {
  const { tenantId, journeyId, pageId = null } = who
  const [{ versions, pageSequence }, partners] = await Promise.all([
    rowVersionsOf(ctx.db, who),
    partnersOf(ctx).all(ctx.db),
  ])
  const partnerVersions = partners.map(({ updatedAt }) => updatedAt)
  const digest = digestOf(JSON.stringify([tenantId, journeyId, pageId, after, versions, partnerVersions]))
  return { state: digest.subarray(0, 16).toString('base64url'), pageSequence }
}

/** Returns the tag of a view; null if the page does not poll, because such a view may show figures of other journeys. */
export const viewTag = (state: string, view: EmbedView, at: Date): string | null =>
  view.pollAfterMs === null ? null : `W/"${state}.${clockChangeOf(view, at).getTime().toString(36)}"`

/** Returns the tag that the page sent if its view is still the current one, so that the answer is 304; otherwise null. */
export function currentTag(state: string, { 'if-none-match': sent }: Arrival['headers'], at: Date): string | null {
  const [tag, stateSent, clockChange] =
    /^W\/"([\w-]{22})\.([0-9a-z]{1,10})"$/.exec(typeof sent === 'string' ? sent : '') ?? []
  const isPast = Number.parseInt(clockChange ?? '', 36) <= at.getTime()
  return tag === undefined || isPast || stateSent !== state ? null : tag
}

/** A tag ends, because links of a view expire and the median times to payout change. */
const maxSeconds = 300

/** When the view changes next although no row changes: an offer expires, a day begins, a check ends, or a shown wait grows. */
export function clockChangeOf(view: EmbedView, at: Date): Date {
  const { lenders, offers, selected, grievances, servicing, drawdowns } = view
  const dates = [
    ...[...offers, ...(selected ? [selected.terms] : [])].map(({ validUntil }) => validUntil),
    ...(grievances?.items ?? []).map(({ dueAt }) => dueAt),
    ...servicing.map(({ check }) => check?.until ?? null),
    ...drawdowns.map(({ terms }) => terms?.until ?? null),
  ]
  const moments = [
    secondsAfter(at, maxSeconds),
    startOf(plusDays(businessDate(at), 1)),
    ...lenders.flatMap(({ waitedSeconds }) => (waitedSeconds === null ? [] : nextWaitText(waitedSeconds, at))),
    ...dates.flatMap((date) => (date !== null && new Date(date) > at ? new Date(date) : [])),
  ]
  return new Date(Math.min(...moments.map(Number)))
}

/** The page shows a lender's delay in whole days, hours, minutes or tens of seconds; `waited` omits part of a second. */
function nextWaitText(waited: number, at: Date): Date {
  const step = [86_400, 3600, 60].find((size) => waited >= size) ?? 10
  return secondsAfter(at, step - (waited % step) - 1)
}

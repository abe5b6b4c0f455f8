// Updates figures: counts new and changed data, and recounts each half hour after its last transaction has committed.

import { archiveDays } from '@lendloom/archive/archive-sweep'
import { daysAfter } from '@lendloom/foundation/clock'
import type { Context } from '#platform/context.ts'
import { type FigureRow, figureNamesOf, type History, histories, mayChangeLater } from './figure.ts'
import {
  dayMs,
  dayOf,
  daysIn,
  halfHourAfter,
  halfHourOf,
  type Window,
  wholeHalfHours,
  windowsOf,
} from './half-hours.ts'
import { changedHalfHours, countHistory, firstJourneyAt, hasArchive } from './history/store.ts'
import {
  advanceCheckedUntil,
  advanceSeenUntil,
  type CountProgress,
  findProgress,
  insertProgress,
  listPendingHalfHours,
  listTenantIds,
  lockIfLatest,
  nextCountNumber,
  storeHalfHours,
  sumDay,
} from './store.ts'

export type FigureDeps = Pick<Context, 'db' | 'clock'>

/**
 * Each pass also recounts this period before the previous pass, because a row is committed up to a minute after its
 * timestamp.
 */
const overlapMs = 1_800_000
/** Rows with timestamps before this period are certainly committed, even with clock skew or after a failover. */
const finalAfterMs = 25 * 3_600_000

const subtract = (at: Date, ms: number): Date => new Date(at.getTime() - ms)

/**
 * Counts a window of whole half hours within a day, stores the figures tenant by tenant, and returns their number. If
 * another worker has stored a later count meanwhile, repeats the count. Counting is idempotent, so a crash is harmless.
 */
export async function countWindow(
  deps: FigureDeps,
  history: History,
  window: Window,
  isRecount = false,
): Promise<number> {
  const { db, clock } = deps
  const names = figureNamesOf(history)
  const day = { names, from: dayOf(window.from), until: new Date(dayOf(window.from).getTime() + dayMs) }
  for (;;) {
    const countNumber = await nextCountNumber(db, history)
    const counted = await countHistory(db, history, window, clock())
    const byTenant = Map.groupBy(counted, ({ tenantId }) => tenantId)
    // A tenant without rows normally has no figures either. A recount updates all tenants, to remove wrong figures.
    const tenants = isRecount ? new Set([...(await listTenantIds(db)), ...byTenant.keys()]) : byTenant.keys()
    let isLatest = true
    for (const tenantId of tenants) {
      isLatest = await db.tx(async (tx) => {
        if (!(await lockIfLatest(tx, tenantId, history, countNumber))) return false
        await storeHalfHours(tx, tenantId, { ...window, names }, byTenant.get(tenantId) ?? noRows)
        await sumDay(tx, tenantId, day)
        return true
      })
      if (!isLatest) break
    }
    if (isLatest) return counted.length
  }
}
const noRows: FigureRow[] = []

/** Counts new data, changed half hours and half hours with pending rows; returns the number of figures. */
async function countNew(deps: FigureDeps, { history, seenUntil }: CountProgress): Promise<number> {
  const { db, clock } = deps
  const at = clock()
  const since = subtract(seenUntil, overlapMs)
  const recent = { from: halfHourOf(since), until: halfHourAfter(at) }
  const oldHalfHours = mayChangeLater(history)
    ? [
        ...(await changedHalfHours(db, history, since)),
        ...(await listPendingHalfHours(db, figureNamesOf(history), recent.from)),
      ].filter((halfHour) => halfHour < recent.from)
    : []
  let counted = 0
  for (const window of [...windowsOf(oldHalfHours), recent])
    for (const part of daysIn(window)) counted += await countWindow(deps, history, part)
  await advanceSeenUntil(db, history, at)
  return counted
}

/** The first day of which no network message can have left the database for the archive yet: its figures are final before. */
const firstWholeDay = (at: Date): Date => dayOf(daysAfter(at, 2 - archiveDays))

/** Recounts the next final day, or its final part. Returns the end of that period; null if no day is due. */
export async function recountDay(deps: FigureDeps, { history, checkedUntil }: CountProgress): Promise<Date | null> {
  const until = halfHourOf(subtract(deps.clock(), finalAfterMs))
  if (checkedUntil >= until) return null
  const first = history === 'network' && (await hasArchive(deps.db)) ? firstWholeDay(deps.clock()) : checkedUntil
  const [nextDay] = daysIn(wholeHalfHours({ from: first > checkedUntil ? first : checkedUntil, until }))
  if (!nextDay) return null
  await countWindow(deps, history, nextDay, true)
  await advanceCheckedUntil(deps.db, history, { from: checkedUntil, until: nextDay.until })
  return nextDay.until
}

/** Recounts the period whose rows may not all be committed. */
export async function recountUncommitted(deps: FigureDeps, history: History): Promise<void> {
  const at = deps.clock()
  for (const part of daysIn({ from: halfHourOf(subtract(at, finalAfterMs)), until: halfHourAfter(at) }))
    await countWindow(deps, history, part, true)
}

/** Returns the progress of a history. A new history starts with the last day; later passes count older days. */
export async function startOrReadProgress(deps: FigureDeps, history: History): Promise<CountProgress> {
  const stored = await findProgress(deps.db, history)
  if (stored) return stored
  const at = deps.clock()
  const firstAt = (await firstJourneyAt(deps.db)) ?? at
  const finalUntil = subtract(at, finalAfterMs)
  const progress = {
    history,
    seenUntil: finalUntil,
    checkedUntil: firstAt < finalUntil ? halfHourOf(firstAt) : finalUntil,
  }
  await insertProgress(deps.db, progress)
  return progress
}

export interface PassResult {
  /** Whether the pass ended before all final days were recounted. */
  hasDaysLeft: boolean
  isUnchanged: boolean
}

/** Runs one pass: counts what is new in all histories, then recounts final days while `mayRecount` returns true. */
export async function updateFigures(deps: FigureDeps, mayRecount: () => boolean): Promise<PassResult> {
  let counted = 0
  for (const history of histories) counted += await countNew(deps, await startOrReadProgress(deps, history))
  const isUnchanged = counted === 0
  for (const history of histories)
    do if (!mayRecount()) return { hasDaysLeft: true, isUnchanged }
    while ((await recountDay(deps, await startOrReadProgress(deps, history))) !== null)
  return { hasDaysLeft: false, isUnchanged }
}

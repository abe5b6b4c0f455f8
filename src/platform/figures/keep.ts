// Maintains figures: counts new and changed data, and recounts each half hour when all its transactions have ended.
import type { Context } from '#platform/context.ts'
import {
  dayMs,
  dayOf,
  daysIn,
  type FigureRow,
  figureNamesOf,
  type History,
  halfHourAfter,
  halfHourOf,
  histories,
  mayChangeLater,
  type Window,
  wholeHalfHours,
  windowsOf,
} from './figure.ts'
import { changedHalfHours, count, firstJourneyAt } from './history/store.ts'
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
 * Each pass rereads this period before the previous pass, because a row is committed after its timestamp. Transactions
 * last at most a minute.
 */
const marginMs = 1_800_000
/** After this time every row is committed, even after clock skew or a failover. */
const settledMs = 25 * 3_600_000

const subtract = (at: Date, ms: number): Date => new Date(at.getTime() - ms)

/**
 * Counts a window of whole half hours within a day, stores the figures tenant by tenant, and returns their number. If
 * another worker has stored a later count meanwhile, counts again. Counting is idempotent, so a crash is harmless.
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
    const turn = await nextCountNumber(db, history)
    const counted = await count(db, history, window, clock())
    const byTenant = Map.groupBy(counted, ({ tenantId }) => tenantId)
    // Only a recount removes the figures of a tenant without results, because histories do not shrink.
    const tenants = isRecount ? new Set([...(await listTenantIds(db)), ...byTenant.keys()]) : byTenant.keys()
    let isLatest = true
    for (const tenantId of tenants) {
      isLatest = await db.tx(async (tx) => {
        if (!(await lockIfLatest(tx, tenantId, history, turn))) return false
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

/** Counts data since the previous pass, changed half hours and those with pending rows; returns the number of figures. */
async function countNew(deps: FigureDeps, { history, seenUntil }: CountProgress): Promise<number> {
  const { db, clock } = deps
  const at = clock()
  const since = subtract(seenUntil, marginMs)
  const recent = { from: halfHourOf(since), until: halfHourAfter(at) }
  const oldHalfHours = mayChangeLater(history)
    ? [
        ...(await changedHalfHours(db, history, since)),
        ...(await listPendingHalfHours(db, figureNamesOf(history), recent.from)),
      ].filter((each) => each < recent.from)
    : []
  let counted = 0
  for (const window of [...windowsOf(oldHalfHours), recent])
    for (const part of daysIn(window)) counted += await countWindow(deps, history, part)
  await advanceSeenUntil(db, history, at)
  return counted
}

/** Recounts the next settled day, or part of a day; returns its end, or null when none is due. */
export async function recountDay(deps: FigureDeps, { history, checkedUntil }: CountProgress): Promise<Date | null> {
  const until = halfHourOf(subtract(deps.clock(), settledMs))
  if (checkedUntil >= until) return null
  const [nextDay] = daysIn(wholeHalfHours({ from: checkedUntil, until }))
  if (!nextDay) return null
  await countWindow(deps, history, nextDay, true)
  await advanceCheckedUntil(deps.db, history, { from: checkedUntil, until: nextDay.until })
  return nextDay.until
}

/** Recounts the period that is not settled yet. */
export async function recountUnsettled(deps: FigureDeps, history: History): Promise<void> {
  const at = deps.clock()
  for (const part of daysIn({ from: halfHourOf(subtract(at, settledMs)), until: halfHourAfter(at) }))
    await countWindow(deps, history, part, true)
}

/** Returns the progress of a history. A new history starts with its last day; later passes count the older days. */
export async function startOrReadProgress(deps: FigureDeps, history: History): Promise<CountProgress> {
  const stored = await findProgress(deps.db, history)
  if (stored) return stored
  const at = deps.clock()
  const firstAt = (await firstJourneyAt(deps.db)) ?? at
  const settled = subtract(at, settledMs)
  const progress = { history, seenUntil: settled, checkedUntil: firstAt < settled ? halfHourOf(firstAt) : settled }
  await insertProgress(deps.db, progress)
  return progress
}

/** The result of a pass. */
export interface PassResult {
  /** Whether settled days remain to be recounted. */
  hasDaysLeft: boolean
  /** Whether nothing changed since half an hour before the previous pass. */
  isUnchanged: boolean
}

/** Runs one pass over all histories, and recounts settled days while `mayRecount` permits. */
export async function updateFigures(deps: FigureDeps, mayRecount: () => boolean): Promise<PassResult> {
  let counted = 0
  for (const history of histories) counted += await countNew(deps, await startOrReadProgress(deps, history))
  const isUnchanged = counted === 0
  for (const history of histories)
    do if (!mayRecount()) return { hasDaysLeft: true, isUnchanged }
    while ((await recountDay(deps, await startOrReadProgress(deps, history))) !== null)
  return { hasDaysLeft: false, isUnchanged }
}

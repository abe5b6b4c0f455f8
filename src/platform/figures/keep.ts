// Maintains figures: counts new and changed data, and each half hour again after all its transactions have ended.
import type { Context } from '#platform/context.ts'
import {
  changesLater,
  dayMs,
  dayOf,
  daysIn,
  type FigureRow,
  figuresOf,
  type History,
  halfHourAfter,
  halfHourOf,
  histories,
  type Window,
  wholeHalfHours,
  windowsOf,
} from './figure.ts'
import { beginning, changedHalfHours, count } from './history/store.ts'
import {
  begin,
  type CountProgress,
  checked,
  everyTenant,
  keepHalfHours,
  nextTurn,
  progressOf,
  seen,
  sumDay,
  takeTurn,
  waitingHalfHours,
} from './store.ts'

export type FigureDeps = Pick<Context, 'db' | 'clock'>

/**
 * A row may be committed this long after its timestamp and is still counted: each pass looks this far back before the
 * previous one. A transaction lives for a minute at most.
 */
const marginMs = 1_800_000
/** By then every row is committed, also after a slow clock or a failover. */
const settledMs = 25 * 3_600_000

const before = (at: Date, ms: number): Date => new Date(at.getTime() - ms)

/**
 * Counts a window of whole half hours within a day and stores it, tenant by tenant. A result that is older than what
 * another worker stored is counted again instead. Counting is idempotent, so it may stop anywhere. Returns the number
 * of figures.
 */
export async function countWindow(
  deps: FigureDeps,
  history: History,
  window: Window,
  isWhole = false,
): Promise<number> {
  const { db, clock } = deps
  const names = figuresOf(history)
  const day = { names, from: dayOf(window.from), until: new Date(dayOf(window.from).getTime() + dayMs) }
  for (;;) {
    const turn = await nextTurn(db, history)
    const counted = await count(db, history, window, clock())
    const byTenant = Map.groupBy(counted, ({ tenantId }) => tenantId)
    // A tenant without results loses its figures only in a complete recount: histories do not shrink.
    const tenants = isWhole ? new Set([...(await everyTenant(db)), ...byTenant.keys()]) : byTenant.keys()
    let isOurs = true
    for (const tenantId of tenants) {
      isOurs = await db.tx(async (tx) => {
        if (!(await takeTurn(tx, tenantId, history, turn))) return false
        await keepHalfHours(tx, tenantId, { ...window, names }, byTenant.get(tenantId) ?? noRows)
        await sumDay(tx, tenantId, day)
        return true
      })
      if (!isOurs) break
    }
    if (isOurs) return counted.length
  }
}
const noRows: FigureRow[] = []

/**
 * Counts new and changed data since the previous pass, and half hours with pending rows; returns the number of figures.
 */
async function countNew(deps: FigureDeps, { history, seenUntil }: CountProgress): Promise<number> {
  const { db, clock } = deps
  const at = clock()
  const since = before(seenUntil, marginMs)
  const fresh = { from: halfHourOf(since), until: halfHourAfter(at) }
  const old = changesLater(history)
    ? [
        ...(await changedHalfHours(db, history, since)),
        ...(await waitingHalfHours(db, figuresOf(history), fresh.from)),
      ].filter((each) => each < fresh.from)
    : []
  let counted = 0
  for (const window of [...windowsOf(old), fresh])
    for (const part of daysIn(window)) counted += await countWindow(deps, history, part)
  await seen(db, history, at)
  return counted
}

/** Recounts a day, or its settled part, of a history; returns null when none is due. */
export async function checkDay(deps: FigureDeps, { history, checkedUntil }: CountProgress): Promise<Date | null> {
  const until = halfHourOf(before(deps.clock(), settledMs))
  if (checkedUntil >= until) return null
  const [first] = daysIn(wholeHalfHours({ from: checkedUntil, until }))
  if (!first) return null
  await countWindow(deps, history, first, true)
  await checked(deps.db, history, { from: checkedUntil, until: first.until })
  return first.until
}

/** Recounts what has not settled yet. */
export async function countRecent(deps: FigureDeps, history: History): Promise<void> {
  const at = deps.clock()
  for (const part of daysIn({ from: halfHourOf(before(at, settledMs)), until: halfHourAfter(at) }))
    await countWindow(deps, history, part, true)
}

/** The progress of a history; starts a new one with its last day, and the older days follow in passes. */
export async function startOrReadProgress(deps: FigureDeps, history: History): Promise<CountProgress> {
  const known = await progressOf(deps.db, history)
  if (known) return known
  const at = deps.clock()
  const first = (await beginning(deps.db)) ?? at
  const settled = before(at, settledMs)
  const progress = { history, seenUntil: settled, checkedUntil: first < settled ? halfHourOf(first) : settled }
  await begin(deps.db, progress)
  return progress
}

/** The result of a pass. */
export interface PassResult {
  /** Days that have settled are left to be checked. */
  isLeft: boolean
  /** No change since half an hour before the previous pass. */
  isQuiet: boolean
}

/** One pass over all histories. Checks settled days while `mayCheck` allows it. */
export async function pass(deps: FigureDeps, mayCheck: () => boolean): Promise<PassResult> {
  let counted = 0
  for (const history of histories) counted += await countNew(deps, await startOrReadProgress(deps, history))
  const isQuiet = counted === 0
  for (const history of histories)
    do if (!mayCheck()) return { isLeft: true, isQuiet }
    while ((await checkDay(deps, await startOrReadProgress(deps, history))) !== null)
  return { isLeft: false, isQuiet }
}

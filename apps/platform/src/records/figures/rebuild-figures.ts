// Recounts all figures day by day while the workers continue. A rebuild can resume an interrupted rebuild.
import { type History, histories } from './figure.ts'
import { firstJourneyAt } from './history/store.ts'
import { scheduleRecount } from './store.ts'
import { type FigureDeps, recountDay, recountUncommitted, startOrReadProgress } from './update-figures.ts'

export interface RebuildProgress {
  history: History
  until: Date
}

/**
 * Recounts all data since `from`, or since the first journey if `from` is null. If `isNew` is false, resumes an
 * unfinished rebuild. Calls `onDay` after each day.
 */
export async function rebuildFigures(
  deps: FigureDeps,
  { from, isNew }: { from: Date | null; isNew: boolean },
  onDay: (progress: RebuildProgress) => void,
): Promise<void> {
  for (const history of histories) await startOrReadProgress(deps, history)
  const startAt = from ?? (await firstJourneyAt(deps.db))
  if (isNew && startAt !== null) await scheduleRecount(deps.db, startAt)
  for (const history of histories) {
    for (;;) {
      const until = await recountDay(deps, await startOrReadProgress(deps, history))
      if (until === null) break
      onDay({ history, until })
    }
    await recountUncommitted(deps, history)
  }
}

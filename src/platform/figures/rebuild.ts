// Recounts all figures day by day while the workers continue; an interrupted rebuild is resumed by the next.
import { type History, histories } from './figure.ts'
import { firstJourneyAt } from './history/store.ts'
import { type FigureDeps, recountDay, recountUnsettled, startOrReadProgress } from './keep.ts'
import { scheduleRecount } from './store.ts'

export interface RebuildJob {
  history: History
  /** The end of the recounted period. */
  until: Date
}

/**
 * Recounts from an instant or the first journey; if `isNew` is false, resumes an unfinished rebuild. Counts unsettled data
 * last; the workers recount it when it has settled.
 */
export async function rebuild(
  deps: FigureDeps,
  { from, isNew }: { from: Date | null; isNew: boolean },
  onDay: (done: RebuildJob) => void,
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
    await recountUnsettled(deps, history)
  }
}

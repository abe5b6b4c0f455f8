// Recounts all figures day by day while the workers continue; an interrupted rebuild is resumed by the next.
import { type History, histories } from './figure.ts'
import { beginning } from './history/store.ts'
import { checkDay, countRecent, type FigureDeps, startOrReadProgress } from './keep.ts'
import { setBack } from './store.ts'

export interface RebuildJob {
  history: History
  /** The end of the recounted period. */
  until: Date
}

/**
 * Starts at an instant, or at the first journey; resumes an unfinished rebuild when `isNew` is false. Unsettled data is
 * counted last, and again by the workers when it has settled.
 */
export async function rebuild(
  means: FigureDeps,
  { from, isNew }: { from: Date | null; isNew: boolean },
  onDay: (done: RebuildJob) => void,
): Promise<void> {
  for (const history of histories) await startOrReadProgress(means, history)
  const first = from ?? (await beginning(means.db))
  if (isNew && first !== null) await setBack(means.db, first)
  for (const history of histories) {
    for (;;) {
      const until = await checkDay(means, await startOrReadProgress(means, history))
      if (until === null) break
      onDay({ history, until })
    }
    await countRecent(means, history)
  }
}

// Counts all figures anew, day by day, while the workers go on with what is new; ended in the middle, whoever comes next goes on.
import { type History, histories } from './figure.ts'
import { beginning } from './history/store.ts'
import { begun, checkDay, countRecent, type FigureDeps } from './keep.ts'
import { setBack } from './store.ts'

export interface RebuildJob {
  history: History
  /** Everything of it before this instant is counted anew. */
  until: Date
}

/**
 * Begins anew at an instant, or at the first journey; goes on with what is not finished when `isNew` is false. What has not
 * settled is counted last: workers count it once more when it has.
 */
export async function rebuild(
  means: FigureDeps,
  { from, isNew }: { from: Date | null; isNew: boolean },
  onDay: (done: RebuildJob) => void,
): Promise<void> {
  for (const history of histories) await begun(means, history)
  const first = from ?? (await beginning(means.db))
  if (isNew && first !== null) await setBack(means.db, first)
  for (const history of histories) {
    for (;;) {
      const until = await checkDay(means, await begun(means, history))
      if (until === null) break
      onDay({ history, until })
    }
    await countRecent(means, history)
  }
}

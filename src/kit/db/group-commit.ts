// Rows that are to be written at the same time are committed together: many writers, one statement, one flush to disk.
import { required } from '#kit/runtime/record.ts'
import { type Gathering, loader } from './loader.ts'
import { type Db, isCommitUnknown, isPassing, type Run } from './sql.ts'

/** Sends one statement, which is a transaction by itself; where the database was unavailable a whole transaction repeats it. */
export const writeWithRetry = <T>(db: Db, write: (run: Run) => Promise<T>): Promise<T> =>
  write(db).catch((error) => {
    if (!isPassing(error)) throw error
    return db.tx(write)
  })

type Settled<Outcome> = { outcome: Outcome } | { error: unknown }

/**
 * Gives a write that gathers. Rows that come while `concurrency` statements are under way wait and go together into the next
 * one, `most` at a time or as many as one statement carries; a single row on an idle connection goes at once. More
 * statements at once pay only where a commit is slow: about one for every quarter of a millisecond. `write` answers in the order of its rows. A row that the database refuses fails its
 * own writer alone: the others of its batch are then written one by one.
 */
export function groupCommit<Row, Outcome>(
  write: (rows: Row[]) => Promise<Outcome[]>,
  { concurrency = 1, ...gathering }: Gathering<Row> = {},
): (row: Row) => Promise<Outcome> {
  const gathered = loader<Row, Settled<Outcome>>((rows) => together(write, rows), { concurrency, ...gathering })
  return async (row) => {
    const settled = required(await gathered(row), 'what became of a row')
    if ('error' in settled) throw settled.error
    return settled.outcome
  }
}

async function together<Row, Outcome>(
  write: (rows: Row[]) => Promise<Outcome[]>,
  rows: Row[],
): Promise<Settled<Outcome>[]> {
  try {
    const outcomes = await write(rows)
    return outcomes.map((outcome) => ({ outcome }))
  } catch (error) {
    // Where the answer to a commit was lost, the rows may be there: they are not written again.
    if (rows.length === 1 || isPassing(error) || isCommitUnknown(error)) return rows.map(() => ({ error }))
    const alone: Settled<Outcome>[] = []
    for (const row of rows) alone.push(...(await together(write, [row])))
    return alone
  }
}

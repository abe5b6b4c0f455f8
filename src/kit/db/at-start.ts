// Writes at the start of a program: repeated until they are known to be committed, so that a failover does not end the
// program.
import { setTimeout as sleep } from 'node:timers/promises'
import { isCommitUnknown, isTransient } from './sql.ts'

const patienceMs = 60_000
const pauseMs = 500

/**
 * Runs what may happen twice: again when the outcome of its commit is unknown, or when the database is away. It was there
 * for the migrations a moment ago.
 */
export async function retryAtStart<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(isCommitUnknown(error) || isTransient(error)) || performance.now() > deadline) throw error
      await sleep(pauseMs)
    }
  }
}

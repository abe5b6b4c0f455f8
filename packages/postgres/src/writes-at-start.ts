// Repeats writes at the start of a program until they are known to be committed, so that it survives a failover.
import { setTimeout as sleep } from 'node:timers/promises'
import { isCommitUnknown, isTransient } from './sql.ts'

const patienceMs = 60_000
const pauseMs = 500

/**
 * Runs work that may run twice. Repeats it when the outcome of the commit is unknown, or while the database is
 * unavailable.
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

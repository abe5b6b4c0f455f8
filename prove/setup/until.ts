// Waiting for what must come to hold.
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until it holds; after so many seconds it throws with what was waited for. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, seconds = 60): Promise<void> {
  for (const deadline = Date.now() + seconds * 1000; !(await holds()); await sleep(20))
    if (Date.now() > deadline) throw new Error(`after ${seconds} seconds it does not hold: ${what}`)
}

/** Whether it comes to hold within so many seconds. */
export const within = (holds: () => Promise<boolean>, seconds: number): Promise<boolean> =>
  until(holds, 'what is checked', seconds).then(
    () => true,
    () => false,
  )

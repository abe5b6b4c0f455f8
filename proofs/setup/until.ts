// Waits for a condition.
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until `holds` returns true; throws an error that names `what` after `seconds`. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, seconds = 60): Promise<void> {
  for (const deadline = Date.now() + seconds * 1000; !(await holds()); await sleep(20))
    if (Date.now() > deadline) throw new Error(`after ${seconds} seconds still not true: ${what}`)
}

/** Whether `holds` returns true within `seconds`. */
export const within = (holds: () => Promise<boolean>, seconds: number): Promise<boolean> =>
  until(holds, 'what is checked', seconds).then(
    () => true,
    () => false,
  )

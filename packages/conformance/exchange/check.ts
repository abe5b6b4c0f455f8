// A check of a lending partner or a platform, and its result.
import type { Run } from './run.ts'

export { expect, Skip } from './outcome.ts'

export interface Check {
  /** Its name, by which it is chosen, kept and reported: `dedupe.replay`. */
  id: string
  /** The section of the requirement. */
  section: `D3 §${string}`
  title: string
  /** What is sent, and what has to come of it, in words. */
  sends: string
  expects: string
  /** Checks that must have passed before: without them this one proves nothing. */
  needs?: readonly string[]
  /** Passes, throws `Broken` when the tried side does otherwise, or `Skip` when it cannot be tried now. */
  run(run: Run): Promise<void>
}

/** Gives the checks their type, so that each is only data. */
export const checks = (list: Check[]): Check[] => list

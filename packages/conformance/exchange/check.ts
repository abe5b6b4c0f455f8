// A check of a lending partner or a platform, and its result.
import type { Run } from './run.ts'

export { expect, Skip } from './check-result.ts'

export interface Check {
  /** Identifies the check in options, state and reports: `dedupe.replay`. */
  id: string
  /** The section of the requirement. */
  section: `D3 §${string}`
  title: string
  /** The request, and the reaction that D3 requires, in words. */
  sends: string
  expects: string
  /** Checks that must have passed before, because this one builds on them. */
  needs?: readonly string[]
  /** Throws `Violation` if the tested side violates D3, or `Skip` if the check cannot be made now. */
  run(run: Run): Promise<void>
}

/** Types a list of checks. */
export const checks = (list: Check[]): Check[] => list

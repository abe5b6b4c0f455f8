// What comes of a check, and how one says that it failed or could not be tried; and why no run can begin.
/** There can be no run: its address is taken, or its state file belongs to another run. */
export class CannotBegin extends Error {}

/** The tried side does otherwise than D3 says. */
export class Broken extends Error {}

/** It could not be tried, for a reason that is no fault of the tried interfaces. */
export class Skip extends Error {}

/** Fails the check with these words unless the condition holds. */
export function expect(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Broken(otherwise)
}

export type Result = 'passed' | 'failed' | 'skipped'

export interface Outcome {
  id: string
  section: string
  title: string
  result: Result
  expected: string
  /** Why it failed or was skipped. */
  because: string | null
  /** The last request of a check that failed, and its answer; credentials are left out. */
  sent: string | null
  received: string | null
  seconds: number
}

// The result of a check, failures and skipped checks; and why a run cannot start.
/** There can be no run: its address is taken, or its state file belongs to another run. */
export class CannotBegin extends Error {}

/** The tested side violates D3. */
export class Broken extends Error {}

/** Not testable, for a reason that is not a fault of the tested interfaces. */
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

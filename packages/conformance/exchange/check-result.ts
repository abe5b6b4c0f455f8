// The outcome of a check, and the errors that end a check or a run.
/** The run cannot start: its address is unusable, or its state file belongs to another run. */
export class CannotBegin extends Error {}

/** The tested side violates D3. */
export class Violation extends Error {}

/** The check cannot be made, for a reason that is not a fault of the tested side. */
export class Skip extends Error {}

/** Throws `Violation` with this message unless the condition holds. */
export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Violation(message)
}

export type Result = 'passed' | 'failed' | 'skipped'

export interface Outcome {
  id: string
  section: string
  title: string
  result: Result
  expected: string
  /** Why the check failed or was skipped. */
  because: string | null
  /** The last request of a failed check, without credentials; `received` is its answer. */
  sent: string | null
  received: string | null
  seconds: number
}

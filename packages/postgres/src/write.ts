// The context that every write receives.
import type { Tx } from './sql.ts'

/** One write: its transaction, and the time that it records. */
export interface Write {
  readonly tx: Tx
  readonly at: Date
}

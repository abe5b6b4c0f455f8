// The context of every write: its transaction and its instant.
import type { Tx } from './sql.ts'

/** One write: its transaction, and the instant at which it acts. */
export interface Write {
  readonly tx: Tx
  readonly at: Date
}

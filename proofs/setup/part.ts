// A part of a proof that needs extra packages and is skipped if they are not installed.
import type { Checks } from './checks.ts'

export interface Part {
  name: string
  /** Names what is missing and how to install it; null if the part can run. */
  missing(): string | null
  /** Runs the checks and returns a short text of figures. */
  prove(note: Checks['note']): Promise<string>
}

// A part of a proof that needs packages of its own, and is skipped by itself where they are not installed.
import type { Checks } from './checks.ts'

export interface Part {
  name: string
  /** Why it cannot run on this machine, with the line that installs what is missing; null when it can. */
  missing(): string | null
  /** Notes what holds, and gives its figures in a few words. */
  prove(note: Checks['note']): Promise<string>
}

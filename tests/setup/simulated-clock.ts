// The clock of the programs of one test file: a file that each program reads, so that all clocks move together.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readClockOffset, writeClockOffset } from '@lendloom/foundation/clock'

export interface SimulatedClock {
  /** The programs' setting `CLOCK_FILE`. */
  file: string
  /** Moves the clocks forward. Resolves when every program shows the new time. */
  advance(seconds: number): Promise<void>
}

/** Returns a clock that shows real time until it is advanced. Its file is removed when the test file ends. */
export function simulatedClock(): SimulatedClock {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-clock-'))
  after(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'clock.json')
  return {
    file,
    async advance(seconds) {
      const effectiveAt = writeClockOffset(file, readClockOffset(file).aheadMs + seconds * 1000)
      await sleep(effectiveAt.getTime() - Date.now() + 5)
    },
  }
}

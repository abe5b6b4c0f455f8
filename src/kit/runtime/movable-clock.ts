// The clock of a simulation: it can be moved forward, for all programs of an installation at the same instant.

import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { type Clock, systemClock } from './clock.ts'
import { codeOf } from './narrow.ts'

/** How far a simulation is ahead of the real one, and from which real instant on that holds. */
export interface Ahead {
  aheadMs: number
  /** Real time: everybody has read the file by then, so nobody lives in another day than those it speaks with. */
  from: string
}

/** How often a program looks whether the clock is to be moved. A move is announced longer than that before it happens. */
const pollMs = 20

export interface MovableClock {
  clock: Clock
  /** Calls `listener` when time has jumped: what was to come may be due now. */
  onMoved(listener: () => void): void
  stop(): void
}

/** The clock that `file` moves; the real one when there is no such file, or none is named. */
export function movableClock(file: string | null): MovableClock {
  if (!file) return { clock: systemClock, onMoved() {}, stop() {} }
  const listeners: (() => void)[] = []
  let before = 0
  let last = readAhead(file)
  let seen = changedAt(file)
  let jump: NodeJS.Timeout | undefined
  const polling = setInterval(() => {
    const changed = changedAt(file)
    if (changed === seen) return
    seen = changed
    before = aheadNow(last, before)
    last = readAhead(file)
    clearTimeout(jump)
    jump = setTimeout(
      () => {
        for (const listener of listeners) listener()
      },
      Math.max(1, Date.parse(last.from) - Date.now() + 1),
    )
  }, pollMs).unref()
  return {
    clock: () => new Date(Date.now() + aheadNow(last, before)),
    onMoved: (listener) => void listeners.push(listener),
    stop() {
      clearInterval(polling)
      clearTimeout(jump)
    },
  }
}

const aheadNow = ({ aheadMs, from }: Ahead, before: number): number =>
  Date.now() >= Date.parse(from) ? aheadMs : before

const inStep: Ahead = { aheadMs: 0, from: new Date(0).toISOString() }

/** How far the clock in `file` is ahead, or will be in a moment. */
export function readAhead(file: string): Ahead {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return inStep
    throw error
  }
}

/** Announces that the simulation will be `aheadMs` ahead, and gives the real instant from which on it is. Backward is refused. */
export function writeAhead(file: string, aheadMs: number): Date {
  if (aheadMs < readAhead(file).aheadMs) throw new Error('the clock of a simulation moves forward only')
  const from = new Date(Date.now() + 3 * pollMs)
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${JSON.stringify({ aheadMs, from: from.toISOString() } satisfies Ahead)}\n`)
  renameSync(unfinished, file)
  return from
}

/** Which file it is now: every writer brings a new one. */
function changedAt(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat ? `${stat.ino} ${stat.mtimeNs}` : ''
}

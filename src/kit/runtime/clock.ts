// The clock: time is passed as an argument; this is its source, and how a simulation moves it for all programs.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { codeOf } from './record.ts'

/** Returns the current instant. Programs pass one on; tests pass their own. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

export const secondsAfter = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000)

export const daysAfter = (at: Date, days: number): Date => secondsAfter(at, days * 86_400)

const centuryMs = 100 * 365 * 86_400_000

/**
 * Milliseconds of an ISO 8601 duration such as `PT30S`, `P15D` or `P1M` (30 days); null for an invalid one, and above a
 * century, because instants must stay within a `Date`.
 */
export function durationMs(text: string): number | null {
  const match =
    /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
      text,
    )
  if (!match) return null
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  const ms = ((((years * 365 + months * 30 + weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
  return ms <= centuryMs ? ms : null
}

/** How far a simulation is ahead of the real one, and from which real instant on that holds. */
export interface ClockOffset {
  aheadMs: number
  /**
   * Real time at which the offset takes effect; every program has read the file by then, so that all change together.
   */
  from: string
}

/** How often a program checks for an announced move. A move is announced longer than this before it happens. */
const pollMs = 20

export interface MovableClock {
  clock: Clock
  /** Calls `listener` after a jump: work may be due now. */
  onMoved(listener: () => void): void
  stop(): void
}

/** The clock that `file` controls; the real one without a file. */
export function movableClock(file: string | null): MovableClock {
  if (!file) return { clock: systemClock, onMoved() {}, stop() {} }
  const listeners: (() => void)[] = []
  let before = 0
  let last = readClockOffset(file)
  let seen = changedAt(file)
  let jump: NodeJS.Timeout | undefined
  const polling = setInterval(() => {
    const changed = changedAt(file)
    if (changed === seen) return
    seen = changed
    before = aheadNow(last, before)
    last = readClockOffset(file)
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

const aheadNow = ({ aheadMs, from }: ClockOffset, before: number): number =>
  Date.now() >= Date.parse(from) ? aheadMs : before

const inStep: ClockOffset = { aheadMs: 0, from: new Date(0).toISOString() }

/** How far the clock in `file` is ahead, or will be in a moment. */
export function readClockOffset(file: string): ClockOffset {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return inStep
    throw error
  }
}

/**
 * Announces a simulation's offset of `aheadMs`, and returns the real instant at which it takes effect. Moving backward
 * is refused.
 */
export function writeClockOffset(file: string, aheadMs: number): Date {
  if (aheadMs < readClockOffset(file).aheadMs) throw new Error('the clock of a simulation moves forward only')
  const from = new Date(Date.now() + 3 * pollMs)
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${JSON.stringify({ aheadMs, from: from.toISOString() } satisfies ClockOffset)}\n`)
  renameSync(unfinished, file)
  return from
}

/** Which file it is now: every writer brings a new one. */
function changedAt(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat ? `${stat.ino} ${stat.mtimeNs}` : ''
}

/**
 * A program's request to advance the simulation's clock, in a file that the launcher reads and carries out for all
 * programs.
 */
export interface ClockOrder {
  orderId: string
  spanMs: number
}

/** How far an order has been carried out, in milliseconds of the simulation's time. */
export interface ClockProgress {
  orderId: string
  beganAt: string
  endsAt: string
  isAt: string
  isDone: boolean
  /** Why it stopped before its end. */
  problem: string | null
}

const orderFile = (clockFile: string): string => `${clockFile}.order`
const progressFile = (clockFile: string): string => `${clockFile}.progress`

export const writeOrder = (clockFile: string, order: ClockOrder): void => write(orderFile(clockFile), order)
export const readOrder = (clockFile: string): ClockOrder | null => read<ClockOrder>(orderFile(clockFile))
export const writeProgress = (clockFile: string, progress: ClockProgress): void =>
  write(progressFile(clockFile), progress)
export const readProgress = (clockFile: string): ClockProgress | null => read<ClockProgress>(progressFile(clockFile))

/** Replaced atomically: a program may read it at any time. */
function write(file: string, value: object): void {
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${JSON.stringify(value)}\n`)
  renameSync(unfinished, file)
}

function read<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

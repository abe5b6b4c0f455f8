// The clock of a program, and the files through which a simulation moves the clocks of all programs.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { codeOf } from './record.ts'

/** Returns the current instant. Functions get a clock as an argument; tests pass their own. */
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

/** How far the clock of a simulation is ahead of real time, and since when. */
export interface ClockOffset {
  aheadMs: number
  /**
   * Real time at which the offset takes effect. Every program has read the file by then, so all clocks move together.
   */
  from: string
}

/** Interval at which a program reads the file. A move takes effect several intervals after it is announced. */
const pollMs = 20

export interface MovableClock {
  clock: Clock
  /** Calls `listener` after each move, because work may be due now. */
  onMoved(listener: () => void): void
  stop(): void
}

/** The clock that `file` controls; real time without a file. */
export function movableClock(file: string | null): MovableClock {
  if (!file) return { clock: systemClock, onMoved() {}, stop() {} }
  const listeners: (() => void)[] = []
  let previousAheadMs = 0
  let offset = readClockOffset(file)
  let seenVersion = versionOf(file)
  let moveTimer: NodeJS.Timeout | undefined
  const polling = setInterval(() => {
    const version = versionOf(file)
    if (version === seenVersion) return
    seenVersion = version
    previousAheadMs = aheadNow(offset, previousAheadMs)
    offset = readClockOffset(file)
    clearTimeout(moveTimer)
    moveTimer = setTimeout(
      () => {
        for (const listener of listeners) listener()
      },
      Math.max(1, Date.parse(offset.from) - Date.now() + 1),
    )
  }, pollMs).unref()
  return {
    clock: () => new Date(Date.now() + aheadNow(offset, previousAheadMs)),
    onMoved: (listener) => void listeners.push(listener),
    stop() {
      clearInterval(polling)
      clearTimeout(moveTimer)
    },
  }
}

const aheadNow = ({ aheadMs, from }: ClockOffset, previousAheadMs: number): number =>
  Date.now() >= Date.parse(from) ? aheadMs : previousAheadMs

const noOffset: ClockOffset = { aheadMs: 0, from: new Date(0).toISOString() }

/** The offset in `file`, which may still be about to take effect. */
export function readClockOffset(file: string): ClockOffset {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return noOffset
    throw error
  }
}

/**
 * Announces a simulation's offset of `aheadMs`, and returns the real instant at which it takes effect. Moving backward
 * throws.
 */
export function writeClockOffset(file: string, aheadMs: number): Date {
  if (aheadMs < readClockOffset(file).aheadMs) throw new Error('the clock of a simulation moves forward only')
  const from = new Date(Date.now() + 3 * pollMs)
  const temporaryFile = `${file}.${process.pid}`
  writeFileSync(temporaryFile, `${JSON.stringify({ aheadMs, from: from.toISOString() } satisfies ClockOffset)}\n`)
  renameSync(temporaryFile, file)
  return from
}

/** Identifies the version of a file: every write replaces the file by a new one. */
function versionOf(file: string): string {
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

/** How far an order has been carried out; instants are in the simulation's time. */
export interface ClockProgress {
  orderId: string
  beganAt: string
  endsAt: string
  isAt: string
  isDone: boolean
  /** Why the clock stopped before the end of the order. */
  problem: string | null
}

const orderFile = (clockFile: string): string => `${clockFile}.order`
const progressFile = (clockFile: string): string => `${clockFile}.progress`

export const writeOrder = (clockFile: string, order: ClockOrder): void => write(orderFile(clockFile), order)
export const readOrder = (clockFile: string): ClockOrder | null => read<ClockOrder>(orderFile(clockFile))
export const writeProgress = (clockFile: string, progress: ClockProgress): void =>
  write(progressFile(clockFile), progress)
export const readProgress = (clockFile: string): ClockProgress | null => read<ClockProgress>(progressFile(clockFile))

/** Replaces the file atomically, because a program may read it at any time. */
function write(file: string, value: object): void {
  const temporaryFile = `${file}.${process.pid}`
  writeFileSync(temporaryFile, `${JSON.stringify(value)}\n`)
  renameSync(temporaryFile, file)
}

function read<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

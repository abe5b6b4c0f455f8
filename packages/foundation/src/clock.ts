// The clock of a program, and the files with which a simulation advances the clocks of all programs.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { codeOf } from './thrown.ts'

/** Returns the current instant. Functions get their clock as an argument, so that tests can set the time. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

export const secondsAfter = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000)

export const daysAfter = (at: Date, days: number): Date => secondsAfter(at, days * 86_400)

const centuryMs = 100 * 365 * 86_400_000

/**
 * Milliseconds of an ISO 8601 duration such as `PT30S`, `P15D` or `P1M` (30 days). Null for an invalid duration and for
 * a duration of more than a century, which could exceed the range of a `Date`.
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

export interface ClockOffset {
  /** How far the clock of the simulation is ahead of real time. */
  aheadMs: number
  /** Real time at which the offset takes effect, so that all clocks move together after every program has read it. */
  from: string
}

/** Interval at which a program reads the offset. A new offset takes effect after three intervals. */
const pollMs = 20

export interface MovableClock {
  clock: Clock
  /** Calls `listener` when a new offset takes effect, because work may now be due. */
  onMoved(listener: () => void): void
  stop(): void
}

/** Returns a clock whose offset is in `file`; without a file, the system clock. */
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

/** Reads the latest offset, which may not have taken effect yet. */
export function readClockOffset(file: string): ClockOffset {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return noOffset
    throw error
  }
}

/** Writes a new offset, and returns the real time at which it takes effect. Throws if the clock would go back. */
export function writeClockOffset(file: string, aheadMs: number): Date {
  if (aheadMs < readClockOffset(file).aheadMs) throw new Error('the clock of a simulation cannot be set back')
  const from = new Date(Date.now() + 3 * pollMs)
  const temporaryFile = `${file}.${process.pid}`
  writeFileSync(temporaryFile, `${JSON.stringify({ aheadMs, from: from.toISOString() } satisfies ClockOffset)}\n`)
  renameSync(temporaryFile, file)
  return from
}

/** Changes with every write, because a write replaces the file. */
function versionOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat ? `${stat.ino} ${stat.mtimeNs}` : ''
}

/** A program's request to advance the simulation's clock, which the launcher executes. `orderId` is its identity. */
export interface ClockRequest {
  orderId: string
  spanMs: number
}

/** The launcher's progress with a request. Instants are in the simulation's time. */
export interface ClockProgress {
  orderId: string
  beganAt: string
  endsAt: string
  isAt: string
  isDone: boolean
  /** Why the clock stopped before `endsAt`. */
  problem: string | null
}

const requestFile = (clockFile: string): string => `${clockFile}.order`
const progressFile = (clockFile: string): string => `${clockFile}.progress`

export const writeClockRequest = (clockFile: string, request: ClockRequest): void =>
  write(requestFile(clockFile), request)
export const readClockRequest = (clockFile: string): ClockRequest | null => read<ClockRequest>(requestFile(clockFile))
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

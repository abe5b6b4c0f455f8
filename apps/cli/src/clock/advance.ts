// `lendloom clock advance`: advances the simulated clock from one due job to the next.

import { setTimeout as sleep } from 'node:timers/promises'
import { readClockOffset, writeClockOffset } from '@lendloom/foundation/clock'
import { isOneOf, keysOf } from '@lendloom/foundation/record'
import { linearPauses, pauseSeconds, type Schedule } from '@lendloom/foundation/schedule'
import { noteStaffAct } from '@lendloom/platform/operations/staff'
import { connect, type Db, isTransient } from '@lendloom/postgres/sql'
import { CannotRun, type CommandCall, command, requireArgument, UsageError } from '#cli/command.ts'
import { connectTo, withDatabase } from '#cli/database.ts'
import { clockFile, dataDirectory, type InstallationRun, runOf } from '#cli/installation.ts'
import { type ProgressBar, progressOn } from '#cli/progress.ts'
import { type DueWork, dueIn, isInProgress } from './due.ts'

const options = {
  step: { type: 'string', value: 'duration', about: 'longest single step of the clock (default: 6h)' },
} as const

export const advance = command({
  name: 'clock advance',
  summary: 'advance the simulated time by a duration, such as 22w, 3d, 12h or 30m',
  usage: '<duration> [--step <duration>]',
  options,
  async run({ args, options: { step = '6h' }, json, env }: CommandCall<typeof options>) {
    const spanMs = millisecondsIn(requireArgument(args, 'the duration'))
    const stepMs = millisecondsIn(step)
    if (stepMs <= 0) throw new UsageError('--step must be longer than nothing')
    if (spanMs > longestSpanMs) throw new UsageError('the clock advances by at most 370 days at once')
    const directory = dataDirectory(env)
    const running = runOf(directory)
    if (!running)
      throw new CannotRun(`Lendloom is not running in ${directory}; start it in another terminal (npm start)`)
    if (!running.sandbox)
      throw new CannotRun('this installation uses the real network; only a sandbox can move its clock')
    const file = clockFile(directory)
    const began = simulatedTime(file)
    await auditMove(env, began, spanMs)
    const progress = json ? undefined : progressOn(process.stderr, began, began + spanMs)
    const programs = programsIn(running)
    await advanceClock({
      file,
      env,
      programs,
      otherDatabaseUrls: otherDatabaseUrlsOf(running),
      spanMs,
      stepMs,
      ...(progress && { progress }),
    })
    progress?.end()
    const now = new Date(simulatedTime(file)).toISOString()
    return { text: `It is ${now} now.`, data: { now, aheadMs: readClockOffset(file).aheadMs } }
  },
})

/** Records the move in the platform's audit log, as the console does. */
async function auditMove(env: NodeJS.ProcessEnv, began: number, spanMs: number): Promise<void> {
  const detail = { hours: Math.round(spanMs / 36_000) / 100 }
  await withDatabase('platform', env, (db) =>
    db.tx((tx) => noteStaffAct({ tx, at: new Date(began) }, null, { act: 'CLOCK_MOVED', detail })),
  )
}

type ProgramName = 'platform' | 'partner' | 'sandbox'

export const programsIn = (running: InstallationRun): ProgramName[] =>
  (['platform', 'partner', 'sandbox'] as const).filter((program) => running[program])

/** The URLs of the databases of other partners than the first. */
export const otherDatabaseUrlsOf = ({ secondPartner }: InstallationRun): string[] =>
  secondPartner ? [secondPartner.databaseUrl] : []

interface AdvanceOptions {
  file: string
  env: NodeJS.ProcessEnv
  programs: ProgramName[]
  otherDatabaseUrls?: string[]
  spanMs: number
  stepMs: number
  /** Work that is due within this time is done after one step. */
  minStepMs?: number
  /** The first polling interval, which grows while work is pending. */
  pollMs?: number
  progress?: Pick<ProgressBar, 'moveTo' | 'showPending'>
}

/** Advances the clock in `file` by `spanMs`, and stops at each instant at which work of the programs is due. */
export async function advanceClock({
  file,
  env,
  programs,
  otherDatabaseUrls = [],
  spanMs,
  stepMs,
  minStepMs = 1000,
  pollMs = 25,
  progress,
}: AdvanceOptions): Promise<void> {
  await using connectionStack = new AsyncDisposableStack()
  const databases = [
    ...programs.map((program) => connectTo(program, env, 4)),
    ...otherDatabaseUrls.map((url) => connect(url, { connections: 4 })),
  ]
  for (const db of databases) connectionStack.defer(() => db.close())
  const began = simulatedTime(file)
  const end = began + spanMs
  for (let steppedTo = began; ; ) {
    const next = await waitUntilIdle(databases, { file, steppedTo, pollMs }, (names) =>
      progress?.showPending(simulatedTime(file), names),
    )
    const now = simulatedTime(file)
    if (now >= end) return
    const to = Math.min(end, now + stepMs, Math.max(next, now + minStepMs))
    const from = writeClockOffset(file, Math.ceil(to - Date.now()))
    steppedTo = to
    progress?.moveTo(to)
    await sleep(Math.max(0, from.getTime() - Date.now() + 15))
  }
}

export const simulatedTime = (file: string): number => Date.now() + readClockOffset(file).aheadMs

/** As in the console: a simulation does all work of the days that it passes. */
const longestSpanMs = 370 * 86_400_000

const units = { w: 7 * 86_400_000, d: 86_400_000, h: 3_600_000, m: 60_000 }

const msOf = (unit = ''): number => (isOneOf(keysOf(units), unit) ? units[unit] : 0)

/** Parses a duration of weeks, days, hours and minutes, such as `22w` or `3d12h`. */
export function millisecondsIn(span: string): number {
  if (!/^(\d+[wdhm])+$/.test(span)) throw new UsageError(`"${span}" is not a duration; use 22w, 3d, 12h or 30m`)
  const parts = [...span.matchAll(/(\d+)([wdhm])/g)]
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * msOf(unit), 0)
}

/** Work that is pending for longer must be waiting for something other than the clock. */
const patienceMs = 15_000
/** After this time the progress bar names the pending work. */
const showPendingAfterMs = 1000

/** The pauses between polls of pending work; `pollMs` is the first. */
export const quietSchedule = (pollMs: number): Schedule => linearPauses(pollMs / 1000, pollMs / 125)

const dueInAll = async (databases: Db[]): Promise<DueWork[]> => (await Promise.all(databases.map(dueIn))).flat()

/** Waits until all programs have done the work that is due. Returns when the next work is due. A database may restart. */
async function waitUntilIdle(
  databases: Db[],
  { file, steppedTo, pollMs }: { file: string; steppedTo: number; pollMs: number },
  showPending: (names: string[]) => void,
): Promise<number> {
  const began = Date.now()
  const pauses = quietSchedule(pollMs)
  for (let idlePolls = 0, polls = 1; ; await sleep(pauseSeconds(pauses, idlePolls > 0 ? 1 : polls++) * 1000)) {
    const waitedMs = Date.now() - began
    const due = await dueInAll(databases).catch((error: unknown) => {
      if (isTransient(error) && waitedMs < patienceMs) return null
      throw error
    })
    if (due === null) continue
    const now = simulatedTime(file)
    const running = due.filter((each) => isInProgress(each, now, steppedTo))
    idlePolls = running.length > 0 ? 0 : idlePolls + 1
    if (idlePolls === 0 && waitedMs > showPendingAfterMs) showPending(running.map(({ what }) => what))
    // Two polls must find no work: a program may just have sent a message to another one.
    if (idlePolls < 2 && waitedMs < patienceMs) continue
    return Math.min(...due.flatMap(({ dueAt, isPoll }) => (isPoll || dueAt.getTime() <= now ? [] : [dueAt.getTime()])))
  }
}

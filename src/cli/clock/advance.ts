// `lendloom clock advance`: advances the simulated clock from one due item to the next, in order.

import { setTimeout as sleep } from 'node:timers/promises'
import { CannotRun, type CommandCall, command, requireArgument, UsageError } from '#cli/command.ts'
import { connectTo, withDatabase } from '#cli/database.ts'
import { clockFile, dataDirectory, type InstallationRun, runOf } from '#cli/installation.ts'
import { type ProgressBar, progressOn } from '#cli/progress.ts'
import { connect, type Db } from '#kit/db/sql.ts'
import { readClockOffset, writeClockOffset } from '#kit/runtime/clock.ts'
import { isOneOf, keysOf } from '#kit/runtime/record.ts'
import { linearPauses, pauseSeconds, type Schedule } from '#kit/runtime/schedule.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { dueIn, isInProgress } from './due.ts'

const options = {
  step: { type: 'string', value: 'span', about: 'longest single jump (default: 6h)' },
} as const

export const advance = command({
  name: 'clock advance',
  summary: 'advance the time of the simulation, by 22w, 3d, 12h or 30m',
  usage: '<span> [--step <span>]',
  options,
  async run({ args, options: { step = '6h' }, json, env }: CommandCall<typeof options>) {
    const [spanMs, stepMs] = [millisecondsIn(requireArgument(args, 'the span of time')), millisecondsIn(step)]
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
      more: furtherDatabases(running),
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

/** Databases of programs that run beside the first of their kind. */
export const furtherDatabases = ({ secondPartner }: InstallationRun): string[] =>
  secondPartner ? [secondPartner.databaseUrl] : []

interface AdvanceOptions {
  file: string
  env: NodeJS.ProcessEnv
  programs: ProgramName[]
  more?: string[]
  spanMs: number
  stepMs: number
  /** Items due within this time are handled in one jump. */
  minJumpMs?: number
  /** First polling interval; it grows while work is pending. */
  pollMs?: number
  progress?: Pick<ProgressBar, 'isAt' | 'waitsFor'>
}

/** Moves the clock in `file` by a span, stopping at each instant at which these programs have work due. */
export async function advanceClock({
  file,
  env,
  programs,
  more = [],
  spanMs,
  stepMs,
  minJumpMs = 1000,
  pollMs = 25,
  progress,
}: AdvanceOptions): Promise<void> {
  await using connectionStack = new AsyncDisposableStack()
  const databases = [
    ...programs.map((program) => connectTo(program, env, 4)),
    ...more.map((url) => connect(url, { connections: 4 })),
  ]
  for (const db of databases) connectionStack.defer(() => db.close())
  const began = simulatedTime(file)
  const end = began + spanMs
  for (let jumpedTo = began; ; ) {
    const next = await untilQuiet(databases, { file, jumpedTo, pollMs: pollMs }, (names) =>
      progress?.waitsFor(simulatedTime(file), names),
    )
    const now = simulatedTime(file)
    if (now >= end) return
    const to = Math.min(end, now + stepMs, Math.max(next, now + minJumpMs))
    const from = writeClockOffset(file, Math.ceil(to - Date.now()))
    jumpedTo = to
    progress?.isAt(to)
    await sleep(Math.max(0, from.getTime() - Date.now() + 15))
  }
}

export const simulatedTime = (file: string): number => Date.now() + readClockOffset(file).aheadMs

const units = { w: 7 * 86_400_000, d: 86_400_000, h: 3_600_000, m: 60_000 }

const msOf = (unit = ''): number => (isOneOf(keysOf(units), unit) ? units[unit] : 0)

/** `22w`, `3d12h`: weeks, days, hours, minutes. */
export function millisecondsIn(span: string): number {
  if (!/^(\d+[wdhm])+$/.test(span)) throw new UsageError(`"${span}" is not a duration; use 22w, 3d, 12h or 30m`)
  const parts = [...span.matchAll(/(\d+)([wdhm])/g)]
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * msOf(unit), 0)
}

/** Work that takes longer waits for something other than the clock. */
const patienceMs = 15_000
/** After this time the progress line names the pending work. */
const silentMs = 1000

/** Polling while work is pending, from the first interval in milliseconds. */
export const quietSchedule = (pollMs: number): Schedule => linearPauses(pollMs / 1000, pollMs / 125)

/** Waits until all programs have done the work due by now. Returns the instant of the next due item. */
async function untilQuiet(
  databases: Db[],
  { file, jumpedTo, pollMs }: { file: string; jumpedTo: number; pollMs: number },
  waiting: (names: string[]) => void,
): Promise<number> {
  const began = Date.now()
  const pauses = quietSchedule(pollMs)
  for (let quiet = 0, polls = 1; ; await sleep(pauseSeconds(pauses, polls++) * 1000)) {
    const due = (await Promise.all(databases.map(dueIn))).flat()
    const now = simulatedTime(file)
    const running = due.filter((each) => isInProgress(each, now, jumpedTo))
    quiet = running.length > 0 ? 0 : quiet + 1
    const waitedMs = Date.now() - began
    if (quiet === 0 && waitedMs > silentMs) waiting(running.map(({ what }) => what))
    // Polls twice: finished work may have just sent a message to another program.
    if (quiet < 2 && waitedMs < patienceMs) continue
    return Math.min(
      ...due.flatMap(({ dueAt, isRound }) => (isRound || dueAt.getTime() <= now ? [] : [dueAt.getTime()])),
    )
  }
}

// `lendloom clock advance`: lives through a time in moments, from one thing that is due to the next, so that all happens in order.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, CannotRun, command, only, UsageError } from '#cli/command.ts'
import { type Program, withDatabase } from '#cli/database.ts'
import { clockFile, dataDirectory, runOf } from '#cli/installation.ts'
import { readAhead, writeAhead } from '#kit/world-clock.ts'
import { type Due, dueIn } from './due.ts'

const options = {
  step: { type: 'string', value: 'span', about: 'the shortest jump at a time (default: 6h)' },
} as const

export const advance = command({
  name: 'clock advance',
  summary: 'let time pass in the played world, as in 22w, 3d, 12h or 30m',
  usage: '<span> [--step <span>]',
  options,
  async run({ args, options: { step = '6h' }, json, env }: Call<typeof options>) {
    const [spanMs, stepMs] = [millisecondsIn(only(args, 'the span of time')), millisecondsIn(step)]
    const directory = dataDirectory(env)
    const running = runOf(directory)
    if (!running) throw new CannotRun(`nothing runs on ${directory}; start Lendloom in another window (npm start)`)
    if (!running.sandbox) throw new CannotRun('the outside world is real here: its time cannot be moved')
    const programs = (['platform', 'partner', 'sandbox'] as const).filter((program) => running[program])
    const file = clockFile(directory)
    const began = worldTime(file)
    const end = began + spanMs
    for (;;) {
      const next = await untilQuiet(programs, env, file)
      const now = worldTime(file)
      if (now >= end) break
      const to = Math.min(end, Math.max(next ?? end, now + stepMs))
      const from = writeAhead(file, Math.ceil(to - Date.now()))
      if (!json) progress(began, to, end)
      await sleep(from.getTime() - Date.now() + 20)
    }
    if (!json && process.stderr.isTTY) process.stderr.write('\r\x1b[K')
    const now = new Date(worldTime(file)).toISOString()
    return { text: `It is ${now} now.`, data: { now, aheadMs: readAhead(file).aheadMs } }
  },
})

const worldTime = (file: string): number => Date.now() + readAhead(file).aheadMs

const units = { w: 7 * 86_400_000, d: 86_400_000, h: 3_600_000, m: 60_000 }

/** `22w`, `3d12h`: weeks, days, hours, minutes. */
export function millisecondsIn(span: string): number {
  if (!/^(\d+[wdhm])+$/.test(span)) throw new UsageError(`"${span}" is no span of time; say 22w, 3d, 12h or 30m`)
  const parts = [...span.matchAll(/(\d+)([wdhm])/g)]
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0)
}

/** What is looked at more than this often without having become less waits for something else than time. */
const patienceMs = 15_000
/** Whoever takes up work holds it for this long; what is due sooner may be in somebody's hands. */
const inHandMs = 20_000

/** Waits until everything that is due by now is done, in all programs; gives the instant of what is due next. */
async function untilQuiet(programs: Program[], env: NodeJS.ProcessEnv, file: string): Promise<number | null> {
  let before = ''
  let since = Date.now()
  for (;;) {
    const due = await Promise.all(programs.map((program) => withDatabase(program, env, dueIn)))
    const rows = due.flat()
    const soon = rows.filter(({ dueAt }) => dueAt.getTime() <= worldTime(file) + inHandMs)
    const now = signature(soon)
    if (soon.length === 0) return earliest(rows)
    if (now !== before) [before, since] = [now, Date.now()]
    // Work that stays as it is is not in hand but put off by a few seconds: time may go on.
    if (Date.now() - since > (soon.some(({ dueAt }) => dueAt.getTime() <= worldTime(file)) ? patienceMs : 400))
      return earliest(rows.filter((row) => !soon.includes(row)))
    await sleep(30)
  }
}

const signature = (rows: Due[]): string => rows.map(({ what, dueAt }) => `${what} ${dueAt.toISOString()}`).join('\n')
const earliest = (rows: Due[]): number | null =>
  rows.length === 0 ? null : Math.min(...rows.map(({ dueAt }) => dueAt.getTime()))

/** A line that is written over and over, where somebody looks. */
function progress(began: number, now: number, end: number): void {
  if (!process.stderr.isTTY) return
  const width = 30
  const done = Math.round(((now - began) / (end - began)) * width)
  const bar = '█'.repeat(done) + '░'.repeat(width - done)
  process.stderr.write(`\r${bar} ${new Date(now).toISOString().slice(0, 10)}`)
}

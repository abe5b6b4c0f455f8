// Measures the processor time of programs that do not belong to a benchmark while it runs.
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'

export interface ProcessTime {
  parent: number
  /** Processor time so far, with that of ended children, in ticks of 10 ms. */
  ticks: number
  /** The process or an ancestor has the mark of the benchmark in its environment. */
  isOurs: boolean
}

export interface Moment {
  /** In milliseconds. */
  at: number
  /** Ticks that the host gave to other machines. */
  steal: number
  /** By process id, without kernel threads and the process that measures. */
  processes: Map<number, ProcessTime>
}

/** Ticks of others in about a second, by program. */
export interface Interval {
  ms: number
  ticks: Map<string, number>
}

/** `earlier` tells which processes are ours although their parents have ended. */
export function momentOf(mark: string, earlier?: Moment): Moment {
  const processes = new Map<number, ProcessTime>()
  const add = (pid: number): ProcessTime | undefined => {
    const stat = pid === process.pid ? '' : textOf(pid, 'stat')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0, , , , , flags = kernelThread] = fields
    if ((flags & kernelThread) !== 0) return undefined
    // Init also waits for orphans, whose time is counted while they run.
    const ticks = sumOf(fields.slice(11, pid === 1 ? 13 : 15))
    const isOurs = () =>
      textOf(pid, 'environ').includes(mark) || (processes.get(parent) ?? add(parent))?.isOurs === true
    const time = { parent, ticks, isOurs: earlier?.processes.get(pid)?.isOurs ?? isOurs() }
    processes.set(pid, time)
    return time
  }
  for (const pid of readdirSync('/proc').map(Number)) if (pid > 0 && !processes.has(pid)) add(pid)
  const steal = Number(readFileSync('/proc/stat', 'utf8').split(/ +/, 9)[8])
  return { at: performance.now(), steal, processes }
}

const kernelThread = 0x200000
const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0)

/** Returns nothing if the process has ended, or belongs to a user whose processes are hidden. */
function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

/** Returns the ticks that each process of others used between two moments. */
export function ticksOfOthers(before: Moment, after: Moment): Map<number, number> {
  const used = new Map<number, number>()
  for (const [pid, { ticks, isOurs }] of after.processes)
    if (!isOurs) used.set(pid, ticks - (before.processes.get(pid)?.ticks ?? 0))
  for (const [pid, { parent, ticks }] of before.processes) {
    if (after.processes.has(pid)) continue
    // The ticks of an ended process are now among those of its nearest ancestor.
    let heir = parent
    while (heir > 1 && !after.processes.has(heir)) heir = before.processes.get(heir)?.parent ?? 1
    if (heir > 1 && used.has(heir)) used.set(heir, (used.get(heir) ?? 0) - ticks)
  }
  return new Map([...used].filter(([, ticks]) => ticks > 0))
}

/** Returns the share of all processors that others used in the busiest ten intervals, and their largest program. */
export function busiest(intervals: Interval[]): { share: number; program: string } {
  const windows = intervals.slice(0, Math.max(1, intervals.length - 9)).map((_, i) => {
    const window = intervals.slice(i, i + 10)
    const sums = new Map<string, number>()
    for (const { ticks } of window) for (const [name, count] of ticks) sums.set(name, (sums.get(name) ?? 0) + count)
    const used = [...sums].toSorted(([, a], [, b]) => b - a)
    const ms = sumOf(window.map((each) => each.ms)) * availableParallelism()
    return { share: (sumOf(used.map(([, ticks]) => ticks)) * 10) / ms, program: used[0]?.[0] ?? 'none' }
  })
  return windows.toSorted((a, b) => b.share - a.share)[0] ?? { share: 0, program: 'none' }
}

/** Measures every second until the returned function is called. */
export function watchOthers(mark: string): () => ReturnType<typeof busiest> {
  const intervals: Interval[] = []
  let last = momentOf(mark)
  const measure = () => {
    const now = momentOf(mark, last)
    const ticks = new Map([...ticksOfOthers(last, now)].map(([pid, count]) => [nameOf(pid), count]))
    intervals.push({ ms: now.at - last.at, ticks: ticks.set('other machines of the host', now.steal - last.steal) })
    last = now
  }
  const timer = setInterval(measure, 1000)
  return () => {
    clearInterval(timer)
    measure()
    return busiest(intervals)
  }
}

const nameOf = (pid: number): string => `${basename(textOf(pid, 'cmdline').split('\0', 1)[0] ?? '')} (process ${pid})`

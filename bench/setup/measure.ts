// Measures latencies and processor time of one phase of a benchmark, and the CPU share of other processes.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMs } from './api.ts'
import type { BenchDatabase } from './database.ts'
import { ownCpuMs, percentile, serverCpuMs } from './figures.ts'

/** The program under test, and its database. */
export interface Subject {
  database: Pick<BenchDatabase, 'db' | 'pid'>
  /** Processes whose CPU counts as the program's. The load generator (this process) is not among them. */
  pids: number[]
}

/** Processor time in milliseconds: of the program, of PostgreSQL, of this process, and of the whole machine. */
interface Usage {
  program: number
  server: number
  own: number
  machine: number
  at: number
}

/** Figures of one phase. CPU is in microseconds per item of work. */
export interface Figure {
  count: number
  rate: number
  latencies: number[]
  program: number
  server: number
  cpu: number
  /** Share of all processors that other processes used. */
  others: number
}

/** Measures `work` after a checkpoint; `work` returns the milliseconds of each item. */
export async function measurePhase(subject: Subject, work: () => Promise<number[]>): Promise<Figure> {
  await subject.database.db`checkpoint`
  const before = readUsage(subject)
  const latencies = await work()
  const after = readUsage(subject)
  const count = latencies.length
  const [seconds, program, server, own] = [
    (after.at - before.at) / 1000,
    after.program - before.program,
    after.server - before.server,
    after.own - before.own,
  ]
  return {
    ...{ count, latencies },
    rate: count / seconds,
    program: (program / count) * 1000,
    server: (server / count) * 1000,
    cpu: ((program + server) / count) * 1000,
    others: shareOfOthers(before, after, program + server + own),
  }
}

/** Measures the CPU share of other processes during `work`. `endedMs` returns the CPU of a process that has ended. */
export async function measureOthers<T>(
  subject: Subject,
  work: () => Promise<T>,
  endedMs: (result: T) => number = () => 0,
): Promise<{ result: T; others: number; seconds: number }> {
  const before = readUsage(subject)
  const result = await work()
  const after = readUsage(subject)
  const known = after.program + after.server + after.own - before.program - before.server - before.own
  const ours = known + endedMs(result)
  return { result, others: shareOfOthers(before, after, ours), seconds: (after.at - before.at) / 1000 }
}

function shareOfOthers(before: Usage, after: Usage, ours: number): number {
  const all = (after.at - before.at) * availableParallelism()
  return Math.max(0, (after.machine - before.machine - ours) / all)
}

const readUsage = ({ database, pids }: Subject): Usage => ({
  program: pids.reduce((sum, pid) => sum + cpuMs({ pid }), 0),
  server: serverCpuMs(database.pid),
  own: ownCpuMs(),
  machine: machineMs(),
  at: performance.now(),
})

/** Processor time of everything on this machine so far, in milliseconds. */
function machineMs(): number {
  const [, user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]!
    .split(/ +/)
  return [user, nice, system, irq, softirq, steal].reduce((sum, ticks) => sum + Number(ticks), 0) * 10
}

/** Share of all processors that are busy, measured for some milliseconds. */
export async function loadOfMachine(ms: number): Promise<number> {
  const [busy, began] = [machineMs(), performance.now()]
  await sleep(ms)
  return (machineMs() - busy) / ((performance.now() - began) * availableParallelism())
}

/** Formats rate, latency, CPU, the share of other processes, and the ratio to the minimal server if given. */
export function lineOf({ rate, latencies, program, server, cpu, others }: Figure, minimal?: Figure): string {
  const ratio = minimal ? `, ${(cpu / minimal.cpu).toFixed(2)} of the minimal server` : ''
  return (
    `${rate.toFixed(0)}/s; p50 ${percentile(latencies, 0.5).toFixed(2)} ms, p99 ${percentile(latencies, 0.99).toFixed(2)} ms; ` +
    `CPU each: program ${program.toFixed(0)} us, PostgreSQL ${server.toFixed(0)} us${ratio}; other processes used ${percent(others)}`
  )
}

/** CPU of deliveries: milliseconds of each side, and the share of other processes. */
export interface Cpu {
  own: number
  database: number
  receiver: number
  others: number
}

/** Formats CPU per event; the ratio compares this process and PostgreSQL with the minimal server. */
export function cpuLine({ own, database, receiver, others }: Cpu, events: number, minimal: Figure): string {
  const each = (ms: number) => Math.round((ms * 1000) / events)
  const ratio = each(own + database) / minimal.cpu
  return (
    `${each(own)} this process + ${each(database)} PostgreSQL + ${each(receiver)} receivers; ` +
    `${ratio.toFixed(2)} of the minimal server's write; other processes used ${percent(others)}`
  )
}

export const percent = (share: number): string => `${(share * 100).toFixed(0)} % of the processors`

/** Connection counts at which latency is measured; `--judged` omits those without a goal. */
export const connectionCounts = (args: string[], judged: number[]): number[] =>
  args.includes('--judged') ? judged : [8, 16, 32, 64]

// One phase of a benchmark: after a checkpoint, with latencies, the processor time of each side, and what others had of it.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { cpuMs } from './api.ts'
import type { BenchDatabase } from './database.ts'
import { ownCpuMs, percentile, serverCpuMs } from './figures.ts'

/** The program under test, and its database. */
export interface Subject {
  database: Pick<BenchDatabase, 'db' | 'pid'>
  /** Of the processes whose work is counted as the program's; other than this one. */
  pids: number[]
}

/** Processor time in milliseconds: of the program, of PostgreSQL, of this process, and of the whole machine. */
interface Spent {
  program: number
  server: number
  own: number
  machine: number
  at: number
}

/** Figures of one phase. CPU is in microseconds for each piece of work. */
export interface Figure {
  count: number
  rate: number
  latencies: number[]
  program: number
  server: number
  cpu: number
  /** The share of all processors that neither the program, PostgreSQL nor this process had. */
  others: number
}

/** Runs `work`, which gives the milliseconds that each piece of it took, after a checkpoint. */
export async function measured(subject: Subject, work: () => Promise<number[]>): Promise<Figure> {
  await subject.database.db`checkpoint`
  const before = spent(subject)
  const latencies = await work()
  const after = spent(subject)
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
    others: othersShare(before, after, program + server + own),
  }
}

/**
 * The share of the processors that others had during `work`, for benchmarks that count by themselves. `alsoMs` is what a
 * process that has ended since spent on it.
 */
export async function withOthers<T>(
  subject: Subject,
  work: () => Promise<T>,
  alsoMs: (result: T) => number = () => 0,
): Promise<{ result: T; others: number; seconds: number }> {
  const before = spent(subject)
  const result = await work()
  const after = spent(subject)
  const known = after.program + after.server + after.own - before.program - before.server - before.own
  const ours = known + alsoMs(result)
  return { result, others: othersShare(before, after, ours), seconds: (after.at - before.at) / 1000 }
}

function othersShare(before: Spent, after: Spent, ours: number): number {
  const all = (after.at - before.at) * availableParallelism()
  return Math.max(0, (after.machine - before.machine - ours) / all)
}

const spent = ({ database, pids }: Subject): Spent => ({
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

/** Rate, latency, CPU and what others had, in one line; the ratio to the CPU of the smallest server where there is one. */
export function lineOf({ rate, latencies, program, server, cpu, others }: Figure, smallest?: Figure): string {
  const ratio = smallest ? `, ${(cpu / smallest.cpu).toFixed(2)} of the smallest server` : ''
  return (
    `${rate.toFixed(0)}/s; p50 ${percentile(latencies, 0.5).toFixed(2)} ms, p99 ${percentile(latencies, 0.99).toFixed(2)} ms; ` +
    `CPU each: program ${program.toFixed(0)} us, PostgreSQL ${server.toFixed(0)} us${ratio}; others had ${percent(others)}`
  )
}

/** What a delivery costs: milliseconds of each side, and the share of the processors that others had meanwhile. */
export interface Cpu {
  own: number
  database: number
  receiver: number
  others: number
}

/** For each of so many events; the ratio is of this process and PostgreSQL to the smallest server. */
export function cpuLine({ own, database, receiver, others }: Cpu, events: number, smallest: Figure): string {
  const each = (ms: number) => Math.round((ms * 1000) / events)
  const ratio = each(own + database) / smallest.cpu
  return (
    `${each(own)} this process + ${each(database)} PostgreSQL + ${each(receiver)} receivers; ` +
    `${ratio.toFixed(2)} of the smallest server's write; others had ${percent(others)}`
  )
}

export const percent = (share: number): string => `${(share * 100).toFixed(0)} % of the processors`

/** Latency is told at each of these. */
export const connectionCounts = [8, 16, 32, 64] as const

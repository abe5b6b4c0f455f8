// Measures latencies and processor time of one phase of a benchmark.
import { cpuMs } from './api.ts'
import type { BenchDatabase } from './database.ts'
import { percentile, serverCpuMs } from './figures.ts'

/** The program under test, and its database. */
export interface Subject {
  database: Pick<BenchDatabase, 'db' | 'pid'>
  /** Processes whose CPU counts as the program's. The load generator (this process) is not among them. */
  pids: number[]
}

/** Figures of one phase. CPU is in microseconds per item of work. */
export interface Figure {
  rate: number
  latencies: number[]
  program: number
  server: number
  cpu: number
}

/** Measures `work` after a checkpoint; `work` returns the milliseconds of each item. */
export async function measurePhase(subject: Subject, work: () => Promise<number[]>): Promise<Figure> {
  await subject.database.db`checkpoint`
  const before = readUsage(subject)
  const latencies = await work()
  const after = readUsage(subject)
  const count = latencies.length
  const program = after.program - before.program
  const server = after.server - before.server
  return {
    latencies,
    rate: (count / (after.at - before.at)) * 1000,
    program: (program / count) * 1000,
    server: (server / count) * 1000,
    cpu: ((program + server) / count) * 1000,
  }
}

/** Processor time in milliseconds: of the program, and of PostgreSQL. */
const readUsage = ({ database, pids }: Subject) => ({
  program: pids.reduce((sum, pid) => sum + cpuMs({ pid }), 0),
  server: serverCpuMs(database.pid),
  at: performance.now(),
})

/** Formats rate, latency, CPU, and the ratio to the smallest server if given. */
export function lineOf({ rate, latencies, program, server, cpu }: Figure, smallest?: Figure): string {
  const ratio = smallest ? `, ${(cpu / smallest.cpu).toFixed(2)} of the smallest server` : ''
  return (
    `${rate.toFixed(0)}/s; p50 ${percentile(latencies, 0.5).toFixed(2)} ms, p99 ${percentile(latencies, 0.99).toFixed(2)} ms; ` +
    `CPU each: program ${program.toFixed(0)} us, PostgreSQL ${server.toFixed(0)} us${ratio}`
  )
}

/** CPU of deliveries: milliseconds of each side. */
export interface Cpu {
  own: number
  database: number
  receiver: number
}

/** Formats CPU per event; the ratio compares this process and PostgreSQL with the smallest server. */
export function cpuLine({ own, database, receiver }: Cpu, events: number, smallest: Figure): string {
  const each = (ms: number) => Math.round((ms * 1000) / events)
  const ratio = each(own + database) / smallest.cpu
  return (
    `${each(own)} this process + ${each(database)} PostgreSQL + ${each(receiver)} receivers; ` +
    `${ratio.toFixed(2)} of the smallest server's write`
  )
}

/** Connection counts at which latency is measured; `--judged` omits those without a goal. */
export const connectionCounts = (args: string[], judged: number[]): number[] =>
  args.includes('--judged') ? judged : [8, 16, 32, 64]

// Percentiles, processor time and memory for benchmarks.
import { readdirSync, readFileSync } from 'node:fs'

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const spread = (values: number[]): string =>
  [0.5, 0.9, 0.99, 1].map((share) => `p${share * 100} ${percentile(values, share).toFixed(2)}`).join('  ')

/** Processor time of this process so far, in milliseconds. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Processor time of a server and all its children so far, including ended ones, in milliseconds. */
export function serverCpuMs(pid: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = statOf(name)
    if (!fields || (Number(name) !== pid && fields[1] !== String(pid))) continue
    const own = Number(fields[11]) + Number(fields[12])
    ticks += Number(name) === pid ? own + Number(fields[13]) + Number(fields[14]) : own
  }
  return ticks * 10
}

/** Returns the fields of /proc/<pid>/stat after the name (state, parent, …); undefined if the process has ended. */
function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

export const memoryMiB = (): number => Math.round(process.memoryUsage().rss / 2 ** 20)

// The cost of each test file: seconds, processor time of its process and of the programs it starts, and assertions.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export const startKinds = ['programs', 'browsers', 'databases'] as const
export type StartKind = (typeof startKinds)[number]

export interface FileCost extends Record<StartKind, number> {
  file: string
  /** Time to load the file and run its tests. */
  seconds: number
  /** Processor time in seconds, of browsers and programs too; not of PostgreSQL. */
  processor: number
  /** Tests that ran, without the suites around them. */
  tests: number
  /** Calls of `assert`. */
  assertions: number
}

const counts = { tests: 0, assertions: 0, programs: 0, browsers: 0, databases: 0 }

/** Counts a start for the file whose tests are running. */
export function noteStart(what: StartKind): void {
  counts[what]++
}

/** Counts a test of the file whose tests are running. */
export function noteTest(): void {
  counts.tests++
}

/** Wraps `assert` so that each call is counted. */
export function countAssertions(): void {
  const methods = assert as unknown as Record<string, unknown>
  for (const [name, method] of Object.entries(assert)) {
    if (typeof method !== 'function' || name === 'AssertionError' || name === 'strict') continue
    methods[name] = (...all: unknown[]) => {
      counts.assertions++
      return method(...all)
    }
  }
}

/** Starts to measure a file; the returned function reports the cost so far. */
export function measureFile(file: string): () => FileCost {
  const began = performance.now()
  const used = processorSeconds()
  const before = { ...counts }
  return () => ({
    file,
    seconds: (performance.now() - began) / 1000,
    processor: processorSeconds() - used,
    tests: counts.tests - before.tests,
    assertions: counts.assertions - before.assertions,
    programs: counts.programs - before.programs,
    browsers: counts.browsers - before.browsers,
    databases: counts.databases - before.databases,
  })
}

/** Processor seconds of this process and its descendants, ended or running; outside Linux only of this process. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  if (!existsSync('/proc/self/stat')) return (user + system) / 1e6
  const children = new Map<number, ProcessTime[]>()
  for (const name of readdirSync('/proc')) {
    const child = Number(name) > 0 && processTime(name)
    if (child) children.set(child.parent, [...(children.get(child.parent) ?? []), child])
  }
  const below = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + child.seconds + below(child.pid), 0)
  return (processTime('self')?.seconds ?? 0) + below(process.pid)
}

interface ProcessTime {
  pid: number
  parent: number
  /** Processor seconds of the process and its ended children. */
  seconds: number
}

/** Returns null if the process has just ended. The process name is in brackets and may contain blanks. */
function processTime(name: string): ProcessTime | null {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8')
    const [, parent, ...rest] = text
      .slice(text.lastIndexOf(') ') + 2)
      .split(' ')
      .map(Number)
    const ticks = rest.slice(9, 13).reduce((sum, each) => sum + each, 0)
    return { pid: Number(name), parent: parent!, seconds: ticks / 100 }
  } catch {
    return null
  }
}

// What each test file costs: its seconds, the processor time of its process and of what that started, and how often it asserts.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export const startKinds = ['programs', 'browsers', 'databases'] as const
export type StartKind = (typeof startKinds)[number]

export interface FileCost extends Record<StartKind, number> {
  file: string
  /** Of loading it and of its tests. */
  seconds: number
  /** Processor time in seconds, of browsers and programs too; not of PostgreSQL. */
  processor: number
  /** Calls of `assert`. */
  assertions: number
}

const counts = { assertions: 0, programs: 0, browsers: 0, databases: 0 }

/** Counts what is started for the file whose tests are running. */
export function noteStart(what: StartKind): void {
  counts[what]++
}

/** Counts each call of `assert.equal` and its like. */
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

/** Begins to measure a file; the result gives what it has cost since. */
export function measureFile(file: string): () => FileCost {
  const [began, used, before] = [performance.now(), processorSeconds(), { ...counts }]
  return () => ({
    file,
    seconds: (performance.now() - began) / 1000,
    processor: processorSeconds() - used,
    assertions: counts.assertions - before.assertions,
    programs: counts.programs - before.programs,
    browsers: counts.browsers - before.browsers,
    databases: counts.databases - before.databases,
  })
}

/** Processor seconds of this process and of all that it started, whether they have ended or not; Linux alone tells those of others. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  if (!existsSync('/proc/self/stat')) return (user + system) / 1e6
  const children = new Map<number, ProcessTime[]>()
  for (const name of readdirSync('/proc')) {
    const one = Number(name) > 0 && processTime(name)
    if (one) children.set(one.parent, [...(children.get(one.parent) ?? []), one])
  }
  const below = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + child.seconds + below(child.pid), 0)
  return (processTime('self')?.seconds ?? 0) + below(process.pid)
}

interface ProcessTime {
  pid: number
  parent: number
  /** Of the process and of its children that have ended. */
  seconds: number
}

/** Null where it has just ended. The name of a process stands in brackets, and may have blanks. */
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

// What each test file costs: its seconds, the processor time of its process meanwhile, what it starts and how often it asserts.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterEach } from 'node:test'

export const starts = ['programs', 'browsers', 'databases'] as const
export type Start = (typeof starts)[number]

export interface FileCost extends Record<Start, number> {
  /** Of loading it and of its tests. */
  seconds: number
  /** Processor time in seconds, without the programs that it started. */
  processor: number
  tests: number
  /** Calls of `assert`. */
  assertions: number
}

/** What a process of test files cost, written to the file that `costsVariable` names when it ends. */
export interface ProcessCost {
  files: Record<string, FileCost>
  /** Processor time in seconds of the programs that it started and that ended before it. */
  children: number
}

/** Of the environment of a process of test files: their names, one on each line. */
export const filesVariable = 'LENDLOOM_TEST_FILES'
export const costsVariable = 'LENDLOOM_TEST_COSTS'

const files = new Map<string, FileCost>()
const current = new AsyncLocalStorage<string>()

function costOf(file: string): FileCost {
  const none = { seconds: 0, processor: 0, tests: 0, assertions: 0, programs: 0, browsers: 0, databases: 0 }
  const cost = files.get(file) ?? none
  files.set(file, cost)
  return cost
}

/** Counts what is started for the file whose code is running; without the runner it does nothing. */
export function noteStart(what: Start): void {
  const file = current.getStore()
  if (file) costOf(file)[what]++
}

/** Gives what has passed since the last call: seconds, and processor time in seconds. */
function stopwatch(): () => Pick<FileCost, 'seconds' | 'processor'> {
  let [at, used] = [performance.now(), process.cpuUsage()]
  return () => {
    const [nowAt, now] = [performance.now(), process.cpuUsage()]
    const spent = { seconds: (nowAt - at) / 1000, processor: (now.user + now.system - used.user - used.system) / 1e6 }
    at = nowAt
    used = now
    return spent
  }
}

const sinceLast = stopwatch()

/** What tests have taken that the reporter has not heard of yet, by their names. */
const measured = new Map<string, ReturnType<typeof sinceLast>[]>()

/** Measures each test when it ends; the runner reports it later. */
export function measureTests(): void {
  afterEach(({ name }) => {
    measured.set(name, [...(measured.get(name) ?? []), sinceLast()])
  })
}

interface Completed {
  type: string
  data: { name: string; file?: string }
}

/** A reporter of `node --test`: adds what a test took to its file. It prints nothing. */
export default async function* reporter(events: AsyncIterable<Completed>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    const took = type === 'test:complete' && measured.get(data.name)?.shift()
    if (took && data.file) add(relative(process.cwd(), data.file), took).tests++
  }
  yield ''
}

/** Runs `load` as the file's code: what it starts, then or in its tests, counts as the file's. */
export async function loading(file: string, load: () => Promise<unknown>): Promise<void> {
  try {
    await current.run(file, load)
  } finally {
    add(file, sinceLast())
  }
}

function add(file: string, { seconds, processor }: Pick<FileCost, 'seconds' | 'processor'>): FileCost {
  const cost = costOf(file)
  cost.seconds += seconds
  cost.processor += processor
  return cost
}

/** Counts each call of `assert.equal` and its like. */
export function countAssertions(): void {
  const methods = assert as unknown as Record<string, unknown>
  for (const [name, method] of Object.entries(assert)) {
    if (typeof method !== 'function' || name === 'AssertionError' || name === 'strict') continue
    methods[name] = (...all: unknown[]) => {
      const file = current.getStore()
      if (file) costOf(file).assertions++
      return method(...all)
    }
  }
}

/** Linux tells the processor time of children that have ended; elsewhere it is left out. */
function ofChildren(): number {
  if (!existsSync('/proc/self/stat')) return 0
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

const path = process.env[costsVariable]
if (path)
  process.on('exit', () => {
    const cost: ProcessCost = { files: Object.fromEntries(files), children: ofChildren() }
    writeFileSync(path, JSON.stringify(cost))
  })

// Runs the test suite: a few processes take test files from a queue, so that code is compiled once for many files.
import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { type FileCost, startKinds } from './setup/costs.ts'
import { globalSetup, globalTeardown } from './setup/global.ts'
import {
  loadOf,
  nextFileIndex,
  type RecordedCosts,
  readCosts,
  type TestFile,
  testFiles,
  writeCosts,
} from './setup/queue.ts'
import { startWorker, type Worker, type WorkerResult } from './setup/worker.ts'

const usage = `npm test -- [FILE …] [--record] [--repeat N] [--beside] [option of node --test …]
node test/run.ts all|unit|light …

  all         every test
  unit        what stands beside the code
  light       what needs no server
  FILE        these test files alone
  --record    write what each file cost to test/costs.json, by which files are dealt to processes
  --repeat N  run it so many times, and list at the end what failed in any of them
  --beside    keep every processor busy meanwhile`

/** The maximum number of concurrent processes: journeys mostly wait, but not indefinitely. */
const mostProcesses = 4
/** Processors that the processes may use at the same time by their recorded costs; more than exist, to keep all of them busy. */
const processors = availableParallelism() * 1.25

/** How many characters of a process's failures are printed again at the end. */
const mostOfFailures = 4000

interface Run {
  results: WorkerResult[]
  costs: FileCost[]
}

/** Each process runs files until none is left for it. A process that ends while running a file is replaced. */
async function runAll(waiting: TestFile[], options: string[]): Promise<Run> {
  const run: Run = { results: [], costs: [] }
  const workers = new Map<number, Worker>()
  const take = (company: Worker['sharing']): TestFile | undefined => {
    const busy = [...workers.values()].reduce((sum, { running }) => sum + loadOf(running), 0)
    const place = nextFileIndex(waiting, company, processors - busy)
    return place < 0 ? undefined : waiting.splice(place, 1)[0]
  }
  async function work(slot: number): Promise<void> {
    for (let first = take('any'); first; first = take('any')) {
      const worker = startWorker(first, slot, options)
      workers.set(slot, worker)
      let [file, cut]: [TestFile | undefined, string | null] = [first, null]
      while (file && !cut) {
        const cost = await worker.run(file)
        if (cost) run.costs.push(cost)
        else cut = `the process ended while it ran ${file.path}`
        file = worker.sharing === 'alone' || cut ? undefined : take(worker.sharing)
      }
      const result = await worker.end()
      run.results.push({ ...result, fault: cut ?? result.fault })
      workers.delete(slot)
    }
  }
  await Promise.all(Array.from({ length: mostProcesses }, (_, i) => work(i + 1)))
  return run
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10

function printCosts(costs: FileCost[]): void {
  const total = (what: 'assertions' | 'processor' | (typeof startKinds)[number]) =>
    costs.reduce((sum, cost) => sum + cost[what], 0)
  console.log('\nThe dearest:\nprocessor  seconds  starts')
  for (const cost of costs.toSorted((a, b) => b.processor - a.processor).slice(0, 20)) {
    const started = startKinds.flatMap((what) => (cost[what] ? [`${cost[what]} ${what}`] : []))
    const figures = cost.processor.toFixed(1).padStart(9) + cost.seconds.toFixed(1).padStart(9)
    console.log(`${figures}  ${cost.file} ${started.join(', ')}`)
  }
  console.log(`\nStarted: ${startKinds.map((what) => `${total(what)} ${what}`).join(', ')}`)
  const processor = `${total('processor').toFixed(0)} s of processors without PostgreSQL`
  console.log(`${costs.length} files, ${total('assertions')} assertions, ${processor}`)
}

function report({ results, costs }: Run, seconds: number): void {
  const sum = (what: keyof WorkerResult['counts']) => results.reduce((total, { counts }) => total + counts[what], 0)
  console.log('\nThe slowest:')
  for (const { file, seconds: each } of costs.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
    console.log(`${each.toFixed(1).padStart(7)} s  ${file}`)
  printCosts(costs)
  const bad = results.filter(({ fault, failed }) => fault !== null || failed.length > 0)
  if (bad.length > 0) console.log('\nFailed:')
  for (const { fault, failures } of bad) console.log(`${fault ?? ''}\n${failures.slice(0, mostOfFailures)}`)
  console.log(`\n${results.length} processes, ${seconds.toFixed(0)} s`)
  console.log(`${sum('pass')} passed, ${sum('fail')} failed, ${sum('skipped')} skipped`)
  if (bad.length > 0) process.exitCode = 1
}

/** Starts one process per processor that only keeps it busy. */
const busyProcesses = (): ChildProcess[] =>
  Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )

async function main([which, ...rest]: string[]): Promise<void> {
  if (which !== 'all' && which !== 'unit' && which !== 'light') return void console.error(usage)
  if (rest.includes('--help')) return void console.log(usage)
  const times = rest.includes('--repeat') ? Number(rest[rest.indexOf('--repeat') + 1]) : 1
  if (!Number.isInteger(times) || times < 1) throw new Error('--repeat is followed by a number from 1')
  const ours = ['--record', '--beside', '--repeat', ...(rest.includes('--repeat') ? [String(times)] : [])]
  const files = rest.filter((word) => word.endsWith('.test.ts'))
  const options = rest.filter((word) => !ours.includes(word) && !files.includes(word))
  const beside = rest.includes('--beside') ? busyProcesses() : []
  const failures = new Map<string, number>()
  await globalSetup()
  try {
    for (let i = 0; i < times; i++) {
      const began = performance.now()
      const run = await runAll(testFiles(which, readCosts(), files), options)
      report(run, (performance.now() - began) / 1000)
      for (const { fault, failed } of run.results)
        for (const title of fault ? [fault, ...failed] : failed) failures.set(title, (failures.get(title) ?? 0) + 1)
      const costs: RecordedCosts = {}
      for (const { file, seconds, processor } of run.costs) costs[file] = [round(seconds), round(processor)]
      if (rest.includes('--record')) writeCosts({ ...readCosts(), ...costs })
    }
  } finally {
    for (const each of beside) each.kill('SIGKILL')
    await globalTeardown()
  }
  if (times > 1) console.log(`\n${times} runs; failed in any: ${failures.size}`)
  if (times > 1) for (const [title, count] of failures) console.log(`  ${count} of ${times}: ${title}`)
}

await main(process.argv.slice(2))

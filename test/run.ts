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
  unit        tests beside the source code
  light       tests that need no server
  FILE        only these test files
  --record    write the costs of each file to test/costs.json, which distributes files among processes
  --repeat N  run the tests N times, and list all failures at the end
  --beside    keep every processor busy during the run`

/** The maximum number of concurrent processes: journeys mostly wait, but not indefinitely. */
const maxProcesses = 4
/** The load, by recorded costs, that may run at once: more than the number of processors, to keep all busy. */
const maxLoad = availableParallelism() * 1.25

/** Maximum characters of a process's failures that the summary repeats. */
const maxFailureChars = 4000

interface Run {
  results: WorkerResult[]
  costs: FileCost[]
  /** Files that did not end, such as because their process did. */
  unfinished: string[]
}

/** Each process runs files until none is left that it may run. A process that crashes is replaced. */
async function runAll(waiting: TestFile[], options: string[]): Promise<Run> {
  const run: Run = { results: [], costs: [], unfinished: waiting.map(({ path }) => path) }
  const workers = new Map<number, Worker>()
  const takeNextFile = (sharing: Worker['sharing']): TestFile | undefined => {
    const busy = [...workers.values()].reduce((sum, { running }) => sum + loadOf(running), 0)
    const index = nextFileIndex(waiting, sharing, maxLoad - busy)
    return index < 0 ? undefined : waiting.splice(index, 1)[0]
  }
  async function work(slot: number): Promise<void> {
    for (let first = takeNextFile('any'); first; first = takeNextFile('any')) {
      const worker = startWorker(first, slot, options)
      workers.set(slot, worker)
      let file: TestFile | undefined = first
      let crash: string | null = null
      while (file && !crash) {
        const cost = await worker.run(file)
        if (cost) {
          run.costs.push(cost)
          run.unfinished = run.unfinished.filter((path) => path !== cost.file)
        } else crash = `the process ended while it ran ${file.path}`
        file = worker.sharing === 'alone' || crash ? undefined : takeNextFile(worker.sharing)
      }
      const result = await worker.end()
      run.results.push({ ...result, fault: crash ?? result.fault })
      workers.delete(slot)
    }
  }
  await Promise.all(Array.from({ length: maxProcesses }, (_, i) => work(i + 1)))
  return run
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10

function printCosts(costs: FileCost[]): void {
  const total = (what: 'assertions' | 'processor' | (typeof startKinds)[number]) =>
    costs.reduce((sum, cost) => sum + cost[what], 0)
  console.log('\nThe most expensive:\nprocessor  seconds  starts')
  for (const cost of costs.toSorted((a, b) => b.processor - a.processor).slice(0, 20)) {
    const starts = startKinds.flatMap((what) => (cost[what] ? [`${cost[what]} ${what}`] : []))
    const figures = cost.processor.toFixed(1).padStart(9) + cost.seconds.toFixed(1).padStart(9)
    console.log(`${figures}  ${cost.file} ${starts.join(', ')}`)
  }
  console.log(`\nStarted: ${startKinds.map((what) => `${total(what)} ${what}`).join(', ')}`)
  const processor = `${total('processor').toFixed(0)} s of processors without PostgreSQL`
  console.log(`${costs.length} files, ${total('assertions')} assertions, ${processor}`)
}

function report({ results, costs, unfinished }: Run, seconds: number): void {
  const sum = (what: keyof WorkerResult['counts']) => results.reduce((total, { counts }) => total + counts[what], 0)
  console.log('\nThe slowest:')
  for (const { file, seconds: each } of costs.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
    console.log(`${each.toFixed(1).padStart(7)} s  ${file}`)
  printCosts(costs)
  const failedResults = results.filter(({ fault, failed }) => fault !== null || failed.length > 0)
  if (failedResults.length > 0) console.log('\nFailed:')
  for (const { fault, failures } of failedResults) console.log(`${fault ?? ''}\n${failures.slice(0, maxFailureChars)}`)
  if (unfinished.length > 0) console.log(`\nNot finished, and counted as failed:\n  ${unfinished.join('\n  ')}`)
  console.log(`\n${results.length} processes, ${seconds.toFixed(0)} s`)
  const failed = sum('fail') + unfinished.length
  console.log(`${sum('pass')} passed, ${failed} failed, ${sum('skipped')} skipped`)
  if (failedResults.length > 0 || failed > 0) process.exitCode = 1
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
  if (!Number.isInteger(times) || times < 1) throw new Error('--repeat needs a number of at least 1')
  const ownOptions = ['--record', '--beside', '--repeat', ...(rest.includes('--repeat') ? [String(times)] : [])]
  const files = rest.filter((word) => word.endsWith('.test.ts'))
  const options = rest.filter((word) => !ownOptions.includes(word) && !files.includes(word))
  const busyLoops = rest.includes('--beside') ? busyProcesses() : []
  const failures = new Map<string, number>()
  await globalSetup()
  try {
    for (let i = 0; i < times; i++) {
      const startedAt = performance.now()
      const run = await runAll(testFiles(which, readCosts(), files), options)
      report(run, (performance.now() - startedAt) / 1000)
      for (const { fault, failed } of run.results)
        for (const title of fault ? [fault, ...failed] : failed) failures.set(title, (failures.get(title) ?? 0) + 1)
      const costs: RecordedCosts = {}
      for (const { file, seconds, processor } of run.costs) costs[file] = [round(seconds), round(processor)]
      if (rest.includes('--record')) writeCosts({ ...readCosts(), ...costs })
    }
  } finally {
    for (const each of busyLoops) each.kill('SIGKILL')
    await globalTeardown()
  }
  if (times > 1) console.log(`\n${times} runs, failures in any run: ${failures.size}`)
  if (times > 1) for (const [title, count] of failures) console.log(`  ${count} of ${times}: ${title}`)
}

await main(process.argv.slice(2))

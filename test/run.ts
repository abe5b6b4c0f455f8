// Runs the test suite: a few processes take test files from a queue, so that code is compiled once for many files.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { type FileCost, startKinds } from './setup/costs.ts'
import { globalSetup, globalTeardown } from './setup/global.ts'
import { roundsVariable, seedVariable } from './setup/law-rounds.ts'
import {
  type FileSelection,
  loadOf,
  nextFileIndex,
  type RecordedCosts,
  readCosts,
  selections,
  type TestFile,
  testFiles,
  tierOf,
  tiers,
  writeCosts,
} from './setup/queue.ts'
import { startWorker, type Worker, type WorkerResult } from './setup/worker.ts'

const usage = `npm test -- [FILE …] [--record] [--repeat N] [--beside] [option of node --test …]
node test/run.ts WHICH …

WHICH is one of
  commit      types, lint, the tests beside the code with a tenth of the rounds of each law, and smoke: npm test
  page        the hosted page in a browser: npm run test:page
  all         types, lint and every test: npm run test:all
  rest        what commit leaves out, and every law with all its rounds
  light       the tests beside the code that need no server and take less than a second: npm run check
  code, smoke, full   one tier

  FILE        only these test files, with all rounds
  --record    write the costs of each file to test/costs.json, which distributes files among processes
  --repeat N  run the tests N times, and list all failures at the end
  --beside    keep every processor busy during the run

LENDLOOM_LAW_SEED=N repeats the laws of a run that printed seed N.`

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
  const total = (what: (typeof startKinds)[number]) => costs.reduce((sum, cost) => sum + cost[what], 0)
  console.log('\nThe most expensive:\nprocessor  seconds  starts')
  for (const cost of costs.toSorted((a, b) => b.processor - a.processor).slice(0, 20)) {
    const starts = startKinds.flatMap((what) => (cost[what] ? [`${cost[what]} ${what}`] : []))
    const figures = cost.processor.toFixed(1).padStart(9) + cost.seconds.toFixed(1).padStart(9)
    console.log(`${figures}  ${cost.file} ${starts.join(', ')}`)
  }
  console.log(`\nStarted: ${startKinds.map((what) => `${total(what)} ${what}`).join(', ')}`)
  printTiers(costs)
}

function printTiers(costs: FileCost[]): void {
  console.log('\ntier   files  tests  assertions  processor seconds without PostgreSQL')
  for (const tier of tiers) {
    const ofTier = costs.filter(({ file }) => tierOf(file) === tier)
    const total = (what: 'tests' | 'assertions' | 'processor') => ofTier.reduce((sum, cost) => sum + cost[what], 0)
    const figures = [
      String(ofTier.length).padStart(6),
      String(total('tests')).padStart(7),
      String(total('assertions')).padStart(12),
      total('processor').toFixed(0).padStart(19),
    ]
    if (ofTier.length > 0) console.log(tier.padEnd(5) + figures.join(''))
  }
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

/** Runs types and lint at the same time, because neither keeps two processors busy. Returns whether both passed. */
async function checkSources(): Promise<boolean> {
  const passed = await Promise.all(['types', 'lint'].map(checkWith))
  return passed.every(Boolean)
}

async function checkWith(script: string): Promise<boolean> {
  const startedAt = performance.now()
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  process.stdout.write(output + errors)
  console.log(
    `${script}: ${code === 0 ? 'passed' : 'failed'}, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  )
  return code === 0
}

/** The seed that the caller gives, by which every run repeats the same laws. */
const givenSeed = process.env[seedVariable]

/** Sets the rounds and the seed of the laws for the processes of one run. */
function chooseLaws(which: FileSelection, hasFiles: boolean): void {
  const seed = givenSeed ?? String(randomInt(2 ** 31))
  process.env[seedVariable] = seed
  process.env[roundsVariable] ??= !hasFiles && ['commit', 'light', 'code'].includes(which) ? '0.1' : '1'
  const share = Number(process.env[roundsVariable]) < 1 ? `${process.env[roundsVariable]} of their` : 'all their'
  console.log(`laws: ${share} rounds, seed ${seed}\n`)
}

const isSelection = (which: string | undefined): which is FileSelection =>
  selections.some((selection) => selection === which)

async function main([which, ...rest]: string[]): Promise<void> {
  if (!isSelection(which)) return void console.error(usage)
  if (rest.includes('--help')) return void console.log(usage)
  const times = rest.includes('--repeat') ? Number(rest[rest.indexOf('--repeat') + 1]) : 1
  if (!Number.isInteger(times) || times < 1) throw new Error('--repeat needs a number of at least 1')
  const ownOptions = ['--record', '--beside', '--repeat', ...(rest.includes('--repeat') ? [String(times)] : [])]
  const files = rest.filter((word) => word.endsWith('.test.ts'))
  const options = rest.filter((word) => !ownOptions.includes(word) && !files.includes(word))
  const startedAt = performance.now()
  const checksSources = files.length === 0 && (which === 'commit' || which === 'all')
  if (checksSources && !(await checkSources())) {
    process.exitCode = 1
    return
  }
  const busyLoops = rest.includes('--beside') ? busyProcesses() : []
  const failures = new Map<string, number>()
  await globalSetup()
  try {
    for (let i = 0; i < times; i++) {
      chooseLaws(which, files.length > 0)
      const runStartedAt = performance.now()
      const run = await runAll(testFiles(which, readCosts(), files), options)
      report(run, (performance.now() - runStartedAt) / 1000)
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
  if (checksSources) console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s with types and lint`)
  if (times > 1) console.log(`\n${times} runs, failures in any run: ${failures.size}`)
  if (times > 1) for (const [title, count] of failures) console.log(`  ${count} of ${times}: ${title}`)
}

await main(process.argv.slice(2))

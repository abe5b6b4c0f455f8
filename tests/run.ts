// Runs the test suite: a few processes take test files from a queue, so that code is compiled once for many files.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism, constants } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type FileCost, startKinds } from './setup/costs.ts'
import { globalSetup, globalTeardown } from './setup/global.ts'
import { givenSeed, roundsShare, roundsVariable, seedLimit, seedVariable } from './setup/law-rounds.ts'
import {
  type FileSelection,
  filesNamed,
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
node -C inside tests/run.ts WHICH …

WHICH is one of
  commit      types, lint, the tests beside the code with a tenth of the rounds of each law, and smoke: npm test
  page        the hosted page in a browser: npm run test:page
  all         types, lint and every test: npm run test:all
  rest        what commit leaves out, and every law with all its rounds
  light       types, lint, and the tests beside the code that need no server and take less than a second: npm run check
  code, smoke, full   one tier

  FILE        only these test files, with all rounds: a file, a pattern or a folder; with a tier, those of the tier
  --record    write the costs of each file to tests/costs.json, which distributes files among processes
  --repeat N  run the tests N times, and list all failures at the end
  --beside    keep every processor busy during the run

An option of node --test with a value is one word, such as --test-name-pattern=D1.
LENDLOOM_LAW_SEED=N repeats the laws of a run that printed seed N; LENDLOOM_LAW_SHARE=0.5 runs half of their rounds.`

/** The maximum number of concurrent processes: journeys mostly wait, but not indefinitely. */
const maxProcesses = 4
/** The load, by recorded costs, that may run at once: more than the number of processors, to keep all busy. */
const maxLoad = availableParallelism() * 1.25

/** Maximum characters of the details of a process's failures that the summary repeats; it names every failed test. */
const maxDetailChars = 4000

interface Run {
  results: WorkerResult[]
  costs: FileCost[]
  /** Files that did not end, such as because their process did. */
  unfinished: string[]
}

const workers = new Map<number, Worker>()

/** Each process runs files until none is left that it may run. A process that crashes is replaced. */
async function runAll(waiting: TestFile[], options: string[]): Promise<Run> {
  const run: Run = { results: [], costs: [], unfinished: waiting.map(({ path }) => path) }
  const takeNextFile = (sharing: Worker['sharing'] | 'new'): TestFile | undefined => {
    const busy = [...workers.values()].reduce((sum, { running }) => sum + loadOf(running), 0)
    const index = interruption ? -1 : nextFileIndex(waiting, sharing, maxLoad - busy)
    return index < 0 ? undefined : waiting.splice(index, 1)[0]
  }
  async function work(slot: number): Promise<void> {
    for (let first = takeNextFile('new'); first; first = takeNextFile('new')) {
      const worker = startWorker(first, slot, options)
      workers.set(slot, worker)
      let file: TestFile | undefined = first
      while (file) {
        const cost = await worker.run(file)
        if (!cost) break
        run.costs.push(cost)
        run.unfinished = run.unfinished.filter((path) => path !== cost.file)
        file = takeNextFile(worker.sharing)
      }
      run.results.push(await worker.end())
      workers.delete(slot)
    }
  }
  await Promise.all(Array.from({ length: maxProcesses }, (_, i) => work(i + 1)))
  return run
}

/** The signal that ended this run early. */
let interruption: NodeJS.Signals | null = null

/** Kills the workers, so that the run ends in order: with the names of the unfinished files, and without PostgreSQL. */
function interrupt(signal: NodeJS.Signals): void {
  // A terminal that was closed takes no output.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  // Ctrl-C often comes twice: from the terminal and from npm.
  interruption ??= signal
  for (const worker of workers.values()) worker.kill()
  // Before and after the tests, nothing has to be awaited: PostgreSQL is stopped when this process exits.
  if (workers.size === 0) process.exit(exitCodeOf(interruption))
}

const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

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
  const failedResults = results.filter(({ counts }) => counts.fail > 0)
  if (failedResults.length > 0) console.log('\nFailed:')
  for (const { details } of failedResults) if (details) console.log(`${cut(details)}\n`)
  for (const each of failedResults.flatMap(failuresOf)) console.log(`✖ ${each}`)
  const lost = results.flatMap((result) => result.lost)
  if (lost.length > 0) console.log(`\nResults lost with the report of their process:\n  ${lost.join('\n  ')}`)
  if (unfinished.length > 0) console.log(`\nNot finished:\n  ${unfinished.join('\n  ')}`)
  console.log(`\n${results.length} processes, ${seconds.toFixed(0)} s`)
  console.log(`${sum('pass')} passed, ${sum('fail')} failed, ${sum('skipped')} skipped`)
  if (failedResults.length > 0 || unfinished.length > 0) process.exitCode = 1
}

const failuresOf = ({ faults, failed }: WorkerResult): string[] => [...faults, ...failed]

const cut = (details: string): string =>
  details.length > maxDetailChars ? `${details.slice(0, maxDetailChars)}\n… more above` : details

/** Starts one process per processor that only keeps it busy, until this process ends. */
function keepProcessorsBusy(): void {
  const options = { stdio: 'ignore' } as const
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], options),
  )
  for (const loop of loops) loop.unref()
  process.once('exit', () => {
    for (const loop of loops) loop.kill('SIGKILL')
  })
}

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
let callerSeed: number | null = null

/** Sets the rounds and the seed of the laws for the processes of one run. */
function chooseLaws(which: FileSelection, hasFiles: boolean): void {
  const seed = String(callerSeed ?? randomInt(seedLimit))
  process.env[seedVariable] = seed
  process.env[roundsVariable] ||= !hasFiles && ['commit', 'light', 'code'].includes(which) ? '0.1' : '1'
  const share = roundsShare() < 1 ? `${roundsShare()} of their` : 'all their'
  console.log(`laws: ${share} rounds, seed ${seed}\n`)
}

const isSelection = (which: string | undefined): which is FileSelection =>
  selections.some((selection) => selection === which)

/** What the command line asks for. */
interface Order {
  which: FileSelection
  /** Only these files; all of `which` if empty. */
  files: string[]
  /** Options of `node --test`. */
  options: string[]
  times: number
  records: boolean
  hasBusyProcessors: boolean
}

/** Reads the command line and the environment; refuses what would silently run something else. */
function orderOf([which, ...words]: string[]): Order {
  if (!isSelection(which))
    throw new Error(`${which ? `"${which}" is no selection` : 'a selection is missing'}\n\n${usage}`)
  callerSeed = givenSeed()
  roundsShare()
  const order: Order = { which, files: [], options: [], times: 1, records: false, hasBusyProcessors: false }
  for (let word = words.shift(); word !== undefined; word = words.shift())
    if (word === '--record') order.records = true
    else if (word === '--beside') order.hasBusyProcessors = true
    else if (word === '--repeat') order.times = timesOf(words.shift())
    else if (word.startsWith('--')) order.options.push(word)
    else order.files.push(...filesOf(word))
  return { ...order, files: [...new Set(order.files)] }
}

function timesOf(word: string | undefined): number {
  if (/^[1-9]\d*$/.test(word ?? '')) return Number(word)
  throw new Error('--repeat needs a number of at least 1')
}

function filesOf(word: string): string[] {
  const files = filesNamed(word)
  if (files.length > 0) return files
  throw new Error(`"${word}" is neither an option (--…) nor a file, pattern or folder of test files`)
}

async function main(order: Order): Promise<void> {
  const { which, files, times } = order
  const startedAt = performance.now()
  const checksSources = files.length === 0 && (which === 'commit' || which === 'all' || which === 'light')
  if (checksSources && !(await checkSources())) {
    process.exitCode = 1
    return
  }
  if (order.hasBusyProcessors) keepProcessorsBusy()
  const failures = new Map<string, number>()
  await globalSetup()
  try {
    for (let i = 0; i < times; i++) {
      chooseLaws(which, files.length > 0)
      const runStartedAt = performance.now()
      const waiting = testFiles(which, readCosts(), files)
      if (waiting.length === 0) throw new Error(`${which} has no test file`)
      const run = await runAll(waiting, order.options)
      if (interruption) {
        reportInterruption(run, waiting)
        break
      }
      report(run, (performance.now() - runStartedAt) / 1000)
      for (const failure of run.results.flatMap(failuresOf)) failures.set(failure, (failures.get(failure) ?? 0) + 1)
      const costs: RecordedCosts = {}
      for (const { file, seconds, processor } of run.costs) costs[file] = [round(seconds), round(processor)]
      if (order.records) writeCosts({ ...readCosts(), ...costs })
    }
  } finally {
    await globalTeardown()
  }
  if (interruption) process.exit(exitCodeOf(interruption))
  if (checksSources) console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s with types and lint`)
  if (times > 1) console.log(`\n${times} runs, failures in any run: ${failures.size}`)
  if (times > 1) for (const [title, count] of failures) console.log(`  ${count} of ${times}: ${title}`)
}

function reportInterruption({ unfinished }: Run, waiting: TestFile[]): void {
  const notBegun = waiting.map(({ path }) => path)
  const begun = unfinished.filter((path) => !notBegun.includes(path))
  console.log(`\nEnded by ${interruption}. Not finished:\n  ${begun.join('\n  ')}`)
  if (notBegun.length > 0) console.log(`Not begun: ${notBegun.length} files`)
}

// `npm test -w …` runs in the folder of a workspace; files are named from the root.
process.chdir(join(import.meta.dirname, '..'))
const words = process.argv.slice(2)
if (words.includes('--help')) console.log(usage)
else {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt)
  let order: Order | undefined
  try {
    order = orderOf(words)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 2
  }
  if (order) await main(order)
}

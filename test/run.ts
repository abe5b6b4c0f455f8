// Runs the suite: test files in batches, a process for each batch, so that programs are compiled once for many files.
import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { type Result, runBatch } from './setup/batch-process.ts'
import { type FileCost, starts } from './setup/costs.ts'
import { type Batch, batches, type Recorded, record, recorded } from './setup/deal.ts'
import { globalSetup, globalTeardown } from './setup/global.ts'

const usage = `npm test -- [FILE …] [--record] [--repeat N] [--beside] [option of node --test …]
node test/run.ts all|unit|light …

  all         every test
  unit        what stands beside the code
  light       what needs no server
  FILE        these test files alone
  --record    write what each file cost to test/costs.json, by which files are dealt to processes
  --repeat N  run it so many times, and list at the end what failed in any of them
  --beside    keep every processor busy meanwhile`

/** Processes at the same time at most: journeys wait for each other more than they compute, but not for ever. */
const mostProcesses = 3
/** Processors that the processes may use at the same time by their records: more than there are keeps all of them busy. */
const processors = availableParallelism() * 1.25

/** Characters of a batch's failures that are printed again at the end, where whoever sees only the end finds them. */
const mostOfFailures = 4000

/** Processors that a batch keeps busy, from what was recorded. */
const load = ({ seconds, processor }: Batch): number => Math.min(1.5, processor / Math.max(seconds, 1))

/** The longest first. One that mostly waits begins beside those that keep the processors busy. */
async function runAll(waiting: Batch[], options: string[]): Promise<Result[]> {
  const results: Result[] = []
  const running = new Map<number, Batch & { done: Promise<void> }>()
  while (waiting.length > 0 || running.size > 0) {
    const busy = [...running.values()].reduce((sum, batch) => sum + load(batch), 0)
    const next = waiting.findIndex((batch) => running.size === 0 || busy + load(batch) <= processors)
    if (next < 0 || running.size >= mostProcesses) {
      await Promise.race([...running.values()].map(({ done }) => done))
      continue
    }
    const [batch] = waiting.splice(next, 1)
    const slot = Array.from({ length: mostProcesses }, (_, i) => i + 1).find((i) => !running.has(i))!
    const done = runBatch(batch!, slot, options).then((result) => {
      results.push(result)
      running.delete(slot)
    })
    running.set(slot, { ...batch!, done })
  }
  return results
}

/** What each file cost; the programs of a process are told apart by the seconds of its files. */
function costsOf(results: Result[]): Recorded {
  const costs: Recorded = {}
  for (const { cost } of results) {
    const all = Object.values(cost.files).reduce((sum, { seconds }) => sum + seconds, 0)
    for (const [file, { seconds, processor }] of Object.entries(cost.files))
      costs[file] = [round(seconds), round(processor + (cost.children * seconds) / (all || 1))]
  }
  return costs
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10

function printCosts(results: Result[]): void {
  const files = Object.assign({}, ...results.map(({ cost }) => cost.files)) as Record<string, FileCost>
  const total = (what: keyof FileCost) => Object.values(files).reduce((sum, cost) => sum + cost[what], 0)
  const costs = Object.entries(costsOf(results)).sort(([, a], [, b]) => b[1] - a[1])
  console.log('\nThe dearest:\nprocessor  seconds  starts')
  for (const [file, [seconds, processor]] of costs.slice(0, 20)) {
    const started = starts.flatMap((what) => (files[file]?.[what] ? [`${files[file][what]} ${what}`] : []))
    console.log(`${processor.toFixed(1).padStart(9)}${seconds.toFixed(1).padStart(9)}  ${file} ${started.join(', ')}`)
  }
  const processor = costs.reduce((sum, [, cost]) => sum + cost[1], 0)
  console.log(`\nStarted: ${starts.map((what) => `${total(what)} ${what}`).join(', ')}`)
  console.log(`${costs.length} files, ${total('assertions')} assertions, ${processor.toFixed(0)} s of processors`)
}

function report(results: Result[], seconds: number): void {
  const sum = (what: keyof Result['counts']) => results.reduce((total, { counts }) => total + counts[what], 0)
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)
  console.log('\nThe slowest:')
  for (const { name, seconds: each } of slowest) console.log(`${each.toFixed(1).padStart(7)} s  ${name}`)
  printCosts(results)
  const failed = results.filter(({ exitCode }) => exitCode !== 0)
  if (failed.length > 0) console.log('\nFailed:')
  for (const { name, exitCode, failures } of failed)
    console.log(`  ${name} (exit code ${exitCode})\n${failures.slice(0, mostOfFailures)}`)
  console.log(`\n${results.length} processes, ${seconds.toFixed(0)} s`)
  console.log(`${sum('pass')} passed, ${sum('fail')} failed, ${sum('skipped')} skipped`)
  if (failed.length > 0) process.exitCode = 1
}

/** A process for each processor that does nothing else than keep it busy. */
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
      const results = await runAll(batches(which, recorded(), files), options)
      report(results, (performance.now() - began) / 1000)
      for (const { name, exitCode, failed } of results)
        for (const title of exitCode !== 0 && failed.length === 0 ? [name] : failed)
          failures.set(title, (failures.get(title) ?? 0) + 1)
      if (rest.includes('--record')) record({ ...recorded(), ...costsOf(results) })
    }
  } finally {
    for (const each of beside) each.kill('SIGKILL')
    await globalTeardown()
  }
  if (times > 1) console.log(`\n${times} runs; failed in any: ${failures.size}`)
  if (times > 1) for (const [title, count] of failures) console.log(`  ${count} of ${times}: ${title}`)
}

await main(process.argv.slice(2))

// Runs the suite: test files in batches, a process for each batch, so that programs are compiled once for many files.
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesVariable } from './setup/batch.ts'
import { globalSetup, globalTeardown } from './setup/global.ts'

const [only, ...options] = process.argv.slice(2)
if (only !== 'all' && only !== 'unit' && only !== 'light')
  throw new Error('say "all", "unit" or "light", and then options of node --test')

/** At the same time, on two cores: journeys wait for each other more than they compute. */
const processes = 3
/** Each file of a batch keeps its connections to PostgreSQL until all of them are done. */
const filesOfBatch = 10

/** Characters of a batch's failures that are printed again at the end, where whoever sees only the end finds them. */
const mostOfFailures = 4000

/** What changes its process, ends processes or counts on being alone in its own. */
const needsItsOwn = /process\.(env|on|chdir)|mock\.|node:child_process|\bstart\w*Programs\(/
/** Needs PostgreSQL, a server, or another program. */
const isHeavy = /(?:from |import\(|import )'[^']*(?:\/setup\/|#test\/|cli\/postgres)/

/** Files of `test/` that share what takes long to start: programs, a browser, the built page. */
const sharers: [name: string, shares: RegExp, processes: number][] = [
  ['the hosted page', /embedPages\(/, 2],
  ['browsers', /sharedBrowser\(/, 1],
  ['journeys', /sharedPrograms\(/, 3],
]
/** Ends the programs that it shares. */
const isLast = /resealAll\(/

interface Batch {
  name: string
  files: string[]
}

interface Result extends Batch {
  exitCode: number
  /** What the reporter says of the tests that failed; of a process that failed without one, what it printed. */
  failures: string
  seconds: number
  counts: Record<'pass' | 'fail' | 'skipped', number>
}

/** The longest first, as far as that can be told: journeys, files alone, files together. */
function batches(): Batch[] {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).sort()
  const alone: Batch[] = []
  const light: string[] = []
  const byProgram = new Map<string, string[]>()
  const shared = new Map<string, string[]>()
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const program = file.split('/').slice(0, 2).join('/')
    const sharer = sharers.find(([, shares]) => shares.test(text))
    if (sharer) shared.set(sharer[0], [...(shared.get(sharer[0]) ?? []), file])
    else if (needsItsOwn.test(text)) alone.push({ name: file, files: [file] })
    else if (!isHeavy.test(text)) light.push(file)
    else if (program.startsWith('test/')) alone.push({ name: file, files: [file] })
    else byProgram.set(program, [...(byProgram.get(program) ?? []), file])
  }
  const together = [...byProgram].flatMap(([program, own]) => split(program, own))
  alone.sort((a, b) => Number(b.name.startsWith('test/')) - Number(a.name.startsWith('test/')))
  const sharing = sharers.flatMap(([name, , count]) => deal(name, shared.get(name) ?? [], count))
  const withoutServer = deal('files without a server', light, 2)
  if (only === 'light') return withoutServer
  const both = [...sharing, ...alone, ...together].filter(({ files }) => only === 'all' || files[0]!.startsWith('src/'))
  return [...both, ...withoutServer]
}

/** One file to each process in turn, those that end what they share first: each is then the last of its process. */
function deal(name: string, files: string[], count: number): Batch[] {
  const ending = files.filter((file) => isLast.test(readFileSync(file, 'utf8')))
  if (ending.length > count) throw new Error(`${ending.length} files end the programs that they share, of ${count}`)
  const inTurn = [...ending, ...files.filter((file) => !ending.includes(file))]
  return Array.from({ length: count }, (_, at) => ({
    name: `${name}, ${at + 1} of ${count}`,
    files: inTurn.filter((_, i) => i % count === at).reverse(),
  })).filter((batch) => batch.files.length > 0)
}

/** Of the same size, so that none is left with a single file. */
function split(program: string, files: string[]): Batch[] {
  const count = Math.ceil(files.length / filesOfBatch)
  const size = Math.ceil(files.length / count)
  return Array.from({ length: count }, (_, i) => ({
    name: `${program}, ${i + 1} of ${count}`,
    files: files.slice(i * size, (i + 1) * size),
  }))
}

/** Runs a batch in a process of its own and prints its output when it has ended. `slot` keeps its ports apart from others'. */
async function run(batch: Batch, slot: number): Promise<Result> {
  const began = performance.now()
  const isolation = ['--test-isolation=none', '--test-reporter=spec']
  const child = spawn(
    process.execPath,
    ['--test', ...isolation, ...options, join(import.meta.dirname, 'setup', 'batch.ts')],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LENDLOOM_TEST_SLOT: String(slot), [filesVariable]: batch.files.join('\n') },
    },
  )
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  const seconds = (performance.now() - began) / 1000
  const text = Buffer.concat(output).toString('utf8')
  const counts = {
    pass: countOf(text, 'pass'),
    fail: countOf(text, 'fail') + countOf(text, 'cancelled'),
    skipped: countOf(text, 'skipped') + countOf(text, 'todo'),
  }
  console.log(`\n${batch.name}: ${seconds.toFixed(1)} s`)
  const printed = text.replace(counters, '').trimEnd()
  console.log(printed)
  // A process can fail without a test that did: then it is all that was printed beside the tests that passed.
  const failures = (printed.split('✖ failing tests:')[1] ?? printed.replace(/^\s*✔ .*\n?/gm, '')).trim()
  return { ...batch, exitCode, failures, seconds, counts }
}

/** The summary of a process, in which only the sums over all of them are of use. */
const counters = /^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) .*\n?/gm

const countOf = (text: string, what: string): number =>
  Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)

async function runAll(waiting: Batch[]): Promise<Result[]> {
  const results: Result[] = []
  const work = async (slot: number): Promise<void> => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) results.push(await run(batch, slot))
  }
  await Promise.all(Array.from({ length: processes }, (_, i) => work(i + 1)))
  return results
}

function report(results: Result[], seconds: number): void {
  const sum = (what: keyof Result['counts']) => results.reduce((total, { counts }) => total + counts[what], 0)
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)
  console.log('\nThe slowest:')
  for (const { name, seconds: each } of slowest) console.log(`${each.toFixed(1).padStart(7)} s  ${name}`)
  const failed = results.filter(({ exitCode }) => exitCode !== 0)
  if (failed.length > 0) console.log('\nFailed:')
  for (const { name, exitCode, failures } of failed)
    console.log(`  ${name} (exit code ${exitCode})\n${failures.slice(0, mostOfFailures)}`)
  console.log(`\n${results.length} processes, ${seconds.toFixed(0)} s`)
  console.log(`${sum('pass')} passed, ${sum('fail')} failed, ${sum('skipped')} skipped`)
  process.exitCode = failed.length > 0 ? 1 : 0
}

const began = performance.now()
await globalSetup()
try {
  report(await runAll(batches()), (performance.now() - began) / 1000)
} finally {
  await globalTeardown()
}

// `npm run bench -- <name>` runs a benchmark, `npm run bench` all of the table. Each benchmark is a file in this folder.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './setup/at-end.ts'
import { type Goal, resultOf, textsOf } from './setup/goals.ts'
import { watchOthers } from './setup/others.ts'

/** The exports of each benchmark file. */
export interface Bench {
  /** What the benchmark measures, and its goals. The list of benchmarks shows the first line. */
  about: string
  /** `args` follow the name on the command line. */
  run(args: string[]): Promise<void>
}

const directory = import.meta.dirname
const names = readdirSync(directory)
  .filter((name) => name.endsWith('.ts') && name !== 'main.ts')
  .map((name) => name.slice(0, -3))
  .sort()

const load = (name: string): Promise<Bench> => import(join(directory, `${name}.ts`))

/** The benchmarks of the table, short enough for fifteen minutes in all. */
const table: [name: string, ...args: string[]][] = [
  ['sessions', '--judged', '--rounds', '1', '--seconds', '4'],
  ['headless', '--judged', '--rounds', '1', '--seconds', '4'],
  ['exchange', '--judged', '--rounds', '1', '--seconds', '3'],
  ['deliver', '--turns', '2', '--seconds', '8'],
  ['cost', '--judged', '--journeys', '45', '--warm', '30', '--sessions', '200'],
  ['day-end', '--loans', '50000'],
  ['start', '--rounds', '1'],
  ['storm'],
  ['soak', '--seconds', '60'],
  ['citus', '--seconds', '4', '--events', '3000'],
]

/** All processes of a benchmark inherit this variable. */
const markVariable = 'BENCH_MARK'

/** A figure with its result. */
type Judged = Goal & { result: string }

/** Runs one benchmark in its own process, and judges its figures by the load of other programs meanwhile. */
async function measure(name: string, args: string[], logFile?: string): Promise<Judged[]> {
  const goals: Goal[] = []
  const mark = randomUUID()
  const output = logFile === undefined ? 'inherit' : openSync(logFile, 'a')
  const stopWatching = watchOthers(`${markVariable}=${mark}`)
  const began = performance.now()
  const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, name, ...args], {
    env: { ...process.env, [markVariable]: mark },
    stdio: ['ignore', output, output, 'ipc'],
    // As JSON, a figure that is not a number would look like one that is not measured.
    serialization: 'advanced',
  })
  child.on('message', (goal: Goal) => goals.push(goal))
  const ended = atEnd(() => child.kill())
  const [code, signal] = await once(child, 'close')
  ended()
  const seconds = (performance.now() - began) / 1000
  const { share, program } = stopWatching()
  const others = `other programs used ${(share * 100).toFixed(0)} % of the processors, the largest ${program}`
  console.log(
    `${name.padEnd(10)} ${seconds.toFixed(0).padStart(4)} s, ${others}${code === 0 ? '' : `, ended with ${code ?? signal}`}`,
  )
  if (code !== 0) {
    process.exitCode = 1
    if (logFile !== undefined) console.log(readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-10).join('\n'))
  }
  return goals.map((goal) => ({ ...goal, result: resultOf(goal, share) }))
}

function print(figures: Judged[]): void {
  if (figures.length === 0) return
  const width = Math.max(...figures.map(({ figure }) => figure.length))
  console.log(`\n${'figure'.padEnd(width)}  ${'now'.padStart(10)}  goal`)
  for (const each of figures) {
    const { value, goal } = textsOf(each)
    console.log(`${each.figure.padEnd(width)}  ${value.padStart(10)}  ${goal.padEnd(18)}  ${each.result}`)
  }
}

async function printTable(): Promise<void> {
  const logFile = join(mkdtempSync(join(tmpdir(), 'lendloom-bench-log-')), 'log')
  const began = performance.now()
  console.log('each benchmark of the table in turn; about fifteen minutes')
  const figures: Judged[] = []
  for (const [name, ...args] of table) figures.push(...(await measure(name, args, logFile)))
  print(figures)
  const count = (result: string) => figures.filter((each) => each.result === result).length
  console.log(
    `\n${count('met')} met, ${count('MISSED')} missed, ${count('not judged')} not judged because of other programs, ${count('not measured')} not measured${process.exitCode ? ', A BENCHMARK ENDED EARLY' : ''}; ` +
      `${((performance.now() - began) / 60_000).toFixed(1)} min; all output in ${logFile}`,
  )
}

async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined) return printTable()
  if (names.includes(name)) {
    const isHelp = args.includes('--help')
    if (!isHelp && !(markVariable in process.env)) return print(await measure(name, args))
    const bench = await load(name)
    return isHelp ? console.log(bench.about) : bench.run(args)
  }
  console.log('npm run bench             the table of figures and goals, in about fifteen minutes')
  console.log('npm run bench -- <name> [--help]\n')
  for (const each of names) console.log(`${each.padEnd(12)}${(await load(each)).about.split('\n')[0]}`)
  if (name !== '--help') {
    console.error(`\nunknown benchmark "${name}"`)
    process.exitCode = 2
  }
}

if (import.meta.main) await main(process.argv.slice(2))

// `npm run bench -- <name>` runs a benchmark, `npm run bench` all of the table. Each benchmark is a file in this folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figuresVariable, type Goal, goalText, resultOf, valueText } from './setup/goals.ts'
import { loadOfMachine, percent } from './setup/measure.ts'

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
  ['soak', '--seconds', '60'],
  ['citus', '--seconds', '4', '--events', '3000'],
]

const idleMs = 2000

/** Runs one benchmark in its own process, and returns its figures. Before and after, no other program may be busy. */
async function measure(name: string, args: string[], logFile: string): Promise<Goal[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lendloom-bench-'))
  const file = join(folder, 'figures')
  writeFileSync(file, '')
  const before = await loadOfMachine(idleMs)
  const began = performance.now()
  const child = spawn(process.execPath, [import.meta.filename, name, ...args], {
    env: { ...process.env, [figuresVariable]: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed = child.stdout.toArray()
  const [code] = await once(child, 'exit')
  writeFileSync(logFile, Buffer.concat(await printed), { flag: 'a' })
  const seconds = (performance.now() - began) / 1000
  const around = Math.max(before, await loadOfMachine(idleMs))
  const result = code === 0 ? '' : `, ended with ${code}`
  console.log(`${name.padEnd(10)} ${seconds.toFixed(0).padStart(4)} s, other programs used ${percent(around)}${result}`)
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  rmSync(folder, { recursive: true })
  if (code !== 0) process.exitCode = 1
  return lines
    .map((line): Goal => JSON.parse(line))
    .map((goal) => ({ ...goal, others: Math.max(goal.others ?? 0, around) }))
}

async function printTable(): Promise<void> {
  const logFile = join(mkdtempSync(join(tmpdir(), 'lendloom-bench-log-')), 'log')
  const began = performance.now()
  const goals: Goal[] = []
  for (const [name, ...args] of table) goals.push(...(await measure(name, args, logFile)))
  const width = Math.max(...goals.map(({ figure }) => figure.length))
  console.log(`\n${'figure'.padEnd(width)}  ${'now'.padStart(10)}  goal`)
  for (const goal of goals)
    console.log(
      `${goal.figure.padEnd(width)}  ${valueText(goal).padStart(10)}  ${goalText(goal).padEnd(18)}  ${resultOf(goal)}`,
    )
  const results = goals.map(resultOf)
  const count = (result: string) => results.filter((each) => each === result).length
  console.log(
    `\n${count('met')} met, ${count('MISSED')} missed, ${count('not judged')} not judged because of other programs; ` +
      `${((performance.now() - began) / 60_000).toFixed(1)} min; all output in ${logFile}`,
  )
}

async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined) return printTable()
  if (names.includes(name)) {
    const bench = await load(name)
    if (args.includes('--help')) console.log(bench.about)
    else await bench.run(args)
    return
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

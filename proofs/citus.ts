// The programs on several servers by Citus: migration, the suite's journeys, a killed server, adding a server, scaling.
import { setTimeout as sleep } from 'node:timers/promises'
import { startPgbouncer } from '@lendloom/tests/setup/pgbouncer'
import { option } from '../bench/setup/api.ts'
import type { Outcome } from './main.ts'
import { type Checks, checks, wordsOf } from './setup/checks.ts'
import { type Citus, type CitusOptions, missingCitus, startCitus } from './setup/citus.ts'
import { move } from './setup/move.ts'
import { missingCaps } from './setup/processor-cap.ts'
import {
  counted,
  type Databases,
  databasesOn,
  databasesOver,
  lineOf,
  more,
  type Programs,
  startPrograms,
  throughPort,
} from './setup/programs.ts'
import { moveShareTo, rowsByShard, spreadOf } from './setup/shards.ts'
import { consoleFiles, partnerFiles, productFiles, runTests, selected } from './setup/tests-over-citus.ts'
import type { Traffic } from './setup/traffic.ts'

export const about = `Platform and partner on several servers by Citus: every product, a killed server, adding a server, scaling
Uses a coordinator and servers for rows.
  move       a database with rows on one PostgreSQL is moved to two servers by "lendloom database distribute"
  products   the suite's journeys of each product to the disbursal; the partner's histories, weeks and permutations of events;
             lists of the desk and the console
  faults     under load: one server and then the coordinator lose power and restart, a third server is added and takes its share of the shards.
             Nothing accepted may be missing, nothing refused; the rows of one tenant are spread over all shards
  scaling    sessions and events with one server and with two, each limited to a part of a processor by its control group
Options: --only <part>, --at-server for products with the programs connected to a server for rows, --files <texts> in the
paths of the files of products, separated by commas, --pooled for faults with PgBouncer in
front of the coordinator, --seconds <n> of each measurement of scaling (15), --cap <percent> of a processor for each server (20).`

export const missing = missingCitus

type Part = (all: Checks, args: string[]) => Promise<string>
const parts: Record<string, Part> = { move, products, faults, scaling }

export async function run(args: string[]): Promise<Outcome> {
  const at = args.indexOf('--only')
  const only = at < 0 ? null : args[at + 1]
  if (only !== null && !(only && only in parts))
    throw new Error(`unknown part "${only}"; parts: ${Object.keys(parts).join(', ')}`)
  const all = checks()
  const figures: string[] = []
  for (const [name, part] of Object.entries(parts)) if (!only || only === name) figures.push(await part(all, args))
  return { passed: all.failed.length === 0, figures: `${figures.join('; ')}; ${wordsOf(all)}` }
}

async function products(all: Checks, args: string[]): Promise<string> {
  const citus = await startCitus({ servers: 2 })
  if (args.includes('--at-server')) citus.entry = citus.servers[0]
  let tests = 0
  try {
    for (const file of selected([...productFiles, ...partnerFiles, ...consoleFiles], args)) {
      const { passed, failed, seconds } = await runTests(file, citus)
      tests += passed
      all.note(`${file} passes`, failed === 0 && passed > 0, `${passed} tests, ${seconds.toFixed(0)} s`)
    }
  } finally {
    citus.stop()
  }
  return `${tests} tests of journeys and of the partner pass`
}

async function faults(all: Checks, args: string[]): Promise<string> {
  const citus = await startCitus({ servers: 3, withRows: 2 })
  const databases = await databasesOver(citus)
  const pooler = args.includes('--pooled') ? await startPooler(citus) : null
  const reachableDatabases = pooler ? throughPort(databases, pooler.port) : databases
  const programs = await startPrograms(reachableDatabases, { isPooled: pooler !== null })
  const traffics = programs.send(pauseMs)
  try {
    await more(traffics)
    const [first, , third] = citus.servers
    if (!first || !third) throw new Error('three servers were started')
    first.kill()
    console.log('one server killed')
    await sleep(awayMs)
    first.start()
    await more(traffics, patienceSeconds)
    console.log('the server is back and requests are accepted; the coordinator killed')
    citus.coordinator.kill()
    await sleep(awayMs)
    citus.coordinator.start()
    await more(traffics, patienceSeconds)
    console.log('the coordinator is back and requests are accepted')
    const began = performance.now()
    const moved = (await moveShareTo(databases.platform, third)) + (await moveShareTo(databases.partner, third))
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    all.note('a third server takes its share of the shards under load', moved > 0, `${moved} shards in ${seconds} s`)
    await more(traffics, patienceSeconds)
    const line = await finishAndCompare(all, databases, programs, traffics)
    return `${pooler ? 'behind PgBouncer, ' : ''}${line}, ${moved} shards moved in ${seconds} s`
  } finally {
    for (const traffic of traffics) traffic.abandon()
    programs.stop()
    await pooler?.stop()
    citus.stop()
  }
}

/** Starts PgBouncer in transaction mode in front of the coordinator, with a short retry after failed logins (default 15 s). */
const startPooler = ({ coordinator }: Citus) =>
  startPgbouncer(coordinator.url, { poolSize: 20, settings: { auth_type: 'trust', server_login_retry: 1 } })

/** Pause between two requests of each sender. */
const pauseMs = 20
/** Downtime of a server without power. */
const awayMs = 3000
const patienceSeconds = 180

/** Ends the load and compares stored with accepted requests. */
async function finishAndCompare(
  all: Checks,
  databases: Databases,
  programs: Programs,
  traffics: Traffic[],
): Promise<string> {
  for (const traffic of traffics) await traffic.finish()
  const counts = await counted(databases, traffics)
  const line = lineOf(counts)
  all.note('no accepted request is missing', counts.lost === 0, line)
  all.note('every event is applied once', counts.notOnce === 0)
  all.note('nothing was refused', counts.refused === 0)
  all.note('no program was restarted', programs.survived())
  const rows = await rowsByShard(databases.platform, 'journey')
  const { mean, deviation, expected } = spreadOf(rows)
  const words = `${mean.toFixed(0)} journeys in each of ${rows.length} shards, standard deviation ${deviation.toFixed(1)}, expected ${expected.toFixed(1)}`
  all.note('the rows of one tenant are spread', deviation < 2 * expected, words)
  const byTenant = spreadOf([mean * rows.length, ...rows.slice(1).map(() => 0)])
  all.note('control: rows sharded by tenant would not be spread', byTenant.deviation > 2 * byTenant.expected)
  return `${line}; ${words}`
}

async function scaling(all: Checks, args: string[]): Promise<string> {
  const absent = missingCaps()
  if (absent !== null) return `scaling SKIPPED: ${absent}`
  const seconds = option(args, 'seconds', 15)
  const cap = option(args, 'cap', 20)
  const one = await ratesWith(1, cap, seconds)
  const two = await ratesWith(2, cap, seconds)
  const words = ['sessions', 'events'].map((what, i) => {
    const before = one[i] ?? 0
    const after = two[i] ?? 0
    const line = `${what} ${before.toFixed(0)}/s with one server, ${after.toFixed(0)}/s with two, ${(after / before).toFixed(2)} times`
    all.note(`two servers take at least ${goal} times the ${what}`, after >= goal * before, line)
    return line
  })
  return `each server held to ${cap} % of a processor: ${words.join('; ')}`
}

const goal = 1.8

/** Enough that each case has some. */
const events = 6000

/** Measures sessions and events per second, one after the other. */
const ratesWith = (servers: number, cap: number, seconds: number): Promise<number[]> =>
  withPrograms({ servers, cap }, async (programs) => [
    (await programs.createSessions(seconds)).perSecond,
    (await programs.applyEvents(events)).perSecond,
  ])

/** Runs `work` with programs on these servers; with 0 servers on a single PostgreSQL. */
export async function withPrograms<T>(
  options: CitusOptions & { atServer?: boolean },
  work: (programs: Programs, citus: Citus) => Promise<T>,
): Promise<T> {
  const citus = await startCitus(options)
  try {
    const { coordinator } = citus
    const databases = options.servers === 0 ? await databasesOn(coordinator.url) : await databasesOver(citus)
    const server = options.atServer ? citus.servers[0] : undefined
    const programs = await startPrograms(server ? throughPort(databases, server.port) : databases)
    try {
      return await work(programs, citus)
    } finally {
      programs.stop()
    }
  } finally {
    citus.stop()
  }
}

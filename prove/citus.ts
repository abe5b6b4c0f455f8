// The programs over several servers by Citus: moved there, the suite's journeys, a server killed, one more under load, and two against one.
import { setTimeout as sleep } from 'node:timers/promises'
import { startPgbouncer } from '#test/setup/pgbouncer.ts'
import { option } from '../bench/setup/api.ts'
import { serverCpuMs } from '../bench/setup/figures.ts'
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
  type Measured,
  more,
  type Programs,
  startPrograms,
  throughPort,
} from './setup/programs.ts'
import { moveShareTo, rowsByShard, spreadOf } from './setup/shards.ts'
import { partnerFiles, productFiles, runTests } from './setup/tests-over-citus.ts'
import type { Traffic } from './setup/traffic.ts'

export const about = `Platform and partner over several servers by Citus: every product, a server killed, one more under load, two against one, what it costs
A coordinator and servers for rows.
  move       a database with rows on one PostgreSQL is moved to two servers by "lendloom database distribute"
  products   the suite's own journeys of each product to the money; of the partner its history, weeks and permutations of events
  faults     under load: one server and then the coordinator lose their power and come back, a third server is added and takes its share of the shards.
             Nothing that was accepted may be missing, nothing refused; the rows of one tenant are spread over all shards
  scaling    sessions and events with one server and with two, each held to a part of a processor by its control group
  cost       what a session and an event take of one PostgreSQL's processors, and of a coordinator's and two servers' (for npm run capacity)
Options: --only <part>, --pooled for faults with PgBouncer before the coordinator, --seconds <n> of each measure of scaling and cost (15), --cap <per cent> of a processor for each server (20).`

export const missing = missingCitus

type Part = (all: Checks, args: string[]) => Promise<string>
const parts: Record<string, Part> = { move, products, faults, scaling, cost }

export async function run(args: string[]): Promise<Outcome> {
  const at = args.indexOf('--only')
  const only = at < 0 ? null : args[at + 1]
  if (only !== null && !(only && only in parts))
    throw new Error(`there is no part "${only}", but ${Object.keys(parts).join(', ')}`)
  const all = checks()
  const figures: string[] = []
  for (const [name, part] of Object.entries(parts)) if (!only || only === name) figures.push(await part(all, args))
  return { passed: all.failed.length === 0, figures: `${figures.join('; ')}; ${wordsOf(all)}` }
}

async function products(all: Checks): Promise<string> {
  const citus = await startCitus({ servers: 2 })
  let tests = 0
  try {
    for (const file of [...productFiles, ...partnerFiles]) {
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
  const pooler = args.includes('--pooled') ? await poolerBefore(citus) : null
  const reached = pooler ? throughPort(databases, pooler.port) : databases
  const programs = await startPrograms(reached, { isPooled: pooler !== null })
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
    console.log('it is back, and requests are accepted; the coordinator killed')
    citus.coordinator.kill()
    await sleep(awayMs)
    citus.coordinator.start()
    await more(traffics, patienceSeconds)
    console.log('it is back, and requests are accepted')
    const began = performance.now()
    const moved = (await moveShareTo(databases.platform, third)) + (await moveShareTo(databases.partner, third))
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    all.note('a third server takes its share of the shards under load', moved > 0, `${moved} shards in ${seconds} s`)
    await more(traffics, patienceSeconds)
    const line = await settled(all, databases, programs, traffics)
    return `${pooler ? 'behind PgBouncer, ' : ''}${line}, ${moved} shards moved in ${seconds} s`
  } finally {
    for (const traffic of traffics) traffic.abandon()
    programs.stop()
    await pooler?.stop()
    citus.stop()
  }
}

/** In transaction mode before the coordinator. It waits for 15 seconds after a login that failed, unless told. */
const poolerBefore = ({ coordinator }: Citus) =>
  startPgbouncer(coordinator.url, { poolSize: 20, settings: { auth_type: 'trust', server_login_retry: 1 } })

/** Between two requests of each sender. */
const pauseMs = 20
/** How long a server that lost its power stays away. */
const awayMs = 3000
const patienceSeconds = 180

/** Ends the load and compares what is there with what was accepted. */
async function settled(all: Checks, databases: Databases, programs: Programs, traffics: Traffic[]): Promise<string> {
  for (const traffic of traffics) await traffic.finish()
  const counts = await counted(databases, traffics)
  const line = lineOf(counts)
  all.note('nothing that was accepted is missing', counts.lost === 0, line)
  all.note('every event is applied once', counts.notOnce === 0)
  all.note('nothing was refused', counts.refused === 0)
  all.note('every program is the one that was started', programs.survived())
  const rows = await rowsByShard(databases.platform, 'journey')
  const { mean, deviation, expected } = spreadOf(rows)
  const words = `${mean.toFixed(0)} journeys in each of ${rows.length} shards, standard deviation ${deviation.toFixed(1)}, by chance ${expected.toFixed(1)}`
  all.note('the rows of one tenant are spread', deviation < 2 * expected, words)
  const byTenant = spreadOf([mean * rows.length, ...rows.slice(1).map(() => 0)])
  all.note('control: in one shard, as by tenant, they would not be', byTenant.deviation > 2 * byTenant.expected)
  return `${line}; ${words}`
}

async function scaling(all: Checks, args: string[]): Promise<string> {
  const absent = missingCaps()
  if (absent !== null) return `scaling SKIPPED: ${absent}`
  const [seconds, cap] = [option(args, 'seconds', 15), option(args, 'cap', 20)]
  const one = await ratesWith(1, cap, seconds)
  const two = await ratesWith(2, cap, seconds)
  const words = ['sessions', 'events'].map((what, i) => {
    const [before, after] = [one[i] ?? 0, two[i] ?? 0]
    const line = `${what} ${before.toFixed(0)}/s with one server, ${after.toFixed(0)}/s with two, ${(after / before).toFixed(2)} times`
    all.note(`two servers take at least ${goal} times the ${what}`, after >= goal * before, line)
    return line
  })
  return `each server held to ${cap} % of a processor: ${words.join('; ')}`
}

const goal = 1.8

/** So many that each case has some. */
const events = 6000

/** Sessions and events in a second, each measured by itself. */
const ratesWith = (servers: number, cap: number, seconds: number): Promise<number[]> =>
  withPrograms({ servers, cap }, async (programs) => [
    (await programs.createSessions(seconds)).perSecond,
    (await programs.applyEvents(events)).perSecond,
  ])

/** What is done with programs over so many servers; without any, on the one PostgreSQL there is. */
async function withPrograms<T>(
  options: CitusOptions,
  work: (programs: Programs, citus: Citus) => Promise<T>,
): Promise<T> {
  const citus = await startCitus(options)
  try {
    const { coordinator } = citus
    const databases = options.servers === 0 ? await databasesOn(coordinator.url) : await databasesOver(citus)
    const programs = await startPrograms(databases)
    try {
      return await work(programs, citus)
    } finally {
      programs.stop()
    }
  } finally {
    citus.stop()
  }
}

interface Cost {
  coordinator: number
  servers: number
}

async function cost(all: Checks, args: string[]): Promise<string> {
  const seconds = option(args, 'seconds', 15)
  const one = await costsWith(0, seconds)
  const two = await costsWith(2, seconds)
  const words = (['session', 'event'] as const).map((what) => {
    const [alone, spread] = [one[what].coordinator, two[what]]
    const ratio = (ms: number) => `${ms.toFixed(2)} ms, ${(ms / alone).toFixed(1)} times as much`
    const line = `${alone.toFixed(2)} ms of one PostgreSQL; of the coordinator ${ratio(spread.coordinator)}, of both servers ${ratio(spread.servers)}`
    all.note(`the cost of one ${what} is measured`, alone > 0 && spread.coordinator > 0 && spread.servers > 0, line)
    return `${what} ${line}`
  })
  return `cost of a ${words.join('; of an ')}`
}

/** Milliseconds of processors for each session, and for each event until it is applied. */
const costsWith = (servers: number, seconds: number): Promise<Record<'session' | 'event', Cost>> =>
  withPrograms({ servers }, async (programs, citus) => {
    const spent = (): Cost => ({
      coordinator: serverCpuMs(citus.coordinator.pid()),
      servers: citus.servers.reduce((sum, server) => sum + serverCpuMs(server.pid()), 0),
    })
    const costOf = async (measure: () => Promise<Measured>): Promise<Cost> => {
      const before = spent()
      const { count } = await measure()
      const after = spent()
      return {
        coordinator: (after.coordinator - before.coordinator) / count,
        servers: (after.servers - before.servers) / count,
      }
    }
    return {
      session: await costOf(() => programs.createSessions(seconds)),
      event: await costOf(() => programs.applyEvents(events)),
    }
  })

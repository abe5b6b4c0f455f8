// Compares state reads and idempotent writes of the headless API with PostgreSQL running the same SQL.

import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { settings } from '@lendloom/platform/settings'
import { journeyRoutes } from '@lendloom/platform/src/api/headless/journeys.ts'
import { findJourneyRow } from '@lendloom/platform/src/api/headless/store.ts'
import type { Context } from '@lendloom/platform/src/context.ts'
import { lenderChannels } from '@lendloom/platform/src/lenders/channels.ts'
import { processPartsOf } from '@lendloom/platform/src/process-parts.ts'
import { Fragment, type Run, textOf } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import { type Api, apiMemoryMiB, option, startApi, warmUpSeconds } from './setup/api.ts'
import { idsOf, openSessions, sqlOf, storeJourneys } from './setup/borrowers.ts'
import { type BenchDatabase, benchDatabase } from './setup/database.ts'
import { percentile } from './setup/figures.ts'
import { judge } from './setup/goals.ts'
import { jsonRequest, load } from './setup/http-load.ts'
import { connectionCounts, lineOf, type Figure as MeasuredFigure, measurePhase } from './setup/measure.ts'
import { type Baseline, baseline, renderStatement, type Script } from './setup/pgbench.ts'
import { type MinimalServer, measureMinimalServer } from './setup/smallest.ts'

export const about = `Headless state reads and idempotent writes, against pgbench running the same SQL with 8 clients
Goals for reads: at least 0.6 of pgbench's rate, at most 1.3 times the CPU of the smallest server, 1.4 times with --more journeys.
Goals for writes: at least 0.5 of the rate, at most 2.2 times the CPU, p99 <= 45 ms.
The smallest server reads or writes one row with bare Fastify and pg in the same run. Repeats the run with --more stored
journeys. Also prints a mix of 60 % reads and 40 % writes, and the latency for 8, 16, 32 and 64 connections.
Options: --rounds <n> (3), --seconds <n> of each phase (4), --connections <n> (64), --stored <n> (10000), --more <n> (1000000; 0: no repetition),
--judged: only phases with a goal.`

const readerCount = 2000

export async function run(args: string[]): Promise<void> {
  const seconds = option(args, 'seconds', 4)
  const rounds = option(args, 'rounds', 3)
  const connections = option(args, 'connections', 64)
  const stored = option(args, 'stored', 10_000)
  const more = option(args, 'more', 1_000_000)
  const database = await benchDatabase()
  const minimalServer = await measureMinimalServer(database, seconds)
  const api = await startApi(database.url)
  try {
    await storeJourneys(database, api, 1, stored)
    const stage = {
      database,
      api,
      minimalServer,
      seconds,
      rounds,
      connections,
      connectionCounts: connectionCounts(args, []),
    }
    await measure({ ...stage, stored, readGoal: 1.3 })
    if (more > stored) {
      process.stdout.write(`\nstoring ${more} journeys …\n`)
      await storeJourneys(database, api, stored + 1, more)
      await measure({ ...stage, stored: more, readGoal: 1.4 })
    }
  } finally {
    api.stop()
    await database.stop()
  }
}

interface Stage {
  database: BenchDatabase
  api: Api
  minimalServer: MinimalServer
  seconds: number
  rounds: number
  connections: number
  /** Further counts of connections. Without any, only phases with a goal are run. */
  connectionCounts: number[]
  stored: number
  /** Goal of a read's CPU, in times of the smallest server's read. */
  readGoal: number
}

async function measure(stage: Stage): Promise<void> {
  const { database, api, stored } = stage
  const step = Math.floor(stored / readerCount)
  const numbers = Array.from({ length: readerCount }, (_, i) => i * step + 1)
  const tokens = await openSessions(database, api, numbers)
  const { host } = new URL(api.url)
  const randomIndex = () => Math.floor(Math.random() * readerCount)
  // Requests are prepared before the measurement, because client and server share two cores.
  const reads = numbers.map((number, i) =>
    jsonRequest('GET', `/api/v1/headless/journeys/${idsOf(number).journeyId}/state`, host, {
      authorization: `Bearer ${tokens[i]}`,
    }),
  )
  const read = () => reads[randomIndex()]!
  const heads = numbers.map(
    (number, i) =>
      `PATCH /api/v1/headless/journeys/${idsOf(number).journeyId}/resume HTTP/1.1\r\nhost: ${host}\r\n` +
      `authorization: Bearer ${tokens[i]}\r\ncontent-type: application/json\r\n`,
  )
  let writes = 0
  const write = () => {
    const body = `{"resume":{"lastCompletedStep":"step-${++writes}"}}`
    return `${heads[randomIndex()]}idempotency-key: bench-${stored}-${writes}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  }
  console.log(`\n${stored} journeys stored`)
  const n: [number, number] = [0, readerCount - 1]
  const ofStep = (statement: string) => statement.replaceAll(':n)', `(:n * ${step} + 1)::bigint)`)
  const readBaseline = baseline(database, { variables: { n }, statements: [ofStep(await captureRead(api))] })
  const script = await captureWrite(database, api)
  const writeBaseline = baseline(database, {
    variables: { n, k: [1, 9_000_000_000_000] },
    statements: script.statements.map(ofStep),
  })
  await compareWithBaseline(stage, 'reads', {
    next: read,
    baselineRun: readBaseline,
    goal: 0.6,
    minimalServer: stage.minimalServer.read,
    cpuGoal: stage.readGoal,
    p99Goal: null,
  })
  await compareWithBaseline(stage, 'writes', {
    next: write,
    baselineRun: writeBaseline,
    goal: 0.5,
    minimalServer: stage.minimalServer.write,
    cpuGoal: 2.2,
    p99Goal: 45,
  })
  if (stage.connectionCounts.length > 0)
    await runPhase(stage, 'mix of 60 % reads and 40 % writes', () => (Math.random() < 0.6 ? read() : write()))
  readBaseline.remove()
  writeBaseline.remove()
}

interface Comparison {
  next: () => string
  baselineRun: Baseline
  goal: number
  minimalServer: MeasuredFigure
  cpuGoal: number
  /** In milliseconds, with the most connections. */
  p99Goal: number | null
}

async function compareWithBaseline(
  stage: Stage,
  name: string,
  { next, baselineRun, goal, minimalServer, cpuGoal, p99Goal }: Comparison,
): Promise<void> {
  const ratios: number[] = []
  const costs: number[] = []
  const p99s: number[] = []
  // Warms up until the code is compiled.
  await runPhase({ ...stage, seconds: warmUpSeconds }, null, next)
  for (let round = 0; round < stage.rounds; round++) {
    await stage.database.db`checkpoint`
    const baselineRate = await baselineRun.rate(stage.seconds)
    const figure = await runPhase(stage, name, next, minimalServer)
    ratios.push(figure.rate / baselineRate)
    costs.push(figure.cpu / minimalServer.cpu)
    p99s.push(percentile(figure.latencies, 0.99))
    console.log(`  ${baselineRun.name} ${baselineRate.toFixed(0)}/s, ratio ${(figure.rate / baselineRate).toFixed(2)}`)
  }
  for (const connections of stage.connectionCounts)
    await runPhase({ ...stage, connections }, `${name} with ${connections} connections`, next, minimalServer)
  const subject = `${name}, ${stage.stored} journeys`
  judge({ figure: `${subject}: rate of pgbench`, value: percentile(ratios, 0.5), atLeast: goal })
  judge({ figure: `${subject}: CPU of the smallest server`, value: percentile(costs, 0.5), atMost: cpuGoal })
  if (p99Goal === null) return
  const p99 = Math.min(...p99s)
  judge({ figure: `${subject}: p99 with ${stage.connections} connections`, value: p99, unit: 'ms', atMost: p99Goal })
}

/** Runs some seconds of load after a checkpoint. Prints the result unless `name` is null. */
async function runPhase(
  { api, database, seconds, connections }: Stage,
  name: string | null,
  next: () => string,
  minimalServer?: MeasuredFigure,
): Promise<MeasuredFigure> {
  const { hostname, port } = new URL(api.url)
  const target = { host: hostname, port: Number(port), connections, seconds, next, status: 200 }
  const figure = await measurePhase({ database, pids: [api.pid] }, async () => (await load(target)).latencies)
  if (name !== null) console.log(`${name} ${lineOf(figure, minimalServer)}; memory ${apiMemoryMiB(api)} MiB`)
  return figure
}

/** The number occurs in the statements only as the bucket. */
const sample = idsOf(3577)
const sqlFor = (value: unknown): string | undefined =>
  value === sample.journeyId
    ? sqlOf.journeyId
    : value === sample.borrowerId
      ? sqlOf.borrowerId
      : value === bucketOf(sample.journeyId)
        ? sqlOf.bucket
        : undefined

/** Captures the statement that reads the status of one journey. */
async function captureRead({ tenant }: Api): Promise<string> {
  const values: unknown[] = []
  let text = ''
  const capture = (strings: TemplateStringsArray, ...given: unknown[]) => {
    text = textOf(new Fragment(strings, given), values)
    return Promise.resolve([])
  }
  await findJourneyRow(capture as unknown as Run, { ...tenant, borrowerId: sample.borrowerId }, sample.journeyId)
  return renderStatement(text, values, sqlFor)
}

/** Captures the transaction of one write from the route. In the script each run has a new idempotency key. */
async function captureWrite({ db }: BenchDatabase, { tenant, env, seal }: Api): Promise<Script> {
  const statements: string[] = []
  const key = 'bench-sample'
  const config = configFrom(settings, env)
  const ctx: Context = {
    db: { ...db, tx: recorded } as never,
    seal,
    clock: () => new Date(),
    realClock: () => new Date(),
    config,
    log: quietLog,
    channels: lenderChannels,
    ...processPartsOf({ db, seal, config }),
  }
  async function recorded<T>(work: (tx: never) => Promise<T>): Promise<T> {
    return db.tx((tx) => {
      const record = (first: TemplateStringsArray | Record<string, unknown>, ...values: unknown[]) => {
        if (!('raw' in first)) return tx(first)
        const collected: unknown[] = []
        const text = textOf(new Fragment(first as TemplateStringsArray, values), collected)
        statements.push(
          renderStatement(text, collected, (value) => sqlFor(value) ?? (value === key ? `'bench-' || :k` : undefined)),
        )
        return tx(first as TemplateStringsArray, ...values)
      }
      return work(Object.assign(record, { wake: tx.wake }) as never)
    })
  }
  const resume = journeyRoutes.find(({ method }) => method === 'PATCH')!
  const call = {
    who: { ...tenant, borrowerId: sample.borrowerId },
    params: { journeyID: sample.journeyId },
    body: { resume: { lastCompletedStep: 'sample' } },
    query: undefined,
    headers: { 'idempotency-key': key },
    answerHeaders: {},
    ip: '127.0.0.1',
    method: 'PATCH',
    path: '/sample',
    search: '',
    at: new Date(),
    requestId: 'r',
    correlationId: 'c',
    raw: Buffer.alloc(0),
  }
  await resume.handle(call as never, ctx)
  return { statements: ['begin', ...statements, 'commit'] }
}

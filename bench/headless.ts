// State reads and idempotent writes of the headless API compared with PostgreSQL running the same SQL.

import { bucketOf } from '#kit/crypto/id.ts'
import { Fragment, type Run, textOf } from '#kit/db/sql.ts'
import { configFrom } from '#kit/runtime/config.ts'
import { quietLog } from '#kit/runtime/log.ts'
import type { Context } from '#platform/context.ts'
import { journeyRoutes } from '#platform/headless/journeys.ts'
import { findJourneyRow } from '#platform/headless/store.ts'
import { memoryOf } from '#platform/memory.ts'
import { settings } from '#platform/settings.ts'
import { type Api, apiMemoryMiB, option, startApi, warmUpSeconds } from './setup/api.ts'
import { idsOf, openSessions, sqlOf, storeJourneys } from './setup/borrowers.ts'
import { type BenchDatabase, benchDatabase } from './setup/database.ts'
import { percentile } from './setup/figures.ts'
import { jsonRequest, load } from './setup/http-load.ts'
import { connectionCounts, lineOf, type Figure as MeasuredFigure, measurePhase } from './setup/measure.ts'
import { type Baseline, baseline, renderStatement, type Script } from './setup/pgbench.ts'
import { measureSmallest, type Smallest } from './setup/smallest.ts'

export const about = `Headless state reads and idempotent writes, against pgbench running the same SQL with 8 clients
Goals: reads alone at least 0.6 of it, writes alone at least 0.5; a mix of 60 % reads and 40 % writes is printed beside them.
Latency follows for 8, 16, 32 and 64 connections. Each figure includes the CPU share of other processes, and its CPU relative
to the minimal server, which reads or writes one row with bare Fastify and pg in the same run.
Repeats the run with --more stored journeys, to show that the cost per request does not grow.
Options: --rounds <n> (3), --seconds <n> of each phase (4), --connections <n> (64), --stored <n> (10000), --more <n> (1000000; 0 skips it).`

const readers = 2000

export async function run(args: string[]): Promise<void> {
  const seconds = option(args, 'seconds', 4)
  const rounds = option(args, 'rounds', 3)
  const connections = option(args, 'connections', 64)
  const stored = option(args, 'stored', 10_000)
  const more = option(args, 'more', 1_000_000)
  const database = await benchDatabase()
  const smallest = await measureSmallest(database, seconds)
  const api = await startApi(database.url)
  try {
    await storeJourneys(database, api, 1, stored)
    const few = await measure({ database, api, smallest, seconds, rounds, connections, stored })
    if (more > stored) {
      process.stdout.write(`\nstoring ${more} journeys …\n`)
      await storeJourneys(database, api, stored + 1, more)
      const many = await measure({ database, api, smallest, seconds, rounds, connections, stored: more })
      for (const kind of ['reads', 'writes'] as const)
        console.log(
          `${kind}: CPU of one with ${more} journeys is ${(many[kind].cpu / few[kind].cpu).toFixed(2)} of that with ${stored}`,
        )
    }
  } finally {
    api.stop()
    await database.stop()
  }
}

interface Stage {
  database: BenchDatabase
  api: Api
  smallest: Smallest
  seconds: number
  rounds: number
  connections: number
  stored: number
}

interface Figure {
  ratio: number
  cpu: number
}

async function measure(stage: Stage): Promise<{ reads: Figure; writes: Figure }> {
  const { database, api, stored } = stage
  const step = Math.floor(stored / readers)
  const numbers = Array.from({ length: readers }, (_, i) => i * step + 1)
  const tokens = await openSessions(database, api, numbers)
  const { host } = new URL(api.url)
  const pick = () => Math.floor(Math.random() * readers)
  // Prepared beforehand, because client and server share two cores.
  const asks = numbers.map((number, i) =>
    jsonRequest('GET', `/api/v1/headless/journeys/${idsOf(number).journeyId}/state`, host, {
      authorization: `Bearer ${tokens[i]}`,
    }),
  )
  const read = () => asks[pick()]!
  const heads = numbers.map(
    (number, i) =>
      `PATCH /api/v1/headless/journeys/${idsOf(number).journeyId}/resume HTTP/1.1\r\nhost: ${host}\r\n` +
      `authorization: Bearer ${tokens[i]}\r\ncontent-type: application/json\r\n`,
  )
  let writes = 0
  const write = () => {
    const body = `{"resume":{"lastCompletedStep":"step-${++writes}"}}`
    return `${heads[pick()]}idempotency-key: bench-${stored}-${writes}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  }
  console.log(`\n${stored} journeys stored`)
  const n: [number, number] = [0, readers - 1]
  const ofStep = (statement: string) => statement.replaceAll(':n)', `(:n * ${step} + 1)::bigint)`)
  const reading = baseline(database, { variables: { n }, statements: [ofStep(await readStatement(api))] })
  const script = await writeScript(database, api)
  const writing = baseline(database, {
    variables: { n, k: [1, 9_000_000_000_000] },
    statements: script.statements.map(ofStep),
  })
  const figures = {
    reads: await compared(stage, 'reads', { next: read, alone: reading, goal: 0.6, smallest: stage.smallest.read }),
    writes: await compared(stage, 'writes', { next: write, alone: writing, goal: 0.5, smallest: stage.smallest.write }),
  }
  await phase(stage, 'mix of 60 % reads and 40 % writes', () => (Math.random() < 0.6 ? read() : write()))
  reading.remove()
  writing.remove()
  return figures
}

interface Compared {
  next: () => string
  alone: Baseline
  goal: number
  smallest: MeasuredFigure
}

async function compared(stage: Stage, name: string, { next, alone, goal, smallest }: Compared): Promise<Figure> {
  const ratios: number[] = []
  const cpus: number[] = []
  // Warm-up until the code is compiled.
  await phase({ ...stage, seconds: warmUpSeconds }, null, next)
  for (let round = 0; round < stage.rounds; round++) {
    await stage.database.db`checkpoint`
    const bare = await alone.rate(stage.seconds)
    const { rate, cpu } = await phase(stage, name, next, smallest)
    ratios.push(rate / bare)
    cpus.push(cpu)
    console.log(`  ${alone.name} ${bare.toFixed(0)}/s, ratio ${(rate / bare).toFixed(2)}`)
  }
  for (const connections of connectionCounts)
    await phase({ ...stage, connections }, `${name} with ${connections} connections`, next, smallest)
  const ratio = percentile(ratios, 0.5)
  console.log(`${name}: median ratio ${ratio.toFixed(2)}, goal ${goal.toFixed(2)}: ${ratio >= goal ? 'met' : 'MISSED'}`)
  return { ratio, cpu: percentile(cpus, 0.5) }
}

/** Runs some seconds of load after a checkpoint; prints a line if it has a name. */
async function phase(
  { api, database, seconds, connections }: Stage,
  name: string | null,
  next: () => string,
  smallest?: MeasuredFigure,
): Promise<MeasuredFigure> {
  const { hostname, port } = new URL(api.url)
  const target = { host: hostname, port: Number(port), connections, seconds, next, status: 200 }
  const figure = await measurePhase({ database, pids: [api.pid] }, async () => (await load(target)).latencies)
  if (name !== null) console.log(`${name} ${lineOf(figure, smallest)}; memory ${apiMemoryMiB(api)} MiB`)
  return figure
}

/** Its number occurs in the statements only as the bucket. */
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
async function readStatement({ tenant }: Api): Promise<string> {
  const values: unknown[] = []
  let text = ''
  const capture = (strings: TemplateStringsArray, ...given: unknown[]) => {
    text = textOf(new Fragment(strings, given), values)
    return Promise.resolve([])
  }
  await findJourneyRow(capture as unknown as Run, { ...tenant, borrowerId: sample.borrowerId }, sample.journeyId)
  return renderStatement(text, values, sqlFor)
}

/** Captures the transaction of one write from the route itself, with a new idempotency key each time. */
async function writeScript({ db }: BenchDatabase, { tenant, env, seal }: Api): Promise<Script> {
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
    ...memoryOf({ db, seal, config }),
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
    ...{
      ip: '127.0.0.1',
      method: 'PATCH',
      path: '/sample',
      search: '',
      at: new Date(),
      requestId: 'r',
      correlationId: 'c',
      raw: Buffer.alloc(0),
    },
  }
  await resume.handle(call as never, ctx)
  return { statements: ['begin', ...statements, 'commit'] }
}

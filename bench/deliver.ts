// The time from a committed lifecycle update to its receiver, and whether dead receivers delay others.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { bucketOf, uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import { newSealKey, sealWith } from '#kit/crypto/seal.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { quietLog } from '#kit/runtime/log.ts'
import { type WorkerDeps, webhookDeliveryWorker } from '#platform/webhook/deliver.ts'
import { deliveryOf, livePolicy } from '#platform/webhook/delivery.ts'
import { registerEndpoint } from '#platform/webhook/manage-endpoints.ts'
import { insertDeliveries, type Owner } from '#platform/webhook/store.ts'
import { type BenchDatabase, benchDatabase } from './setup/database.ts'
import { memoryMiB, ownCpuMs, percentile, serverCpuMs, spread } from './setup/figures.ts'
import { type Cpu, cpuLine, measureOthers } from './setup/measure.ts'
import { type Behaviour, monotonicMs, type Receivers, startReceivers } from './setup/receivers.ts'
import { measureSmallest, type Smallest } from './setup/smallest.ts'

const endpoints = 200
const eventsPerSecond = 500
const slowEventsPerSecond = 200
const maxUpdates = 3
/** Running journeys of each endpoint's application. */
const journeysEach = 10
const body = Buffer.from(JSON.stringify({ borrower: { journey: 'x'.repeat(2000) } }))

export const about = `Delivery of lifecycle updates: commit to the receiver's first byte, ${eventsPerSecond} events/s, ${endpoints} endpoints
Goals: p50 <= 15 ms, p99 <= 100 ms; with 30 % of the endpoints dead the others' p99 grows by at most 20 %.
One endpoint that answers after 200 ms gets ${slowEventsPerSecond} events/s; goal: at most ${maxUpdates} row updates per delivery.
Each CPU figure includes the share of other processes, and its ratio to a one-row write by bare Fastify and pg.
Phases with all and with 70 % of the endpoints alternate; the best turns are compared, because other load only slows them.
Options: --seconds <n> of each turn (15), --turns <n> (3).`

/** The milliseconds from commit to first byte, by endpoint. */
interface Phase {
  delays: number[][]
  lost: number
  cpu: Cpu
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string' }, turns: { type: 'string' } } })
  const [seconds, turns] = [Number(values.seconds ?? 15), Number(values.turns ?? 3)]
  const [database, receivers] = await Promise.all([benchDatabase(), startReceivers(endpoints)])
  const means: WorkerDeps = { db: database.db, seal: sealWith(newSealKey('b1')), clock: systemClock, log: quietLog }
  try {
    const smallest = await measureSmallest(database, Math.ceil(seconds / 3))
    const owners = await registered(means, receivers)
    await measure({ means, database, receivers, owners, smallest, seconds, turns })
  } finally {
    receivers.stop()
    await database.stop()
  }
}

interface Stage {
  means: WorkerDeps
  database: BenchDatabase
  receivers: Receivers
  owners: Owner[]
  smallest: Smallest
  seconds: number
  turns: number
}

/** One application for each endpoint. */
const registered = ({ db, seal }: WorkerDeps, { urls }: Receivers): Promise<Owner[]> =>
  Promise.all(
    urls.map(async (url) => {
      const owner = { tenantId: uuidv4(), applicationId: uuidv4() }
      await db.tx((tx) => registerEndpoint(tx, seal, owner, { url, statuses: null, at: new Date() }))
      return owner
    }),
  )

const policy = { ...livePolicy, egress: 'public-or-loopback' as const, isHttpAllowed: true }
/** Every tenth receiver refuses connections, every tenth hangs, every tenth answers 500. */
const deadMoods = Array.from(
  { length: endpoints },
  (_, i): Behaviour => (['refusing', 'hanging', 'failing'] as const)[i % 10] ?? 'well',
)
const isAlive = (endpoint: number): boolean => deadMoods[endpoint] === 'well'

async function measure(stage: Stage): Promise<void> {
  const { receivers, seconds, turns } = stage
  const short = Math.ceil(seconds / 3)
  const commitOnly = await phase(stage, short, commits(stage))
  const drain = await drainBacklog(stage, short * eventsPerSecond)
  const bareCalls = await phase(stage, short, barePosts(stage))
  const slow = await slowEndpoint(stage)
  const well: Phase[] = []
  const dead: Phase[] = []
  for (let turn = 0; turn < turns; turn++) {
    well.push(await runTurn(stage))
    await receivers.setBehaviours(deadMoods)
    dead.push(await runTurn(stage))
    await receivers.setBehaviours(deadMoods.map(() => 'well'))
  }
  report({ smallest: stage.smallest, bareCalls, commitOnly, drain, slow, well, dead })
}

/** Runs one turn with a new worker and an empty table. */
async function runTurn(stage: Stage): Promise<Phase> {
  await stage.means.db`truncate webhook_delivery`
  const worker = webhookDeliveryWorker(stage.means, policy)
  await phase(stage, 1, commits(stage))
  const measured = await phase(stage, stage.seconds, commits(stage))
  await worker.stop()
  return measured
}

/** Sends everything to one slow endpoint. `updates` is the number of row updates per delivery. */
async function slowEndpoint(stage: Stage): Promise<{ phase: Phase; updates: number }> {
  const { means, receivers, seconds } = stage
  await means.db`truncate webhook_delivery`
  await receivers.setBehaviours(deadMoods.map((_, endpoint) => (endpoint === 0 ? 'slow' : 'well')))
  const worker = webhookDeliveryWorker(means, policy)
  const before = await updatedRows(stage)
  const rate = { eventsPerSecond: slowEventsPerSecond, endpointOf: () => 0 }
  const measured = await phase(stage, seconds, commits(stage), rate)
  await worker.stop()
  await receivers.setBehaviours(deadMoods.map(() => 'well'))
  return { phase: measured, updates: ((await updatedRows(stage)) - before) / (seconds * slowEventsPerSecond) }
}

/** Row updates of all deliveries so far. Connections are closed first, because PostgreSQL reports their statistics at their end. */
async function updatedRows({ means: { db } }: Stage): Promise<number> {
  await db`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  const [row] = await db<{ updated: bigint }>`
    select n_tup_upd as updated from pg_stat_user_tables where relname = 'webhook_delivery'`
  return Number(row!.updated)
}

interface Drain {
  events: number
  rate: number
  spent: Cpu
}

/** Measures the delivery of a backlog of `events`. */
async function drainBacklog(stage: Stage, events: number): Promise<Drain> {
  const { means, receivers } = stage
  const { seconds, cpu: spent } = await counted(stage, async () => {
    const worker = webhookDeliveryWorker(means, policy)
    for (let left = 1n; left > 0n; await sleep(20)) {
      const [row] = await means.db<{
        left: bigint
      }>`select count(*) as left from webhook_delivery where state = 'PENDING'`
      left = row!.left
    }
    await worker.stop()
    return receivers.collect()
  })
  return { events, rate: events / seconds, spent }
}

/** Measures the CPU of all sides during `work`, after a checkpoint; `work` returns the receivers' report. */
async function counted<T extends { cpuMs: number }>(
  { database, receivers, means }: Stage,
  work: () => Promise<T>,
): Promise<{ result: T; seconds: number; cpu: Cpu }> {
  await means.db`checkpoint`
  await receivers.collect()
  const before = { own: ownCpuMs(), database: serverCpuMs(database.pid) }
  const { result, others, seconds } = await measureOthers({ database, pids: [receivers.pid] }, work)
  const [own, server] = [ownCpuMs() - before.own, serverCpuMs(database.pid) - before.database]
  return { result, seconds, cpu: { own, database: server, receiver: result.cpuMs, others } }
}

interface Rate {
  eventsPerSecond: number
  /** Returns the endpoint of event `i`. */
  endpointOf: (i: number) => number
}
const everywhere: Rate = { eventsPerSecond, endpointOf: (i) => (i * 7) % endpoints }

type Act = (endpoint: number, committed: Map<string, number>) => Promise<string>

/** Starts `act` at a steady rate for some seconds and waits for the arrivals. */
async function phase(stage: Stage, seconds: number, act: Act, rate: Rate = everywhere): Promise<Phase> {
  const committed = new Map<string, number>()
  const sentTo = new Map<string, number>()
  const { result, cpu } = await counted(stage, async () => {
    const acts: Promise<void>[] = []
    const began = monotonicMs()
    for (let i = 0; i < seconds * rate.eventsPerSecond; ) {
      const due = ((monotonicMs() - began) / 1000) * rate.eventsPerSecond
      for (; i < due; i++) {
        const endpoint = rate.endpointOf(i)
        acts.push(act(endpoint, committed).then((id) => void sentTo.set(id, endpoint)))
      }
      await sleep(1)
    }
    await Promise.all(acts)
    await sleep(1000)
    return stage.receivers.collect()
  })
  const delays: number[][] = Array.from({ length: endpoints }, () => [])
  const first = new Map(result.arrivals.toReversed())
  for (const [id, at] of first) {
    const start = committed.get(id)
    if (start !== undefined) delays[sentTo.get(id)!]!.push(at - start)
  }
  return { delays, lost: committed.size - delays.flat().length, cpu }
}

/** Commits one update of a running journey of the endpoint's application. */
function commits({ means, owners }: Stage): Act {
  const begun = () => ({ journeyId: uuidv4(), sequence: 0 })
  const journeys = owners.map(() => Array.from({ length: journeysEach }, begun))
  const turns = owners.map(() => 0)
  return async (endpoint, committed) => {
    const turn = turns[endpoint]!++ % journeysEach
    const journey = journeys[endpoint]![turn]!
    if (++journey.sequence === 7) journeys[endpoint]![turn] = begun()
    const eventId = uuidv7(Date.now(), bucketOf(journey.journeyId))
    const update = { ...owners[endpoint]!, ...journey, status: 'OFFERED' as const, eventId }
    await means.db.tx((tx) => insertDeliveries(tx, deliveryOf(means, update, body, null), new Date()))
    committed.set(update.eventId, monotonicMs())
    return update.eventId
  }
}

/** The machine's best case: posts the same bytes to the same receivers without database work. */
function barePosts({ receivers: { urls } }: Stage): Act {
  const agent = new Agent({ connections: 64 })
  return async (endpoint, committed) => {
    const id = uuidv7()
    committed.set(id, monotonicMs())
    const headers = { 'content-type': 'application/json', 'webhook-id': id }
    const answer = await request(urls[endpoint]!, { method: 'POST', headers, body, dispatcher: agent })
    await answer.body.dump()
    return id
  }
}

interface Results {
  smallest: Smallest
  bareCalls: Phase
  commitOnly: Phase
  drain: Drain
  slow: { phase: Phase; updates: number }
  well: Phase[]
  dead: Phase[]
}

const aliveDelays = ({ delays }: Phase): number[] => delays.filter((_, endpoint) => isAlive(endpoint)).flat()
const allDelays = ({ delays }: Phase): number[] => delays.flat()
/** Best percentile of all turns. */
const best = (turns: number[][], share: number): number => Math.min(...turns.map((each) => percentile(each, share)))

function report({ smallest, bareCalls, commitOnly, drain, slow, well, dead }: Results): void {
  const [all, before, during] = [well.map(allDelays), well.map(aliveDelays), dead.map(aliveDelays)]
  const [p50, p99, change] = [best(all, 0.5), best(all, 0.99), best(during, 0.99) / best(before, 0.99) - 1]
  const bareDelays = allDelays(bareCalls)
  const lost = [...well, bareCalls].reduce((sum, each) => sum + each.lost, 0)
  const lines = (name: string, turns: number[][]) => turns.map((each) => `${name} ms   ${spread(each)}`).join('\n')
  console.log(`
${lines('bare POST to first byte      ', [bareDelays])}
${lines('commit to first byte         ', all)}
${lines('  the 70 % while all are well', before)}
${lines('  the 70 % while 30 % are dead', during)}
${lines('one endpoint that takes 200 ms', [slow.phase].map(allDelays))}
updates of rows for a delivery      ${slow.updates.toFixed(2)}
not arrived while all are well     ${lost}
ratio to the bare POST             p50 ${(p50 / percentile(bareDelays, 0.5)).toFixed(1)}  p99 ${(p99 / percentile(bareDelays, 0.99)).toFixed(1)}
CPU of a bare POST            us   ${cpuEach([bareCalls], smallest)}
CPU of a commit alone         us   ${cpuEach([commitOnly], smallest)}
CPU of commit and delivery    us   ${cpuEach(well, smallest)}
  while 30 % are dead         us   ${cpuEach(dead, smallest)}
one endpoint that takes 200 ms us  ${cpuEach([slow.phase], smallest)}
backlog drained               /s   ${Math.round(drain.rate)}
CPU of an event of a backlog  us   ${cpuLine(drain.spent, drain.events, smallest.write)}
memory                       MiB   ${memoryMiB()}

${outcome('p50 <= 15 ms', p50 <= 15, `${p50.toFixed(2)} ms`)}
${outcome('p99 <= 100 ms', p99 <= 100, `${p99.toFixed(2)} ms`)}
${outcome("the others' p99 grows by at most 20 %", change <= 0.2, `${(change * 100).toFixed(1)} %`)}`)
}

function cpuEach(phases: Phase[], smallest: Smallest): string {
  const events = phases.reduce((sum, { lost, delays }) => sum + lost + delays.flat().length, 0)
  const sum = (name: keyof Cpu) => phases.reduce((total, { cpu }) => total + cpu[name], 0)
  const others = sum('others') / phases.length
  return cpuLine(
    { own: sum('own'), database: sum('database'), receiver: sum('receiver'), others },
    events,
    smallest.write,
  )
}

const outcome = (goal: string, met: boolean, figure: string): string =>
  `${met ? 'met   ' : 'MISSED'} ${goal}: ${figure}`

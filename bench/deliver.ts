// Measures the time from the commit of a lifecycle update to its arrival, also while other receivers are dead.
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@lendloom/foundation/clock'
import { quietLog } from '@lendloom/foundation/log'
import { type WorkerDeps, webhookDeliveryWorker } from '@lendloom/platform/src/integrators/webhook/deliver-updates.ts'
import { deliveryOf } from '@lendloom/platform/src/integrators/webhook/delivery.ts'
import { livePolicy } from '@lendloom/platform/src/integrators/webhook/delivery-policy.ts'
import { registerEndpoint } from '@lendloom/platform/src/integrators/webhook/manage-endpoints.ts'
import { insertDeliveries, type Owner } from '@lendloom/platform/src/integrators/webhook/store.ts'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { Agent, request } from 'undici'
import { option } from './setup/api.ts'
import { type BenchDatabase, benchDatabase } from './setup/database.ts'
import { memoryMiB, ownCpuMs, percentile, serverCpuMs, spread } from './setup/figures.ts'
import { judge } from './setup/goals.ts'
import { type Cpu, cpuLine } from './setup/measure.ts'
import { type Behaviour, monotonicMs, type Receivers, startReceivers } from './setup/receivers.ts'
import { type MinimalServer, measureMinimalServer } from './setup/smallest.ts'

const endpoints = 200
const eventsPerSecond = 500
const slowEventsPerSecond = 200
const backlogSeconds = 3
const backlogPerSecond = 3000
const maxUpdates = 3
const journeysEach = 10
const body = Buffer.from(JSON.stringify({ borrower: { journey: 'x'.repeat(2000) } }))

export const about = `Delivery of lifecycle updates: commit to the receiver's first byte, ${eventsPerSecond} events/s, ${endpoints} endpoints
Goals: p50 <= 15 ms, p99 <= 100 ms, 900 us of CPU for commit and delivery; at least 6000/s of a backlog. If 30 % of the endpoints
are dead, the p99 of the others grows by at most 20 %. An endpoint that answers after 200 ms gets ${slowEventsPerSecond} events/s; a delivery to it
takes at most 2500 us of CPU and ${maxUpdates} row updates.
Each line of CPU shows the ratio to the smallest server, which writes one row with bare Fastify and pg.
Turns with all endpoints alive alternate with turns in which 30 % are dead. The best turns are compared, because other
load can only slow a turn.
Options: --seconds <n> of each turn (15), --turns <n> (3).`

interface Phase {
  /** Milliseconds from commit to first byte, by endpoint. */
  delays: number[][]
  lost: number
  cpu: Cpu
}

export async function run(args: string[]): Promise<void> {
  const seconds = option(args, 'seconds', 15)
  const turns = option(args, 'turns', 3)
  const [database, receivers] = await Promise.all([benchDatabase(), startReceivers(endpoints)])
  const deps: WorkerDeps = { db: database.db, seal: sealWith(newSealKey('b1')), clock: systemClock, log: quietLog }
  try {
    const minimalServer = await measureMinimalServer(database, Math.ceil(seconds / 3))
    const owners = await registerEndpoints(deps, receivers)
    await measure({ deps, database, receivers, owners, minimalServer, seconds, turns })
  } finally {
    receivers.stop()
    await database.stop()
  }
}

interface Stage {
  deps: WorkerDeps
  database: BenchDatabase
  receivers: Receivers
  owners: Owner[]
  minimalServer: MinimalServer
  seconds: number
  turns: number
}

/** Creates one application for each endpoint. */
const registerEndpoints = ({ db, seal }: WorkerDeps, { urls }: Receivers): Promise<Owner[]> =>
  Promise.all(
    urls.map(async (url) => {
      const owner = { tenantId: uuidv4(), applicationId: uuidv4() }
      await db.tx((tx) => registerEndpoint(tx, seal, owner, { url, statuses: null, at: new Date() }))
      return owner
    }),
  )

const policy = { ...livePolicy, egress: 'public-or-loopback' as const, isHttpAllowed: true }
/** Every tenth receiver refuses connections, every tenth hangs, every tenth answers 500. */
const deadBehaviours = Array.from(
  { length: endpoints },
  (_, i): Behaviour => (['refusing', 'hanging', 'failing'] as const)[i % 10] ?? 'healthy',
)
const isAlive = (endpoint: number): boolean => deadBehaviours[endpoint] === 'healthy'

async function measure(stage: Stage): Promise<void> {
  const { receivers, seconds, turns } = stage
  const short = Math.ceil(seconds / 3)
  const commitOnly = await runPhase(stage, short, updateCommitter(stage))
  // Compiles the code of the worker.
  await measureBacklog(stage, short * eventsPerSecond)
  await runPhase(stage, backlogSeconds, updateCommitter(stage), { ...allEndpoints, eventsPerSecond: backlogPerSecond })
  const drain = await measureBacklog(stage, backlogSeconds * backlogPerSecond)
  const bareCalls = await runPhase(stage, short, barePoster(stage))
  const slow = await measureSlowEndpoint(stage)
  const healthy: Phase[] = []
  const dead: Phase[] = []
  for (let turn = 0; turn < turns; turn++) {
    healthy.push(await runTurn(stage))
    await receivers.setBehaviours(deadBehaviours)
    dead.push(await runTurn(stage))
    await receivers.setBehaviours(deadBehaviours.map(() => 'healthy'))
  }
  report({ minimalServer: stage.minimalServer, bareCalls, commitOnly, drain, slow, healthy, dead })
}

/** Runs one turn with a new worker and an empty table. */
async function runTurn(stage: Stage): Promise<Phase> {
  await stage.deps.db`truncate webhook_delivery`
  const worker = webhookDeliveryWorker(stage.deps, policy)
  await runPhase(stage, 1, updateCommitter(stage))
  const measured = await runPhase(stage, stage.seconds, updateCommitter(stage))
  await worker.stop()
  return measured
}

/** Sends all events to one slow endpoint. `updates` is the number of row updates per delivery. */
async function measureSlowEndpoint(stage: Stage): Promise<{ phase: Phase; updates: number }> {
  const { deps, receivers, seconds } = stage
  await deps.db`truncate webhook_delivery`
  await receivers.setBehaviours(deadBehaviours.map((_, endpoint) => (endpoint === 0 ? 'slow' : 'healthy')))
  const worker = webhookDeliveryWorker(deps, policy)
  const before = await countUpdates(stage)
  const rate = { eventsPerSecond: slowEventsPerSecond, endpointOf: () => 0 }
  const measured = await runPhase(stage, seconds, updateCommitter(stage), rate)
  await worker.stop()
  await receivers.setBehaviours(deadBehaviours.map(() => 'healthy'))
  return { phase: measured, updates: ((await countUpdates(stage)) - before) / (seconds * slowEventsPerSecond) }
}

/** Counts row updates of all deliveries. Closes connections first, so that PostgreSQL reports their statistics. */
async function countUpdates({ deps: { db } }: Stage): Promise<number> {
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

async function measureBacklog(stage: Stage, events: number): Promise<Drain> {
  const { deps, receivers } = stage
  const { seconds, cpu: spent } = await measureCpu(stage, async () => {
    const worker = webhookDeliveryWorker(deps, policy)
    for (let left = 1n; left > 0n; await sleep(20)) {
      const [row] = await deps.db<{
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
async function measureCpu<T extends { cpuMs: number }>(
  { database, receivers, deps }: Stage,
  work: () => Promise<T>,
): Promise<{ result: T; seconds: number; cpu: Cpu }> {
  await deps.db`checkpoint`
  await receivers.collect()
  const before = { own: ownCpuMs(), database: serverCpuMs(database.pid) }
  const began = performance.now()
  const result = await work()
  const seconds = (performance.now() - began) / 1000
  const own = ownCpuMs() - before.own
  const server = serverCpuMs(database.pid) - before.database
  return { result, seconds, cpu: { own, database: server, receiver: result.cpuMs } }
}

interface Rate {
  eventsPerSecond: number
  endpointOf: (i: number) => number
}
const allEndpoints: Rate = { eventsPerSecond, endpointOf: (i) => (i * 7) % endpoints }

/** Sends to the endpoint, records the start in `committed`, and returns the event id. */
type Act = (endpoint: number, committed: Map<string, number>) => Promise<string>

/** Runs `act` at a steady rate for some seconds and waits for the arrivals. */
async function runPhase(stage: Stage, seconds: number, act: Act, rate: Rate = allEndpoints): Promise<Phase> {
  const committed = new Map<string, number>()
  const sentTo = new Map<string, number>()
  const { result, cpu } = await measureCpu(stage, async () => {
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

/** Returns an act that commits one update of a running journey of the endpoint's application. */
function updateCommitter({ deps, owners }: Stage): Act {
  const newJourney = () => ({ journeyId: uuidv4(), sequence: 0 })
  const journeys = owners.map(() => Array.from({ length: journeysEach }, newJourney))
  const turns = owners.map(() => 0)
  return async (endpoint, committed) => {
    const turn = turns[endpoint]!++ % journeysEach
    const journey = journeys[endpoint]![turn]!
    if (++journey.sequence === 7) journeys[endpoint]![turn] = newJourney()
    const eventId = uuidv7(Date.now(), bucketOf(journey.journeyId))
    const update = { ...owners[endpoint]!, ...journey, status: 'OFFERED' as const, eventId }
    await deps.db.tx((tx) => insertDeliveries(tx, deliveryOf(deps, update, body, null), new Date()))
    committed.set(update.eventId, monotonicMs())
    return update.eventId
  }
}

/** Returns an act that posts the same bytes without database work: the best case of the machine. */
function barePoster({ receivers: { urls } }: Stage): Act {
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
  minimalServer: MinimalServer
  bareCalls: Phase
  commitOnly: Phase
  drain: Drain
  slow: { phase: Phase; updates: number }
  healthy: Phase[]
  dead: Phase[]
}

const aliveDelays = ({ delays }: Phase): number[] => delays.filter((_, endpoint) => isAlive(endpoint)).flat()
const allDelays = ({ delays }: Phase): number[] => delays.flat()
/** Best percentile of all turns. */
const best = (turns: number[][], share: number): number => Math.min(...turns.map((each) => percentile(each, share)))

function report({ minimalServer, bareCalls, commitOnly, drain, slow, healthy, dead }: Results): void {
  const all = healthy.map(allDelays)
  const before = healthy.map(aliveDelays)
  const during = dead.map(aliveDelays)
  const p50 = best(all, 0.5)
  const p99 = best(all, 0.99)
  const change = best(during, 0.99) / best(before, 0.99) - 1
  const bareDelays = allDelays(bareCalls)
  const lost = [...healthy, bareCalls].reduce((sum, each) => sum + each.lost, 0)
  const lines = (name: string, turns: number[][]) => turns.map((each) => `${name} ms   ${spread(each)}`).join('\n')
  console.log(`
${lines('bare POST to first byte      ', [bareDelays])}
${lines('commit to first byte         ', all)}
${lines('  the 70 % while all are healthy', before)}
${lines('  the 70 % while 30 % are dead', during)}
${lines('one endpoint that takes 200 ms', [slow.phase].map(allDelays))}
row updates per delivery            ${slow.updates.toFixed(2)}
not arrived while all are healthy  ${lost}
ratio to the bare POST             p50 ${(p50 / percentile(bareDelays, 0.5)).toFixed(1)}  p99 ${(p99 / percentile(bareDelays, 0.99)).toFixed(1)}
CPU of a bare POST            us   ${cpuPerEvent([bareCalls], minimalServer)}
CPU of a commit alone         us   ${cpuPerEvent([commitOnly], minimalServer)}
CPU of commit and delivery    us   ${cpuPerEvent(healthy, minimalServer)}
  while 30 % are dead         us   ${cpuPerEvent(dead, minimalServer)}
one endpoint that takes 200 ms us  ${cpuPerEvent([slow.phase], minimalServer)}
backlog drained               /s   ${Math.round(drain.rate)}
CPU per event of a backlog    us   ${cpuLine(drain.spent, drain.events, minimalServer.write)}
memory                       MiB   ${memoryMiB()}
`)
  judge({ figure: 'commit to the first byte at the receiver, p50', value: p50, unit: 'ms', atMost: 15 })
  judge({ figure: 'commit to the first byte at the receiver, p99', value: p99, unit: 'ms', atMost: 100 })
  const grown = change * 100
  judge({ figure: 'p99 of others while 30 % of endpoints are dead, grown by', value: grown, unit: '%', atMost: 20 })
  const cpu = eventUs(healthy, ['own', 'database'])
  judge({ figure: `CPU of commit and delivery at ${eventsPerSecond}/s`, value: cpu, unit: 'us', atMost: 900 })
  const slowUs = eventUs([slow.phase], ['own', 'database'])
  judge({ figure: 'the same for an endpoint that takes 200 ms', value: slowUs, unit: 'us', atMost: 2500 })
  judge({ figure: 'row updates of a delivery to it', value: slow.updates, atMost: maxUpdates })
  judge({ figure: 'deliveries of a backlog each second', value: drain.rate, atLeast: 6000 })
}

function eventUs(phases: Phase[], parts: (keyof Cpu)[]): number {
  const sum = phases.reduce((total, { cpu }) => total + parts.reduce((all, part) => all + cpu[part], 0), 0)
  return (sum * 1000) / countEvents(phases)
}

const countEvents = (phases: Phase[]): number =>
  phases.reduce((sum, { lost, delays }) => sum + lost + delays.flat().length, 0)

function cpuPerEvent(phases: Phase[], minimalServer: MinimalServer): string {
  const sum = (name: keyof Cpu) => phases.reduce((total, { cpu }) => total + cpu[name], 0)
  const cpu = { own: sum('own'), database: sum('database'), receiver: sum('receiver') }
  return cpuLine(cpu, countEvents(phases), minimalServer.write)
}

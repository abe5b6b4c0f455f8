// Measures the cost of sessions, journeys and loans: processor time by program, WAL, storage, requests.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { archiveDays } from '@lendloom/archive/archive-sweep'
import { advanceClock, simulatedTime } from '@lendloom/cli/src/clock/advance.ts'
import { directoryBackend } from '@lendloom/files/object-store'
import { daysAfter } from '@lendloom/foundation/clock'
import { quietLog } from '@lendloom/foundation/log'
import { required } from '@lendloom/foundation/required'
import { archiveSettled as archiveLoans } from '@lendloom/partner/src/records/archive/sweep.ts'
import { partnerColumns } from '@lendloom/partner/src/sealed-columns.ts'
import { registerEndpoint } from '@lendloom/platform/src/integrators/webhook/manage-endpoints.ts'
import { archiveEnded } from '@lendloom/platform/src/records/archive/nightly-archive.ts'
import { sealWith } from '@lendloom/seal/seal'
import { type Borrower, openSession } from '@lendloom/tests/setup/borrower'
import { exampleData, exampleEvent } from '@lendloom/wire/exchange/example/event'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import { type Installation, startInstallation } from '../proofs/setup/installation.ts'
import { type Kind, kinds, mapValues, ownCpuMs, parts, type Spent, sides } from './capacity/spent.ts'
import { atEnd } from './setup/at-end.ts'
import { judge } from './setup/goals.ts'
import { type JourneyEnd, newSessionRequest, playJourney, pollView, type Seen } from './setup/page-borrower.ts'
import { measureMinimalServer } from './setup/smallest.ts'
import { costPerItem, measureCost, type Phase } from './setup/spent.ts'

export const about = `The cost of a journey in real programs: CPU by program and PostgreSQL, WAL, storage, files, requests
Measures abandoned sessions, polls of the hosted page, journeys to the offers, to a network lender's disbursal and to the
lending partner's disbursal, weeks of the partner's loans, signed events, and what is left of a loan after it was archived.
Goals, at most: 0.4 ms of CPU and 300 bytes for a poll without news, 200 ms for a journey to the offers, 330 ms and 250 kB of WAL
for a loan of the network, 390 ms and 250 kB for a loan of the partner, 13.6 ms for a week of a loan.
The idle cost of the programs is measured first and subtracted. The smallest server, which writes one row with bare Fastify
and pg in the same run, shows the speed of the machine. Used by docs/explanation/capacity.md.
Options: --journeys <n> (60), a third to the offers and a third to each kind of disbursal; --warm <n> (30) journeys of the
warm-up; --sessions <n> (600), --polls <n> (2000), --weeks <n> (2), --events <n> (600), --at-once <n> (12),
--json <file>, --judged: only what has a goal.`

const options = {
  journeys: { type: 'string', default: '60' },
  warm: { type: 'string', default: '30' },
  sessions: { type: 'string', default: '600' },
  polls: { type: 'string', default: '2000' },
  weeks: { type: 'string', default: '2' },
  events: { type: 'string', default: '600' },
  'at-once': { type: 'string', default: '12' },
  json: { type: 'string' },
  judged: { type: 'boolean', default: false },
} as const

interface Stage {
  installation: Installation
  clockFile: string
  atOnce: number
  idle: Spent | null
  /** CPU of the smallest server's write in microseconds: the first measurement; at the end, its mean with the last. */
  minimalWriteUs: number
  costs: Map<Kind, Spent>
  counts: Map<Kind, number>
  tables: Map<Kind, Map<string, number>>
  /** What is left of an item after the archive, in bytes, and the size of its objects. */
  archived: Map<Kind, { left: Record<'platform' | 'partner', number>; objects: number; tables: Map<string, number> }>
  archiveDirectory: string
  /** Saves the results after each kind, so that an interrupted run is not lost. */
  save(): void
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options })
  const number = (name: Exclude<keyof typeof options, 'json' | 'judged'>) => wholeNumber(name, values[name])
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-cost-'))
  const remove = atEnd(() => rmSync(directory, { recursive: true, force: true }))
  const clockFile = join(directory, 'clock.json')
  const receiver = await startReceiver()
  // As in production, except that outside systems answer immediately.
  const env = {
    CLOCK_FILE: clockFile,
    LOG_LEVEL: 'info',
    LENDLOOM_TIME_SCALE: '1',
    NETWORK_SEARCH_TTL: 'PT15S',
    STATUS_POLL_SECONDS: '30',
    PARTNER_STATUS_SECONDS: '30',
    JOURNEY_IDLE_DAYS: '365',
  }
  // An empty table is analyzed after each few loans, one with a million rows once in thousands.
  const settings = { autovacuum_analyze_threshold: '100000' }
  const installation = await startInstallation({ each: 1, ownServers: true, env, settings })
  try {
    const { db, seal, tenant } = installation
    await db.tx((tx) => registerEndpoint(tx, seal, tenant, { url: receiver.url, statuses: null, at: new Date() }))
    const stage: Stage = {
      installation,
      clockFile,
      atOnce: number('at-once'),
      idle: null,
      costs: new Map(),
      counts: new Map(),
      tables: new Map(),
      archived: new Map(),
      archiveDirectory: join(directory, 'archive'),
      save() {},
      minimalWriteUs: 0,
    }
    const third = Math.ceil(number('journeys') / 3)
    const { databaseUrls, servers } = installation
    const database = { db, url: databaseUrls.platform, pid: servers.platform.pid }
    const minimalServer = await measureMinimalServer(database, 3)
    stage.minimalWriteUs = minimalServer.write.cpu
    await warmUp(stage, number('warm'), number('sessions'))
    await archive(stage)
    const weekBefore = await measureCost(installation, () => passTime(stage, 7))
    const idle = await measureIdle(stage)
    stage.idle = idle
    stage.save = () => {
      if (values.json === undefined) return
      writeFileSync(values.json, `${JSON.stringify(resultOf(stage, idle), roundNumber, 2)}\n`)
    }
    const measureJourneysTo = (end: JourneyEnd) =>
      measureItems(stage, end, third, () => playJourneys(stage, end, third))
    await measureItems(stage, 'session', number('sessions'), () => openPages(stage, number('sessions')))
    await measurePolls(stage, number('polls'))
    await measureJourneysTo('partner')
    await measureWeeks(stage, weekBefore, third, number('weeks'))
    if (!values.judged) {
      await measureEvents(stage, number('events'))
      await measureArchive(stage, 'partner', third)
    }
    // These offers would expire during the weeks.
    await measureJourneysTo('offers')
    await archive(stage)
    await measureJourneysTo('network')
    if (!values.judged) await measureArchive(stage, 'network', third)
    const last = await measureMinimalServer(database, 3)
    stage.minimalWriteUs = (minimalServer.write.cpu + last.write.cpu) / 2
    stage.save()
    report(stage, idle)
    if (values.json !== undefined)
      writeFileSync(values.json, `${JSON.stringify(resultOf(stage, idle), roundNumber, 2)}\n`)
    console.log(summaryOf(stage))
    judgeCosts(stage)
  } finally {
    receiver.stop()
    await installation.stop()
    remove()
  }
}

function wholeNumber(name: string, given: string): number {
  const value = Number(given)
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1, not "${given}"`)
  return value
}

/** Measures and prints the cost of `work` on these items. */
async function measureItems(stage: Stage, kind: Kind, count: number, work: () => Promise<unknown>): Promise<void> {
  const phase = await measureCost(stage.installation, async () => {
    await work()
    await completeWork(stage)
  })
  const idle = stage.idle && { of: stage.idle, times: phase.seconds }
  saveCost(stage, kind, costPerItem(phase, count, idle), { phase, count })
}

function saveCost(stage: Stage, kind: Kind, cost: Spent, { phase, count }: { phase: Phase; count: number }): void {
  stage.costs.set(kind, cost)
  stage.counts.set(kind, count)
  stage.tables.set(kind, phase.tables)
  stage.save()
  console.log(`${kind}: ${count} in ${phase.seconds.toFixed(0)} s, ${ownCpuMs(cost).toFixed(1)} ms of CPU each`)
}

/** Runs `act` for each number below `count`, at most `atOnce` at a time. */
async function runMany(count: number, atOnce: number, act: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const runNext = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, runNext))
}

/** Waits until no program has due work. */
const completeWork = (stage: Stage): Promise<void> => passTime(stage, 0)

const passTime = ({ installation: { databaseUrls }, clockFile }: Stage, days: number): Promise<void> =>
  advanceClock({
    file: clockFile,
    env: {},
    programs: [],
    otherDatabaseUrls: Object.values(databaseUrls),
    spanMs: days * dayMs,
    stepMs: dayMs / 4,
    minStepMs: dayMs / 4,
    // Each poll loads PostgreSQL, so polls are rare.
    pollMs: 200,
  })
const dayMs = 86_400_000

/** Compiles code and fills caches before the measurement. */
async function warmUp(stage: Stage, count: number, sessions: number): Promise<void> {
  const third = Math.ceil(count / 3)
  await openPages(stage, sessions)
  for (const end of ['offers', 'network', 'partner'] as const) await playJourneys(stage, end, third)
  // Open offers expire in these two weeks, not in the measured weeks.
  await passTime(stage, 14)
  await Promise.all([stage.installation.db, stage.installation.partnerDb].map((db) => db`analyze`))
}

const idleSeconds = 15

async function measureIdle({ installation }: Stage): Promise<Spent> {
  const phase = await measureCost(installation, () => sleep(idleSeconds * 1000))
  return costPerItem(phase, phase.seconds, null)
}

/** Opens sessions and returns the addresses of their pages. */
async function openPages({ installation: { platformUrl, tenant }, atOnce }: Stage, count: number): Promise<string[]> {
  const pages: string[] = []
  await runMany(count, atOnce, async () => {
    const { status, body } = await openSession(platformUrl, tenant, newSessionRequest())
    if (status !== 201) throw new Error(`opening a session was answered ${status}`)
    pages.push(body.embedUrl)
  })
  return pages
}

async function measurePolls(stage: Stage, count: number): Promise<void> {
  const { installation, atOnce } = stage
  const pages = await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const borrower = await playJourney('offers', installation)
      const seen: Seen = { tag: null, forwarded: 0 }
      await pollView(borrower, seen)
      return { borrower, seen }
    }),
  )
  await completeWork(stage)
  const poll = () =>
    runMany(count, atOnce, async (i) => {
      const page = required(pages[i % atOnce], 'page')
      await pollView(page.borrower, page.seen)
    })
  // The first polls compile code and plan statements.
  await poll()
  await measureItems(stage, 'poll', count, poll)
  const value = await bytesOfPoll(required(pages[0], 'page'))
  judge({ figure: 'poll of an open page: response', value, unit: 'B', atMost: 300 })
}

/** Bytes of the response to a poll that finds nothing new, with its headers. */
async function bytesOfPoll({ borrower, seen }: { borrower: Borrower; seen: Seen }, tries = 10): Promise<number> {
  await pollView(borrower, seen)
  const { platformUrl, sessionToken } = borrower
  const headers = { authorization: `Bearer ${sessionToken}`, 'if-none-match': required(seen.tag, 'the tag of a view') }
  const request = get(`${platformUrl}/api/embed/journey?after=${seen.forwarded}`, { headers, agent: false })
  const [response] = await once(request, 'response')
  await once(response.resume(), 'end')
  if (response.statusCode === 304) return response.socket.bytesRead
  // An update was sent, or the text of a lender's delay changed.
  if (tries === 1) throw new Error(`a poll without news was answered ${response.statusCode}`)
  return await bytesOfPoll({ borrower, seen }, tries - 1)
}

const playJourneys = ({ installation, atOnce }: Stage, end: JourneyEnd, count: number): Promise<void> =>
  runMany(count, atOnce, () => playJourney(end, installation))

/** Measures weeks of loans, minus the cost of as many weeks without these loans; `before` is the cost of one. */
async function measureWeeks(stage: Stage, before: Phase, loans: number, count: number): Promise<void> {
  const phase = await measureCost(stage.installation, () => passTime(stage, 7 * count))
  saveCost(stage, 'week', costPerItem(phase, loans * count, { of: before, times: count }), {
    phase,
    count: loans * count,
  })
}

/** Measures signed events that change data. A replaced mandate may be reported at any time during a loan. */
async function measureEvents(stage: Stage, count: number): Promise<void> {
  const { installation, clockFile, atOnce } = stage
  const { partnerDb, partnerUrl, credentials } = installation
  const cases = await partnerDb<{ caseRef: string; leadId: string; loanId: string; version: number }>`
    select case_ref, case_file.lead_id::text as lead_id, case_file.loan_id::text as loan_id, next_version::float8 as version
    from case_file join inbox_entity using (case_ref) join loan using (case_ref)
    where entity_type = 'CASE' and inbox_entity.sender = ${credentials.sender} order by case_ref`
  const send = async (number: number) => {
    const loanCase = required(cases[number % cases.length], 'running loan')
    const data = { ...exampleData('MANDATE_UPDATED'), provider_reference_id: `replaced-${number}` }
    const event = exampleEvent('MANDATE_UPDATED', {
      event_id: crypto.randomUUID(),
      occurred_at: new Date(simulatedTime(clockFile)).toISOString(),
      entity_id: loanCase.caseRef,
      entity_version: loanCase.version++,
      data,
      correlation: {
        external_reference_id: loanCase.caseRef,
        celestium_lead_id: loanCase.leadId,
        celestium_loan_id: loanCase.loanId,
      },
    })
    const raw = Buffer.from(JSON.stringify(event))
    const headers = {
      authorization: `Bearer ${credentials.bearer}`,
      'content-type': 'application/json',
      'idempotency-key': event.event_id,
      ...signedHeaders({ ...credentials, at: new Date(simulatedTime(clockFile)), raw }),
    }
    const answer = await fetch(`${partnerUrl}/events`, { method: 'POST', headers, body: raw })
    if (answer.status !== 202) throw new Error(`sending an event was answered ${answer.status}: ${await answer.text()}`)
  }
  await measureItems(stage, 'event', count, () => runMany(count, atOnce, send))
  const [row] = await partnerDb<{ count: number }>`
    select count(*)::int as count from inbox_waiting`
  if (row?.count !== 0) throw new Error(`${row?.count} events were not applied`)
}

/** Archives as the worker will after ninety days; returns the bytes of the objects. */
async function archive({ installation, clockFile, archiveDirectory }: Stage): Promise<number> {
  const { db, seal, partnerDb, env } = installation
  const partnerSeal = sealWith(env.partner.LENDLOOM_KEYS ?? '', '', partnerColumns)
  const at = daysAfter(new Date(simulatedTime(clockFile)), archiveDays + 1)
  const deps = { db, seal, log: quietLog, archive: directoryBackend(archiveDirectory) }
  const bytes = async () => {
    const [row] = await db<{ bytes: number }>`select coalesce(sum(bytes), 0)::float8 as bytes from archive_part`
    return row?.bytes ?? 0
  }
  const before = await bytes()
  await archiveEnded(deps, at)
  await archiveLoans({ ...deps, db: partnerDb, seal: partnerSeal }, at)
  return (await bytes()) - before
}

/** Measures what the archive leaves of the loans in the databases. */
async function measureArchive(stage: Stage, kind: 'partner' | 'network', count: number): Promise<void> {
  let objects = 0
  const phase = await measureCost(stage.installation, async () => {
    objects = await archive(stage)
  })
  const fresh = required(stage.costs.get(kind), 'the cost of a loan').storedBytes
  const left = mapValues(fresh, (bytes, side) => bytes + phase.storedBytes[side] / count)
  const freshTables = required(stage.tables.get(kind), 'the tables of a loan')
  const leftTables = new Map(
    [...freshTables].map(([name, bytes]) => [name, (bytes + (phase.tables.get(name) ?? 0)) / count]),
  )
  stage.archived.set(kind, { left, objects: objects / count, tables: leftTables })
}

/** Starts an integrator's server in this process. The processor time of this process is not measured. */
async function startReceiver(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return { url: `http://127.0.0.1:${address.port}/hook`, stop: () => server.close().closeAllConnections() }
}

const maxTables = 10

function report({ costs, tables, archived }: Stage, idle: Spent): void {
  const columns: [string, Spent][] = [...costs, ['idle second', idle]]
  const line = (name: string, read: (spent: Spent) => number, digits = 1) =>
    console.log(name.padEnd(30) + columns.map(([, spent]) => read(spent).toFixed(digits).padStart(12)).join(''))
  console.log(`\n${'cost per item'.padEnd(30)}${columns.map(([name]) => name.padStart(12)).join('')}`)
  for (const part of parts) line(`CPU ms, ${part}`, ({ cpuMs }) => cpuMs[part], 2)
  for (const side of sides) {
    line(`WAL kB without images, ${side}`, ({ walBytes }) => walBytes[side] / 1000)
    line(`full-page images kB, ${side}`, ({ pageImageBytes }) => pageImageBytes[side] / 1000)
    line(`writing transactions, ${side}`, ({ writes }) => writes[side])
    line(`stored kB, ${side}`, ({ storedBytes }) => storedBytes[side] / 1000)
    line(`requests, ${side}`, ({ requests }) => requests[side])
  }
  line('updates sent', ({ updates }) => updates)
  line('events sent', ({ events }) => events)
  line('files', ({ files }) => files)
  line('kB of files', ({ fileBytes }) => fileBytes / 1000)
  for (const [kind, grown] of tables) {
    const biggest = [...grown]
      .sort(([, a], [, b]) => b - a)
      .slice(0, maxTables)
      .filter(([, bytes]) => bytes > 0)
    console.log(
      `${kind} stores in total: ${biggest.map(([name, bytes]) => `${name} ${Math.round(bytes / 1000)} kB`).join(', ') || 'nothing'}`,
    )
  }
  for (const [kind, { left, objects, tables: changed }] of archived) {
    const most = [...changed].sort(([, a], [, b]) => b - a).slice(0, maxTables)
    const rest = most.map(([name, bytes]) => `${name} ${(bytes / 1000).toFixed(1)} kB`).join(', ')
    console.log(
      `${kind} after ${archiveDays} days: stored kB, platform ${(left.platform / 1000).toFixed(1)}, partner ${(left.partner / 1000).toFixed(1)}, archived ${(objects / 1000).toFixed(1)} each; mostly ${rest}`,
    )
  }
}

/** Rounds to three significant digits. */
const roundNumber = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value)

const resultOf = ({ costs, counts, minimalWriteUs }: Stage, idle: Spent) => ({
  on: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores, ${cpus()[0]?.model}`,
  minimalWriteUs,
  counts: Object.fromEntries(counts),
  idleSecond: idle,
  costs: Object.fromEntries(costs),
})

/** CPU in milliseconds, WAL in kB, for each item. */
const goals: Partial<Record<Kind, { cpu: number; wal?: number }>> = {
  poll: { cpu: 0.4 },
  offers: { cpu: 200 },
  network: { cpu: 330, wal: 250 },
  partner: { cpu: 390, wal: 250 },
  week: { cpu: 300 / 22 },
}
const goalNames: Partial<Record<Kind, string>> = {
  poll: 'poll of an open page',
  offers: 'journey to the offers',
  network: 'loan of the network',
  partner: 'loan of the partner',
  week: 'week of a loan',
}

function judgeCosts({ costs }: Stage): void {
  for (const [kind, spent] of costs) {
    const goal = goals[kind]
    const name = goalNames[kind]
    if (!goal || !name) continue
    judge({ figure: `${name}: CPU`, value: ownCpuMs(spent), unit: 'ms', atMost: goal.cpu })
    const wal = (spent.walBytes.platform + spent.walBytes.partner) / 1000
    if (goal.wal !== undefined) judge({ figure: `${name}: WAL`, value: wal, unit: 'kB', atMost: goal.wal })
  }
}

function summaryOf({ costs }: Stage): string {
  const costText = (kind: Kind) => {
    const spent = costs.get(kind)
    if (!spent) return ''
    const wal = spent.walBytes.platform + spent.walBytes.partner
    return `${kind} ${ownCpuMs(spent).toFixed(1)} ms CPU ${(wal / 1000).toFixed(1)} kB WAL`
  }
  return `cost: ${kinds.map(costText).join('; ')}`
}

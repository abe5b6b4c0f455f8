// Computes the resources that a load requires, by multiplying the measured cost of one item of each kind.
import type { Measured } from './measured.ts'
import { type Kind, kinds, mapValues, type Part, parts, type Side, type Spent, sides } from './spent.ts'

/** The expected load. Shares are from 0 to 1. */
export interface Load {
  journeysPerDay: number
  /** Share of journeys that reach offers. The other journeys are sessions without a visit. */
  offersShare: number
  /** Share of journeys that become loans. */
  loansShare: number
  /** Share of loans from the lending partner. Network lenders make the other loans. */
  partnerShare: number
  /** Term of a lending partner's loan in weeks. */
  weeks: number
  /** Polls of the hosted page while a person reads, per journey that reaches offers. Measured journeys have none. */
  polls: number
  /** Busiest minute as a multiple of the daily average. */
  peak: number
}

/** The hardware that serves the load. */
interface Machines {
  /** Cores of one database node. */
  nodeCores: number
  /** Speed of a core relative to the measured machine. */
  speed: number
  /** Maximum utilisation of cores at the peak, from 0 to 1. */
  utilisation: number
  standbys: number
  /** CPU of the Citus servers and of the coordinator, relative to a single primary that does the same work. */
  distribution: number
  coordination: number
  /** Ratio of full-page images to the rest of the WAL. */
  pageImages: number
  /** Limits of one node: MB/s written to the WAL, MB/s sent to standbys, and TB that can be restored within hours. */
  walMegabytes: number
  networkMegabytes: number
  nodeTerabytes: number
  /** Connection limit of one PostgreSQL, and pool size of one process. */
  connections: number
  pool: number
}

interface Retention {
  /** Retention of rows in the database and of WAL in the archive, in days. */
  keptDays: number
  archiveDays: number
  fileKilobytes: number
  /** Retention of files and archived rows, in years. */
  years: number
}

/** Prices in any currency. */
interface Prices {
  coreHour: number
  gigabyteMonth: number
  objectGigabyteMonth: number
}

export interface Question {
  load: Load
  machines: Machines
  retention: Retention
  prices: Prices
}

export interface Needs {
  /** Items of each kind per day. */
  counts: Record<Kind, number>
  loansPerDay: number
  /** Rates per second, on average and at the peak. */
  perSecond: Record<'sessions' | 'requests' | 'events' | 'updates' | 'writes', Rate>
  /** Required cores. An API or worker process has one core. */
  cores: Record<Exclude<Part, 'outside'>, number>
  databases: Record<Side, Database>
  connections: Record<Side, number>
  /** Object storage: files of one year, all retained files, all archived rows. */
  objects: { fileGigabytesOfYear: number; fileGigabytes: number; rowGigabytes: number }
  cost: { cores: number; storage: number; objects: number; all: number; perThousandJourneys: number; perLoan: number }
}

export interface Rate {
  average: number
  peak: number
}

export interface Database {
  /** Cores that keep the peak within the allowed utilisation. */
  cores: number
  /** Number of primaries, one per installation; `byCores` is the number for the CPU, without regard to storage. */
  primaries: number
  byCores: number
  /** Primaries and standbys. */
  nodes: number
  /** Requirements of a single installation on Citus. */
  distributed: { servers: number; coordinatorCores: number }
  walGigabytesPerDay: number
  walMegabytesAtPeak: number
  archiveGigabytes: number
  /** Growth per year. */
  gigabytesOfYear: number
  /** Final size at the configured retention, without and with standbys. */
  gigabytes: number
  gigabytesWithStandbys: number
}

const secondsOfDay = 86_400
const hoursOfMonth = 730
const daysOfYear = 365
const kilo = 1e3
const mega = 1e6
const giga = 1e9
/** One process of each program may fail. */
const minProcesses = 2

/** Items of each kind per day when loans are made and repaid at the same rate. */
export function countsOf({
  journeysPerDay,
  offersShare,
  loansShare,
  partnerShare,
  weeks,
  polls,
}: Load): Record<Kind, number> {
  const loans = journeysPerDay * loansShare
  const toOffers = journeysPerDay * offersShare
  return {
    session: journeysPerDay - toOffers,
    poll: toOffers * polls,
    offers: toOffers - loans,
    network: loans * (1 - partnerShare),
    partner: loans * partnerShare,
    week: loans * partnerShare * weeks,
    event: 0,
  }
}

/** Returns the total cost of these items. */
export function spentOn(counts: Record<Kind, number>, { costs }: Measured): Spent {
  const total = (read: (spent: Spent) => number) =>
    kinds.reduce((sum, kind) => sum + counts[kind] * read(costs[kind]), 0)
  const record = <Name extends string>(read: (spent: Spent) => Record<Name, number>) =>
    mapValues(read(costs.session), (_, name) => total((spent) => read(spent)[name]))
  return {
    cpuMs: record(({ cpuMs }) => cpuMs),
    walBytes: record(({ walBytes }) => walBytes),
    pageImageBytes: record(({ pageImageBytes }) => pageImageBytes),
    writes: record(({ writes }) => writes),
    storedBytes: record(({ storedBytes }) => storedBytes),
    requests: record(({ requests }) => requests),
    updates: total(({ updates }) => updates),
    events: total(({ events }) => events),
    files: total(({ files }) => files),
    fileBytes: total(({ fileBytes }) => fileBytes),
  }
}

export function needsOf(question: Question, measured: Measured): Needs {
  const { load, machines, retention, prices } = question
  const counts = countsOf(load)
  const day = spentOn(counts, measured)
  const rate = (perDay: number): Rate => ({ average: perDay / secondsOfDay, peak: (perDay / secondsOfDay) * load.peak })
  const sumOfSides = (values: Record<Side, number>) => values.platform + values.partner
  const cores = coresOf(day, question, measured)
  const database = (side: Side) => databaseOf(side, day, question, cores[`${side}Database`])
  const databases = { platform: database('platform'), partner: database('partner') }
  const processes = (side: Side) => cores[`${side}Api`] + cores[`${side}Worker`]
  const fileGigabytesOfYear = (day.files * daysOfYear * retention.fileKilobytes * kilo) / giga
  const objects = {
    fileGigabytesOfYear,
    fileGigabytes: fileGigabytesOfYear * retention.years,
    rowGigabytes: (sumOfSides(day.storedBytes) * Math.max(0, retention.years * daysOfYear - retention.keptDays)) / giga,
  }
  const rentedCores = sides.reduce(
    (sum, side) => sum + processes(side) + databases[side].nodes * coresOfNode(databases[side], machines),
    0,
  )
  const cost = {
    cores: rentedCores * hoursOfMonth * prices.coreHour,
    storage: sides.reduce((sum, side) => sum + databases[side].gigabytesWithStandbys, 0) * prices.gigabyteMonth,
    objects:
      (objects.fileGigabytes +
        objects.rowGigabytes +
        sides.reduce((sum, side) => sum + databases[side].archiveGigabytes, 0)) *
      prices.objectGigabyteMonth,
  }
  const all = cost.cores + cost.storage + cost.objects
  const loansPerDay = counts.network + counts.partner
  const daysPerMonth = daysOfYear / 12
  return {
    counts,
    loansPerDay,
    cores,
    databases,
    objects,
    perSecond: {
      sessions: rate(load.journeysPerDay),
      requests: rate(sumOfSides(day.requests)),
      events: rate(day.events),
      updates: rate(day.updates),
      writes: rate(sumOfSides(day.writes)),
    },
    connections: { platform: processes('platform') * machines.pool, partner: processes('partner') * machines.pool },
    cost: {
      ...cost,
      all,
      perThousandJourneys: (all / (load.journeysPerDay * daysPerMonth)) * 1000,
      perLoan: loansPerDay === 0 ? 0 : all / (loansPerDay * daysPerMonth),
    },
  }
}

/** Cores for the peak load and the idle cost, divided by the allowed utilisation. */
function coresOf(day: Spent, { load, machines }: Question, { idleSecond }: Measured): Needs['cores'] {
  const needed = (part: Part) =>
    ((day.cpuMs[part] / 1000 / secondsOfDay) * load.peak + idleSecond.cpuMs[part] / 1000) /
    machines.speed /
    machines.utilisation
  const processes = (part: Part) => Math.max(minProcesses, Math.ceil(needed(part)))
  return {
    platformApi: processes('platformApi'),
    platformWorker: processes('platformWorker'),
    platformDatabase: needed('platformDatabase'),
    partnerApi: processes('partnerApi'),
    partnerWorker: processes('partnerWorker'),
    partnerDatabase: needed('partnerDatabase'),
  }
}

function databaseOf(side: Side, day: Spent, { load, machines, retention }: Question, cores: number): Database {
  const wal = day.walBytes[side] * (1 + machines.pageImages)
  const stored = day.storedBytes[side]
  const gigabytes = (stored * retention.keptDays) / giga
  const byCores = Math.ceil(cores / machines.nodeCores)
  const byStorage = Math.ceil(gigabytes / 1000 / machines.nodeTerabytes)
  const primaries = Math.max(1, byCores, byStorage)
  return {
    cores,
    primaries,
    byCores,
    gigabytes,
    nodes: primaries * (1 + machines.standbys),
    distributed: {
      servers: Math.max(byStorage, Math.ceil((cores * machines.distribution) / machines.nodeCores)),
      coordinatorCores: cores * machines.coordination,
    },
    walGigabytesPerDay: wal / giga,
    walMegabytesAtPeak: (wal / secondsOfDay / mega) * load.peak,
    archiveGigabytes: (wal * retention.archiveDays) / giga,
    gigabytesOfYear: (stored * daysOfYear) / giga,
    gigabytesWithStandbys: gigabytes * (1 + machines.standbys),
  }
}

/** A single primary gets only the cores that it requires; with several primaries, nodes have the configured size. */
const coresOfNode = ({ primaries, cores }: Database, { nodeCores }: Machines): number =>
  primaries > 1 ? nodeCores : Math.max(2, Math.ceil(cores))

export interface Limit {
  name: string
  needed: number
  available: number
  unit: string
  /** Journeys per day that reach the limit, with the load otherwise unchanged. */
  journeysPerDay: number
}

/** Returns the limits of one primary per database, in the order in which growth reaches them. */
export function limitsOf(question: Question, measured: Measured): Limit[] {
  return needsOfOne(question, measured)
    .map((limit, i) => ({ ...limit, journeysPerDay: limitingJourneys(question, measured, i) }))
    .sort((a, b) => a.journeysPerDay - b.journeysPerDay)
}

type Need = Omit<Limit, 'journeysPerDay'>

function needsOfOne(question: Question, measured: Measured): Need[] {
  const { machines } = question
  const { databases, connections } = needsOf(question, measured)
  return sides.flatMap((side) => {
    const { cores, walMegabytesAtPeak, gigabytes } = databases[side]
    const owner = `${side} PostgreSQL`
    return [
      { name: `CPU of ${owner}`, needed: cores, available: machines.nodeCores, unit: 'cores' },
      { name: `WAL of ${owner}`, needed: walMegabytesAtPeak, available: machines.walMegabytes, unit: 'MB/s' },
      {
        name: `network to the standbys of ${owner}`,
        needed: walMegabytesAtPeak * machines.standbys,
        available: machines.networkMegabytes,
        unit: 'MB/s',
      },
      { name: `storage of ${owner}`, needed: gigabytes / 1000, available: machines.nodeTerabytes, unit: 'TB' },
      { name: `connections to ${owner}`, needed: connections[side], available: machines.connections, unit: '' },
    ]
  })
}

const maxJourneys = 1e12

/** Finds by bisection the journeys per day at which the limit with this index is reached. */
function limitingJourneys(question: Question, measured: Measured, index: number): number {
  const fits = (journeysPerDay: number): boolean => {
    const need = needsOfOne({ ...question, load: { ...question.load, journeysPerDay } }, measured)[index]
    return need !== undefined && need.needed <= need.available
  }
  let low = 0
  let high = maxJourneys
  if (fits(high)) return Number.POSITIVE_INFINITY
  while (high - low > Math.max(1, low / 1e6)) {
    const middle = (low + high) / 2
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

export const steps = [
  'one machine with all programs and one PostgreSQL; a backup',
  'three database nodes (a primary, a synchronous standby, another standby) and two processes of each program',
  'a pooler in front of PostgreSQL, and as many APIs and workers as the cores require',
  'old rows move to an archive, and read-only work moves to a standby',
  'several installations, each with its own PostgreSQL, and the tenants divided among them',
] as const

/** The next step is due when this share of a limit is in use. */
const dueShare = 0.6

/** Returns the index in `steps` of the step that a load requires. */
export function stepOf(question: Question, measured: Measured): number {
  const { machines } = question
  const { databases, connections, cores } = needsOf(question, measured)
  const busiest = Math.max(databases.platform.cores, databases.partner.cores)
  const largest = Math.max(databases.platform.gigabytes, databases.partner.gigabytes) / 1000
  if (Math.max(databases.platform.primaries, databases.partner.primaries) > 1) return 4
  if (busiest > dueShare * machines.nodeCores || largest > dueShare * machines.nodeTerabytes) return 3
  if (Math.max(connections.platform, connections.partner) > dueShare * machines.connections) return 2
  const all = parts.reduce((sum, part) => (part === 'outside' ? sum : sum + cores[part]), 0)
  const isSmall = all <= machines.nodeCores
  return isSmall && databases.platform.cores + databases.partner.cores < 1 ? 0 : 1
}

/** Maximum items per second on these cores, when each costs `cpuMs` and other processes use `otherMs` per item. */
export const maxPerSecond = (cpuMs: number, cores: number, otherMs = 0): number => (cores * 1000) / (cpuMs + otherMs)

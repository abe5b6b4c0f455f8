// From journeys a day to cores, nodes, WAL, storage and money: multiplies what was measured of one, and nothing else.
import type { Measured } from './measured.ts'
import { type Kind, kinds, mapped, type Part, parts, type Side, type Spent, sides } from './spent.ts'

/** What is to be carried. Shares are from 0 to 1. */
export interface Load {
  journeysPerDay: number
  /** Of the journeys, those that go on to the offers of lenders, those of loans included; the rest is a session without a visit. */
  offersShare: number
  /** Of the journeys, those that become loans. */
  loansShare: number
  /** Of the loans, those of the lending partner; the rest is of lenders of the network. */
  partnerShare: number
  /** Weeks in which a loan of the lending partner is repaid. */
  weeks: number
  /** Looks of the hosted page in a journey to the offers, beyond those that were measured: people read and think. */
  looks: number
  /** The busiest minute by the average of the day. */
  peak: number
}

/** What it is carried by. */
interface Machines {
  /** Cores of one database node, and how many times as fast a core is as the measured one. */
  nodeCores: number
  speed: number
  /** How busy cores may be at the peak, from 0 to 1. */
  utilisation: number
  standbys: number
  /** CPU of the servers of a distributed database, and of its coordinator, by that of one primary for the same work. */
  distribution: number
  coordination: number
  /** Images of pages in the WAL, by the rest of it. */
  pageImages: number
  /** What one node may write to its log in a second, send to its standbys, and keep so that a restore takes hours. */
  walMegabytes: number
  networkMegabytes: number
  nodeTerabytes: number
  /** Connections that one PostgreSQL is given, and those of one process. */
  connections: number
  pool: number
}

interface Keeping {
  /** Days that rows are kept in the database, and WAL in the archive. */
  keptDays: number
  archiveDays: number
  fileKilobytes: number
  /** Years that files are kept, and rows that have left the database. */
  years: number
}

/** Money for a month; any currency. */
interface Prices {
  coreHour: number
  gigabyteMonth: number
  objectGigabyteMonth: number
}

export interface Question {
  load: Load
  machines: Machines
  keeping: Keeping
  prices: Prices
}

export interface Needs {
  /** How many of each kind there are in a day. */
  counts: Record<Kind, number>
  loansPerDay: number
  /** On average and at the peak, in a second. */
  perSecond: Record<'sessions' | 'requests' | 'events' | 'updates' | 'writes', Rate>
  /** Cores that are to be there, whole ones for the programs. */
  cores: Record<Exclude<Part, 'outside'>, number>
  databases: Record<Side, Database>
  connections: Record<Side, number>
  /** In buckets: files of a year, all files that are kept in the end, rows that have left the databases by then. */
  objects: { fileGigabytesOfYear: number; fileGigabytes: number; rowGigabytes: number }
  cost: { cores: number; storage: number; objects: number; all: number; perThousandJourneys: number; perLoan: number }
}

export interface Rate {
  average: number
  peak: number
}

export interface Database {
  /** At the peak, at the utilisation that is allowed. */
  cores: number
  /** One, or one of each of several installations; `byCores` would be enough for the work alone. */
  primaries: number
  byCores: number
  /** Primaries and the standbys of all of them. */
  nodes: number
  /** What it takes to have all of it in one installation, distributed by Citus. */
  distributed: { servers: number; coordinatorCores: number }
  walGigabytesPerDay: number
  walMegabytesAtPeak: number
  archiveGigabytes: number
  /** What a year adds, and what is there when rows are kept as long as they are: without standbys and with them. */
  gigabytesOfYear: number
  gigabytes: number
  gigabytesWithStandbys: number
}

const secondsOfDay = 86_400
const hoursOfMonth = 730
const daysOfYear = 365
const kilo = 1e3
const mega = 1e6
const giga = 1e9
/** Two of each program, so that one may end. */
const fewestProcesses = 2

/** How many of each kind a day has, when loans are made and repaid at the same rate. */
export function countsOf({
  journeysPerDay,
  offersShare,
  loansShare,
  partnerShare,
  weeks,
  looks,
}: Load): Record<Kind, number> {
  const loans = journeysPerDay * loansShare
  const toOffers = journeysPerDay * offersShare
  return {
    session: journeysPerDay - toOffers,
    look: toOffers * looks,
    offers: toOffers - loans,
    network: loans * (1 - partnerShare),
    partner: loans * partnerShare,
    week: loans * partnerShare * weeks,
    event: 0,
  }
}

/** What so many of each kind spend together. */
export function spentOn(counts: Record<Kind, number>, { costs }: Measured): Spent {
  const total = (of: (spent: Spent) => number) => kinds.reduce((sum, kind) => sum + counts[kind] * of(costs[kind]), 0)
  const record = <Name extends string>(of: (spent: Spent) => Record<Name, number>) =>
    mapped(of(costs.session), (_, name) => total((spent) => of(spent)[name]))
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

/** What is needed for a load. Pure. */
export function needsOf(question: Question, measured: Measured): Needs {
  const { load, machines, keeping, prices } = question
  const counts = countsOf(load)
  const day = spentOn(counts, measured)
  const rate = (perDay: number): Rate => ({ average: perDay / secondsOfDay, peak: (perDay / secondsOfDay) * load.peak })
  const both = (values: Record<Side, number>) => values.platform + values.partner
  const cores = coresOf(day, question, measured)
  const database = (side: Side) => databaseOf(side, day, question, cores[`${side}Database`])
  const databases = { platform: database('platform'), partner: database('partner') }
  const processes = (side: Side) => cores[`${side}Api`] + cores[`${side}Worker`]
  const fileGigabytesOfYear = (day.files * daysOfYear * keeping.fileKilobytes * kilo) / giga
  const objects = {
    fileGigabytesOfYear,
    fileGigabytes: fileGigabytesOfYear * keeping.years,
    rowGigabytes: (both(day.storedBytes) * Math.max(0, keeping.years * daysOfYear - keeping.keptDays)) / giga,
  }
  const rented = sides.reduce(
    (sum, side) => sum + processes(side) + databases[side].nodes * coresOfNode(databases[side], machines),
    0,
  )
  const cost = {
    cores: rented * hoursOfMonth * prices.coreHour,
    storage: sides.reduce((sum, side) => sum + databases[side].gigabytesWithStandbys, 0) * prices.gigabyteMonth,
    objects:
      (objects.fileGigabytes +
        objects.rowGigabytes +
        sides.reduce((sum, side) => sum + databases[side].archiveGigabytes, 0)) *
      prices.objectGigabyteMonth,
  }
  const all = cost.cores + cost.storage + cost.objects
  const loansPerDay = counts.network + counts.partner
  const perMonth = daysOfYear / 12
  return {
    ...{ counts, loansPerDay, cores, databases, objects },
    perSecond: {
      sessions: rate(load.journeysPerDay),
      requests: rate(both(day.requests)),
      events: rate(day.events),
      updates: rate(day.updates),
      writes: rate(both(day.writes)),
    },
    connections: { platform: processes('platform') * machines.pool, partner: processes('partner') * machines.pool },
    cost: {
      ...{ ...cost, all },
      perThousandJourneys: (all / (load.journeysPerDay * perMonth)) * 1000,
      perLoan: loansPerDay === 0 ? 0 : all / (loansPerDay * perMonth),
    },
  }
}

/** Cores of the load at its peak and of what a process spends when nothing happens, over what they may be busy. */
function coresOf(day: Spent, { load, machines }: Question, { idleSecond }: Measured): Needs['cores'] {
  const needed = (part: Part) =>
    ((day.cpuMs[part] / 1000 / secondsOfDay) * load.peak + idleSecond.cpuMs[part] / 1000) /
    machines.speed /
    machines.utilisation
  const processes = (part: Part) => Math.max(fewestProcesses, Math.ceil(needed(part)))
  return {
    platformApi: processes('platformApi'),
    platformWorker: processes('platformWorker'),
    platformDatabase: needed('platformDatabase'),
    partnerApi: processes('partnerApi'),
    partnerWorker: processes('partnerWorker'),
    partnerDatabase: needed('partnerDatabase'),
  }
}

function databaseOf(side: Side, day: Spent, { load, machines, keeping }: Question, cores: number): Database {
  const wal = day.walBytes[side] * (1 + machines.pageImages)
  const stored = day.storedBytes[side]
  const gigabytes = (stored * keeping.keptDays) / giga
  const byCores = Math.ceil(cores / machines.nodeCores)
  const byStorage = Math.ceil(gigabytes / 1000 / machines.nodeTerabytes)
  const primaries = Math.max(1, byCores, byStorage)
  return {
    ...{ cores, primaries, byCores, gigabytes },
    nodes: primaries * (1 + machines.standbys),
    distributed: {
      servers: Math.max(byStorage, Math.ceil((cores * machines.distribution) / machines.nodeCores)),
      coordinatorCores: cores * machines.coordination,
    },
    walGigabytesPerDay: wal / giga,
    walMegabytesAtPeak: (wal / secondsOfDay / mega) * load.peak,
    archiveGigabytes: (wal * keeping.archiveDays) / giga,
    gigabytesOfYear: (stored * daysOfYear) / giga,
    gigabytesWithStandbys: gigabytes * (1 + machines.standbys),
  }
}

/** A node of one primary needs no more cores than its work; those of several installations are equal. */
const coresOfNode = ({ primaries, cores }: Database, { nodeCores }: Machines): number =>
  primaries > 1 ? nodeCores : Math.max(2, Math.ceil(cores))

export interface Limit {
  name: string
  needed: number
  there: number
  unit: string
  /** Journeys a day at which it is used up, the same load otherwise. */
  journeysPerDay: number
}

/** What one primary of each database has, how much of it is needed, the scarcest first: what is used up first. */
export function limitsOf(question: Question, measured: Measured): Limit[] {
  return needsOfOne(question, measured)
    .map((limit, i) => ({ ...limit, journeysPerDay: usedUpAt(question, measured, i) }))
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
      { name: `CPU of ${owner}`, needed: cores, there: machines.nodeCores, unit: 'cores' },
      { name: `WAL of ${owner}`, needed: walMegabytesAtPeak, there: machines.walMegabytes, unit: 'MB/s' },
      {
        ...{ name: `network to the standbys of ${owner}`, needed: walMegabytesAtPeak * machines.standbys },
        ...{ there: machines.networkMegabytes, unit: 'MB/s' },
      },
      { name: `storage of ${owner}`, needed: gigabytes / 1000, there: machines.nodeTerabytes, unit: 'TB' },
      { name: `connections to ${owner}`, needed: connections[side], there: machines.connections, unit: '' },
    ]
  })
}

const mostJourneys = 1e12

/** The journeys a day from which on a need is more than there is: needs only grow, and programs come in whole processes. */
function usedUpAt(question: Question, measured: Measured, limit: number): number {
  const fits = (journeysPerDay: number): boolean => {
    const need = needsOfOne({ ...question, load: { ...question.load, journeysPerDay } }, measured)[limit]
    return need !== undefined && need.needed <= need.there
  }
  let [least, most] = [0, mostJourneys]
  if (fits(most)) return Number.POSITIVE_INFINITY
  while (most - least > Math.max(1, least / 1e6)) {
    const middle = (least + most) / 2
    if (fits(middle)) least = middle
    else most = middle
  }
  return least
}

export const steps = [
  'one machine with all programs and one PostgreSQL; a backup',
  'three database nodes (a primary, a standby that confirms, one more) and two of each program',
  'a pooler before PostgreSQL, and as many APIs and workers as the cores say',
  'rows that are old leave for an archive, and who only reads does so at a standby',
  'several installations, each with its own PostgreSQL, and the tenants divided among them',
] as const

/** From this share of a limit on, the step that moves it is due before it is reached. */
const early = 0.6

/** Which of `steps` a load is at. */
export function stepOf(question: Question, measured: Measured): number {
  const { machines } = question
  const { databases, connections, cores } = needsOf(question, measured)
  const busiest = Math.max(databases.platform.cores, databases.partner.cores)
  const largest = Math.max(databases.platform.gigabytes, databases.partner.gigabytes) / 1000
  if (Math.max(databases.platform.primaries, databases.partner.primaries) > 1) return 4
  if (busiest > early * machines.nodeCores || largest > early * machines.nodeTerabytes) return 3
  if (Math.max(connections.platform, connections.partner) > early * machines.connections) return 2
  const all = parts.reduce((sum, part) => (part === 'outside' ? sum : sum + cores[part]), 0)
  const isSmall = all <= machines.nodeCores
  return isSmall && databases.platform.cores + databases.partner.cores < 1 ? 0 : 1
}

/** How many of a kind a second so many cores do, when each costs that much CPU and `otherMs` is spent beside it on the same cores. */
export const mostPerSecond = (cpuMs: number, cores: number, otherMs = 0): number => (cores * 1000) / (cpuMs + otherMs)

// The options of `npm run capacity`: meaning, default and range of each.
import { parseArgs } from 'node:util'
import type { Question } from './model.ts'

interface Option {
  value: number
  /** The smallest and the largest value. */
  range: [least: number, most: number]
  about: string
}

const share = [0, 1] as [number, number]
const atLeast = (least: number): [number, number] => [least, 1e12]

const options = {
  journeys: { value: 1000, range: atLeast(1), about: 'journeys per day; or use --loans' },
  loans: {
    value: 0,
    range: atLeast(0),
    about: 'loans per day instead of --journeys, converted with --loans-share; 0 disables it',
  },
  'offers-share': { value: 0.7, range: share, about: 'share of journeys that reach offers, loans included' },
  'loans-share': { value: 0.3, range: share, about: 'share of journeys that become loans' },
  'partner-share': { value: 0.5, range: share, about: 'share of loans by the lending partner' },
  weeks: { value: 22, range: atLeast(0), about: 'term of a lending partner’s loan in weeks' },
  looks: {
    value: 60,
    range: atLeast(0),
    about: 'extra polls of an open page per journey that reaches offers: two minutes at one per two seconds',
  },
  peak: { value: 3, range: atLeast(1), about: 'busiest minute as a multiple of the daily average' },
  'node-cores': { value: 16, range: atLeast(1), about: 'cores of one database node' },
  speed: { value: 1, range: [0.1, 10], about: 'speed of your cores relative to the measured machine' },
  utilisation: { value: 0.6, range: [0.05, 1], about: 'maximum utilisation of cores at the peak' },
  standbys: { value: 2, range: atLeast(0), about: 'standbys of each primary' },
  distribution: {
    value: 4,
    range: atLeast(1),
    about: 'CPU of Citus servers relative to a single primary doing the same work',
  },
  coordination: {
    value: 5,
    range: atLeast(0),
    about: 'CPU of the Citus coordinator relative to a single primary doing the same work',
  },
  'page-images': {
    value: 0.5,
    range: atLeast(0),
    about: 'ratio of full-page images to the rest of the WAL; larger if a page changes rarely between two checkpoints',
  },
  'wal-megabytes': { value: 100, range: atLeast(1), about: 'MB/s that one node can write to its WAL' },
  'network-megabytes': { value: 500, range: atLeast(1), about: 'MB/s that one node can send to its standbys' },
  'node-terabytes': {
    value: 8,
    range: atLeast(0.01),
    about: 'TB that one node may store: copied at 300 MB/s in seven hours',
  },
  connections: { value: 500, range: atLeast(10), about: 'connection limit of one PostgreSQL' },
  pool: { value: 16, range: atLeast(1), about: 'connections of one process (DATABASE_CONNECTIONS)' },
  'kept-days': {
    value: 180,
    range: atLeast(1),
    about: 'retention of rows in the database, in days',
  },
  'archive-days': { value: 14, range: atLeast(0), about: 'retention of WAL for point-in-time recovery, in days' },
  'file-kilobytes': {
    value: 400,
    range: atLeast(0),
    about: 'kB per file, such as a scan or report; sandbox files are smaller',
  },
  years: { value: 8, range: atLeast(0), about: 'retention of files and archived rows, in years' },
  'price-core-hour': {
    value: 0.04,
    range: atLeast(0),
    about: 'price of one core with its memory per hour, in any currency',
  },
  'price-gb-month': { value: 0.1, range: atLeast(0), about: 'price of one GB of database disk per month' },
  'price-object-gb-month': { value: 0.02, range: atLeast(0), about: 'price of one GB of object storage per month' },
} as const satisfies Record<string, Option>

type Name = keyof typeof options
const names = Object.keys(options) as Name[]

/** An invalid option; the message names it. */
export class InvalidOption extends Error {}

export const help = `npm run capacity -- [options]

From journeys a day to cores, database nodes, WAL, storage and cost, from what \`npm run bench -- cost\` measured.
docs/explanation/capacity.md explains the model and its limits. Defaults are assumptions; prices are round figures,
not quotes.

${names.map((name) => `  --${name.padEnd(22)} ${options[name].about} (${options[name].value})`).join('\n')}
  --${'json'.padEnd(22)} the figures as JSON
  --${'tables'.padEnd(22)} the tables of docs/explanation/capacity.md
  --${'help'.padEnd(22)} this`

export interface CapacityOptions {
  question: Question
  json: boolean
  tables: boolean
  help: boolean
}

/** Throws `InvalidOption` for an option that is unknown, not a number, or out of range. */
export function readOptions(args: string[]): CapacityOptions {
  const known = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  const { values, unknown } = parsed(args, known)
  if (unknown !== null) throw new InvalidOption(unknown)
  const given = Object.fromEntries(names.map((name) => [name, numberOf(name, values[name])])) as Record<Name, number>
  if (given['offers-share'] < given['loans-share'])
    throw new InvalidOption('--offers-share must not be below --loans-share, because every loan had offers')
  if (values.loans !== undefined && values.journeys !== undefined)
    throw new InvalidOption('--loans and --journeys are mutually exclusive')
  if (given.loans > 0 && given['loans-share'] === 0) throw new InvalidOption('--loans-share must not be 0 with --loans')
  return {
    question: questionOf(given),
    json: values.json === true,
    tables: values.tables === true,
    help: values.help === true,
  }
}

function parsed(args: string[], known: Record<string, { type: 'string' }>) {
  try {
    const all = {
      ...known,
      json: { type: 'boolean' as const },
      tables: { type: 'boolean' as const },
      help: { type: 'boolean' as const },
    }
    return {
      values: parseArgs({ args, options: all }).values as Record<string, string | boolean | undefined>,
      unknown: null,
    }
  } catch (error) {
    return { values: {} as Record<string, string | boolean | undefined>, unknown: (error as Error).message }
  }
}

function numberOf(name: Name, given: string | boolean | undefined): number {
  const { value, range }: Option = options[name]
  if (given === undefined) return value
  const number = given === '' ? Number.NaN : Number(given)
  const [least, most] = range
  if (!(number >= least && number <= most)) {
    const upTo = most === 1e12 ? `from ${least}` : `from ${least} to ${most}`
    throw new InvalidOption(`--${name} must be a number ${upTo}, not "${given}"`)
  }
  return number
}

const questionOf = (given: Record<Name, number>): Question => ({
  load: {
    journeysPerDay: given.loans > 0 ? given.loans / given['loans-share'] : given.journeys,
    offersShare: given['offers-share'],
    loansShare: given['loans-share'],
    partnerShare: given['partner-share'],
    ...{ weeks: given.weeks, looks: given.looks, peak: given.peak },
  },
  machines: {
    ...{ nodeCores: given['node-cores'], speed: given.speed, utilisation: given.utilisation, standbys: given.standbys },
    ...{ distribution: given.distribution, coordination: given.coordination },
    pageImages: given['page-images'],
    walMegabytes: given['wal-megabytes'],
    networkMegabytes: given['network-megabytes'],
    nodeTerabytes: given['node-terabytes'],
    ...{ connections: given.connections, pool: given.pool },
  },
  keeping: {
    keptDays: given['kept-days'],
    archiveDays: given['archive-days'],
    fileKilobytes: given['file-kilobytes'],
    years: given.years,
  },
  prices: {
    coreHour: given['price-core-hour'],
    gigabyteMonth: given['price-gb-month'],
    objectGigabyteMonth: given['price-object-gb-month'],
  },
})

// The options of `npm run capacity`, with the meaning, default and range of each.
import { parseArgs } from 'node:util'
import type { Question } from './model.ts'

interface Option {
  value: number
  range: [min: number, max: number]
  about: string
}

const share = [0, 1] as [number, number]
const atLeast = (min: number): [number, number] => [min, 1e12]

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
  polls: {
    value: 60,
    range: atLeast(0),
    about: 'polls while a person reads, per journey that reaches offers: two minutes, one poll per two seconds',
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
    about: 'TB that one node may store; 8 TB are copied in seven hours at 300 MB/s',
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

/** The message names the invalid option. */
export class InvalidOption extends Error {}

export const help = `npm run capacity -- [options]

Computes cores, database nodes, WAL, storage and cost from the costs that \`npm run bench -- cost\` has measured.
docs/explanation/capacity.md explains the model and its limits. Defaults are assumptions; prices are round figures,
not quotes.

${names.map((name) => `  --${name.padEnd(22)} ${options[name].about} (${options[name].value})`).join('\n')}
  --${'json'.padEnd(22)} the figures as JSON
  --${'tables'.padEnd(22)} the tables of docs/explanation/capacity.md
  --${'help'.padEnd(22)} this text`

export interface CapacityOptions {
  question: Question
  json: boolean
  tables: boolean
  help: boolean
}

/** Throws `InvalidOption` for an option that is unknown, not a number, or out of range. */
export function readOptions(args: string[]): CapacityOptions {
  const known = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  const { values, unknown } = parseValues(args, known)
  if (unknown !== null) throw new InvalidOption(unknown)
  const numbers = Object.fromEntries(names.map((name) => [name, numberOf(name, values[name])])) as Record<Name, number>
  if (numbers['offers-share'] < numbers['loans-share'])
    throw new InvalidOption('--offers-share must not be below --loans-share, because every loan had offers')
  if (values.loans !== undefined && values.journeys !== undefined)
    throw new InvalidOption('--loans and --journeys are mutually exclusive')
  if (numbers.loans > 0 && numbers['loans-share'] === 0)
    throw new InvalidOption('--loans-share must not be 0 with --loans')
  return {
    question: questionOf(numbers),
    json: values.json === true,
    tables: values.tables === true,
    help: values.help === true,
  }
}

function parseValues(args: string[], known: Record<string, { type: 'string' }>) {
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

function numberOf(name: Name, text: string | boolean | undefined): number {
  const { value, range }: Option = options[name]
  if (text === undefined) return value
  const number = text === '' ? Number.NaN : Number(text)
  const [min, max] = range
  if (!(number >= min && number <= max)) {
    const limits = max === 1e12 ? `from ${min}` : `from ${min} to ${max}`
    throw new InvalidOption(`--${name} must be a number ${limits}, not "${text}"`)
  }
  return number
}

const questionOf = (numbers: Record<Name, number>): Question => ({
  load: {
    journeysPerDay: numbers.loans > 0 ? numbers.loans / numbers['loans-share'] : numbers.journeys,
    offersShare: numbers['offers-share'],
    loansShare: numbers['loans-share'],
    partnerShare: numbers['partner-share'],
    weeks: numbers.weeks,
    polls: numbers.polls,
    peak: numbers.peak,
  },
  machines: {
    nodeCores: numbers['node-cores'],
    speed: numbers.speed,
    utilisation: numbers.utilisation,
    standbys: numbers.standbys,
    distribution: numbers.distribution,
    coordination: numbers.coordination,
    pageImages: numbers['page-images'],
    walMegabytes: numbers['wal-megabytes'],
    networkMegabytes: numbers['network-megabytes'],
    nodeTerabytes: numbers['node-terabytes'],
    connections: numbers.connections,
    pool: numbers.pool,
  },
  retention: {
    keptDays: numbers['kept-days'],
    archiveDays: numbers['archive-days'],
    fileKilobytes: numbers['file-kilobytes'],
    years: numbers.years,
  },
  prices: {
    coreHour: numbers['price-core-hour'],
    gigabyteMonth: numbers['price-gb-month'],
    objectGigabyteMonth: numbers['price-object-gb-month'],
  },
})

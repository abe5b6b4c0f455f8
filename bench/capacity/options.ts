// The options of `npm run capacity`: meaning, default and range of each.
import { parseArgs } from 'node:util'
import type { Question } from './model.ts'

interface Option {
  value: number
  /** The least and the most that it may be. */
  range: [least: number, most: number]
  about: string
}

const share = [0, 1] as [number, number]
const atLeast = (least: number): [number, number] => [least, 1e12]

const options = {
  journeys: { value: 1000, range: atLeast(1), about: 'journeys a day; --loans says it by loans instead' },
  loans: {
    value: 0,
    range: atLeast(0),
    about: 'loans a day: as many journeys as that needs with --loans-share; 0 leaves it out',
  },
  'offers-share': { value: 0.7, range: share, about: 'share of journeys that go on to offers, loans included' },
  'loans-share': { value: 0.3, range: share, about: 'share of journeys that become loans' },
  'partner-share': { value: 0.5, range: share, about: 'share of loans that are of the lending partner' },
  weeks: { value: 22, range: atLeast(0), about: 'weeks in which a loan of the lending partner is repaid' },
  looks: {
    value: 60,
    range: atLeast(0),
    about: 'looks of an open page in a journey to the offers, beyond the shortest: two minutes at one in two seconds',
  },
  peak: { value: 3, range: atLeast(1), about: 'the busiest minute by the average of the day' },
  'node-cores': { value: 16, range: atLeast(1), about: 'cores of one database node' },
  speed: { value: 1, range: [0.1, 10], about: 'a core of yours by one of the measured machine' },
  utilisation: { value: 0.6, range: [0.05, 1], about: 'how busy cores may be at the peak' },
  standbys: { value: 2, range: atLeast(0), about: 'standbys of each primary' },
  distribution: {
    value: 4,
    range: atLeast(1),
    about: 'CPU of the servers of a distributed database by that of one primary for the same work',
  },
  coordination: {
    value: 5,
    range: atLeast(0),
    about: 'CPU of its coordinator by that of one primary for the same work',
  },
  'page-images': {
    value: 0.5,
    range: atLeast(0),
    about:
      'images of pages in the WAL by the rest of it: the more, the fewer changes a page has between two checkpoints',
  },
  'wal-megabytes': { value: 100, range: atLeast(1), about: 'MB/s that one node may write to its log' },
  'network-megabytes': { value: 500, range: atLeast(1), about: 'MB/s that one node may send to its standbys' },
  'node-terabytes': {
    value: 8,
    range: atLeast(0.01),
    about: 'TB that one node may keep: copied at 300 MB/s in seven hours',
  },
  connections: { value: 500, range: atLeast(10), about: 'connections that one PostgreSQL is given' },
  pool: { value: 16, range: atLeast(1), about: 'connections of one process (DATABASE_CONNECTIONS)' },
  'kept-days': {
    value: 180,
    range: atLeast(1),
    about: 'days that rows stay in the database before they leave for an archive',
  },
  'archive-days': { value: 14, range: atLeast(0), about: 'days that the log is kept for a restore to any moment' },
  'file-kilobytes': {
    value: 400,
    range: atLeast(0),
    about: 'kB of one file: a scan, a report; those of the sandbox are smaller',
  },
  years: { value: 8, range: atLeast(0), about: 'years that files are kept, and rows that have left the database' },
  'price-core-hour': {
    value: 0.04,
    range: atLeast(0),
    about: 'one core for an hour, with its memory, in any currency',
  },
  'price-gb-month': { value: 0.1, range: atLeast(0), about: 'one GB of database disk for a month' },
  'price-object-gb-month': { value: 0.02, range: atLeast(0), about: 'one GB in a bucket for a month' },
} as const satisfies Record<string, Option>

type Name = keyof typeof options
const names = Object.keys(options) as Name[]

/** What is wrong with what was given; names the option. */
export class WrongOption extends Error {}

export const help = `npm run capacity -- [options]

From journeys a day to cores, database nodes, WAL, storage and cost, from what \`npm run bench -- cost\` measured.
docs/explanation/capacity.md says how, and what it does not know. Defaults are assumptions, the prices round figures
and nobody's list.

${names.map((name) => `  --${name.padEnd(22)} ${options[name].about} (${options[name].value})`).join('\n')}
  --${'json'.padEnd(22)} the figures as JSON
  --${'tables'.padEnd(22)} the tables of docs/explanation/capacity.md
  --${'help'.padEnd(22)} this`

export interface Wanted {
  question: Question
  json: boolean
  tables: boolean
  help: boolean
}

/** Throws `WrongOption` for an option that is unknown, not a number, or out of range. */
export function readOptions(args: string[]): Wanted {
  const known = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  const { values, unknown } = parsed(args, known)
  if (unknown !== null) throw new WrongOption(unknown)
  const given = Object.fromEntries(names.map((name) => [name, numberOf(name, values[name])])) as Record<Name, number>
  if (given['offers-share'] < given['loans-share'])
    throw new WrongOption('--offers-share must not be below --loans-share: who has a loan had offers')
  if (values.loans !== undefined && values.journeys !== undefined)
    throw new WrongOption('--loans and --journeys say the same thing: leave one out')
  if (given.loans > 0 && given['loans-share'] === 0)
    throw new WrongOption('--loans-share must not be 0 where there are --loans')
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
    const upTo = most === 1e12 ? `from ${least} on` : `from ${least} to ${most}`
    throw new WrongOption(`--${name} is a number ${upTo}, not "${given}"`)
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

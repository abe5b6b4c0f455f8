// The tables of docs/explanation/capacity.md; a test compares them with the model.
import type { Measured } from './measured.ts'
import { type Database, limitsOf, needsOf, type Question, stepOf } from './model.ts'
import { amount, gigabytes } from './numbers.ts'
import { type Point, predictionOf } from './points.ts'
import { type Kind, ownCpuMs, type Spent } from './spent.ts'

const kindNames: Record<Exclude<Kind, 'event'>, string> = {
  session: 'a session without a visit',
  poll: 'one poll of an open page',
  offers: 'a journey to the offers',
  network: 'a loan of a network lender',
  partner: 'a loan of the lending partner',
  week: 'a week of such a loan',
}

const row = (cells: (string | number)[]): string => `| ${cells.join(' | ')} |`
const table = (head: string[], rows: (string | number)[][]): string =>
  [row(head), row(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n')

/** The cost of one item of each kind. */
export function costTable({ costs }: Measured): string {
  const cells = ({ cpuMs, ...spent }: Spent) => [
    amount(cpuMs.platformApi),
    amount(cpuMs.platformWorker),
    amount(cpuMs.platformDatabase),
    amount(cpuMs.partnerApi + cpuMs.partnerWorker),
    amount(cpuMs.partnerDatabase),
    amount(ownCpuMs({ cpuMs, ...spent })),
    amount((spent.walBytes.platform + spent.walBytes.partner) / 1000),
    amount((spent.storedBytes.platform + spent.storedBytes.partner) / 1000),
    amount(spent.requests.platform + spent.requests.partner),
    amount(spent.writes.platform + spent.writes.partner),
  ]
  const kinds = Object.keys(kindNames) as Exclude<Kind, 'event'>[]
  const head = [
    'One',
    'API',
    'worker',
    'its database',
    'partner',
    'its database',
    'CPU ms in total',
    'WAL kB',
    'stored kB',
    'requests',
    'writes',
  ]
  return table(
    head,
    kinds.map((kind) => [kindNames[kind], ...cells(costs[kind])]),
  )
}

const loads = [1e3, 1e4, 1e5, 1e6, 1e7]
const shapeOf = ({ primaries, nodes }: Pick<Database, 'primaries' | 'nodes'>) =>
  primaries === 1 ? `one primary, ${nodes} nodes` : `${primaries} primaries, ${nodes} nodes`
const citusOf = ({ primaries, distributed: { servers, coordinatorCores } }: Database) =>
  primaries === 1 ? '–' : `${servers} servers, coordinator with ${amount(coordinatorCores)} cores`

/** The resources that several loads require; all other options have their defaults. */
export function loadTable(question: Question, measured: Measured): string {
  const rows = loads.map((journeysPerDay) => {
    const load = { ...question, load: { ...question.load, journeysPerDay } }
    const { perSecond, cores, databases, cost } = needsOf(load, measured)
    const { platform, partner } = databases
    return [
      journeysPerDay.toLocaleString('en-US'),
      amount(perSecond.requests.peak),
      cores.platformApi + cores.partnerApi,
      cores.platformWorker + cores.partnerWorker,
      `${amount(platform.cores)} + ${amount(partner.cores)}`,
      `${shapeOf(platform)}; ${shapeOf(partner)}`,
      `${citusOf(platform)}; ${citusOf(partner)}`,
      amount(platform.walMegabytesAtPeak + partner.walMegabytesAtPeak),
      gigabytes(platform.gigabytesOfYear + partner.gigabytesOfYear),
      amount(cost.all),
      stepOf(load, measured) + 1,
    ]
  })
  const head = [
    'Journeys a day',
    'requests/s',
    'APIs',
    'workers',
    'PostgreSQL cores',
    'databases (platform; partner)',
    'as one Citus database',
    'WAL MB/s',
    'stored a year',
    'cost a month',
    'step',
  ]
  return table(head, rows)
}

/** The limits of one primary, in the order in which they are reached. */
export function limitTable(question: Question, measured: Measured): string {
  const rows = limitsOf(question, measured).map(({ name, available, unit, journeysPerDay }) => [
    name,
    unit === '' ? amount(available) : `${amount(available)} ${unit}`,
    amount(journeysPerDay),
  ])
  return table(['Limit of one primary each', 'value', 'reached at journeys a day'], rows)
}

/** Results of other benchmarks and the model's predictions for them. */
export function pointTable(points: Point[], measured: Measured): string {
  const rows = points.map((point) => {
    const predicted = predictionOf(point, measured)
    return [
      point.what,
      amount(point.cpuUs),
      amount(predicted.cpuUs),
      amount(point.perSecond),
      amount(predicted.perSecond),
      ratioOf(point, measured).toFixed(2),
    ]
  })
  return table(
    ['Point', 'CPU us measured', 'predicted', 'a second measured', 'predicted', 'CPU predicted by measured'],
    rows,
  )
}

/** Predicted CPU as a ratio of the measured CPU. */
const ratioOf = (point: Point, measured: Measured): number => predictionOf(point, measured).cpuUs / point.cpuUs

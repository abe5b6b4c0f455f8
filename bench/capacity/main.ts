// `npm run capacity`: prints the resources that a load requires, the first limit it reaches, and the next step.
import { measured, points } from './measured.ts'
import { type Database, type Limit, limitsOf, needsOf, type Question, type Rate, stepOf, steps } from './model.ts'
import { amount, gigabytes } from './numbers.ts'
import { help, InvalidOption, readOptions } from './options.ts'
import { sides } from './spent.ts'
import { costTable, limitTable, loadTable, pointTable } from './tables.ts'

/** The exit code: 2 when an option is wrong. */
function main(args: string[]): number {
  try {
    const { question, json, tables, help: wantsHelp } = readOptions(args)
    if (wantsHelp) console.log(help)
    else if (json) console.log(JSON.stringify({ question, ...answerTo(question) }, null, 2))
    else if (tables) console.log(tablesOf(question).join('\n\n'))
    else console.log(textOf(question))
    return 0
  } catch (error) {
    if (!(error instanceof InvalidOption)) throw error
    console.error(`${error.message}\n\nnpm run capacity -- --help lists the options`)
    return 2
  }
}

const tablesOf = (question: Question): string[] => [
  costTable(measured),
  pointTable(points, measured),
  loadTable(question, measured),
  limitTable(question, measured),
]

const answerTo = (question: Question) => ({
  needs: needsOf(question, measured),
  limits: limitsOf(question, measured),
  step: steps[stepOf(question, measured)],
})

function textOf(question: Question): string {
  const { load, machines, retention } = question
  const { needs, limits } = answerTo(question)
  const { perSecond, cores, objects, cost, connections } = needs
  return [
    `${amount(load.journeysPerDay)} journeys a day, ${amount(needs.loansPerDay)} loans, the peak ${load.peak} times the average; measured on ${measured.on}, ${measured.machine}`,
    '',
    'Per second, on average and at the peak',
    ...Object.entries(perSecond).map(
      ([name, { average, peak }]: [string, Rate]) =>
        `  ${name.padEnd(26)}${amount(average).padStart(12)}${amount(peak).padStart(12)}`,
    ),
    '',
    `Cores, at ${machines.utilisation * 100} % utilisation at the peak`,
    ...Object.entries(cores).map(([name, value]) => `  ${name.padEnd(26)}${amount(value).padStart(12)}`),
    ...sides.map(
      (side) =>
        `  a standby of the ${side.padEnd(9)}${amount(needs.databases[side].cores).padStart(12)}   after taking over; replay requires less`,
    ),
    ...sides.flatMap((side) => ['', ...databaseText(side, needs.databases[side], question)]),
    '',
    `Files: ${gigabytes(objects.fileGigabytesOfYear)} a year, ${gigabytes(objects.fileGigabytes)} in ${retention.years} years; archived rows by then: ${gigabytes(objects.rowGigabytes)}`,
    `Connections, ${machines.pool} per process: platform ${connections.platform}, partner ${connections.partner}`,
    '',
    'Monthly cost at full retention, in the currency of the prices',
    `  cores ${amount(cost.cores)}, disks ${amount(cost.storage)}, buckets ${amount(cost.objects)}: ${amount(cost.all)} in total; ${cost.perThousandJourneys.toPrecision(2)} per thousand journeys, ${cost.perLoan.toPrecision(2)} per loan`,
    '',
    ...adviceOn(question, limits),
  ].join('\n')
}

function databaseText(side: string, database: Database, { machines, retention }: Question): string[] {
  const { primaries, byCores, nodes, distributed } = database
  const forStorage = primaries > byCores ? `, ${byCores} of them for CPU and the others for storage` : ''
  const shape =
    primaries === 1
      ? `one primary of ${machines.nodeCores} cores is enough`
      : `one primary is not enough; requires ${primaries} installations${forStorage}`
  const citus =
    primaries === 1
      ? []
      : [
          `  instead    in one installation distributed by Citus: ${distributed.servers} servers, and a coordinator with ${amount(distributed.coordinatorCores)} cores of ${machines.nodeCores}`,
        ]
  return [
    `PostgreSQL of the ${side}: ${shape}; with ${machines.standbys} standbys each, ${nodes} nodes`,
    `  WAL        ${gigabytes(database.walGigabytesPerDay)} a day, ${database.walMegabytesAtPeak.toFixed(2)} MB/s at the peak: ${(database.walMegabytesAtPeak * 8).toFixed(1)} Mbit/s to each standby; ${gigabytes(database.archiveGigabytes)} for ${retention.archiveDays} days of archive`,
    `  storage    ${gigabytes(database.gigabytesOfYear)} a year; ${gigabytes(database.gigabytes)} when rows are kept ${retention.keptDays} days, ${gigabytes(database.gigabytesWithStandbys)} with the standbys`,
    ...citus,
  ]
}

function adviceOn(question: Question, limits: Limit[]): string[] {
  const step = stepOf(question, measured)
  const [first, second] = limits
  const line = ({ name, needed, available, unit, journeysPerDay }: Limit) =>
    `${name}: ${amount(needed)} of ${amount(available)}${unit === '' ? '' : ` ${unit}`}, reached at ${amount(journeysPerDay)} journeys a day`
  const next = steps[step + 1]
  return [
    ...(first ? [`First limit with one primary per database: ${line(first)}`] : []),
    ...(second ? [`Second limit: ${line(second)}`] : []),
    `Step of this load: ${steps[step]}`,
    next === undefined ? 'Next step: more installations' : `Next step: ${next}`,
  ]
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2))

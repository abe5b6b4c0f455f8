// How fast sessions can be created, against the rate at which PostgreSQL commits the same rows by itself.
import { Fragment, type Run, textOf } from '#kit/db/sql.ts'
import { register } from '#platform/webhook/manage-endpoints.ts'
import { type Api, apiMemoryMiB, option, startApi, warmUpSeconds } from './setup/api.ts'
import { benchDatabase } from './setup/database.ts'
import { percentile } from './setup/figures.ts'
import { jsonRequest, load } from './setup/http-load.ts'
import { connectionCounts, lineOf, measured } from './setup/measure.ts'
import { openingSample, sampleBorrower } from './setup/opening-sample.ts'
import { baseline, filled, type Script } from './setup/pgbench.ts'
import { measureSmallest } from './setup/smallest.ts'

export const about = `POST /api/lab/sessions for new borrowers, against pgbench committing the same rows with 8 clients
Goal: at least 0.5 of pgbench's rate, both on one machine in one run.
Latency follows for 8, 16, 32 and 64 connections. Each figure says what others had of the processors, and its CPU as a ratio
to that of the smallest server, which writes one row with bare Fastify and pg in the same run.
Options: --rounds <n> (3), --seconds <n> of each phase (5), --connections <n> (32) of the rounds.
Without pgbench an equal loop of 8 connections in Node stands in for it, and is named so.`

export async function run(args: string[]): Promise<void> {
  const [rounds, seconds, connections] = [
    option(args, 'rounds', 3),
    option(args, 'seconds', 5),
    option(args, 'connections', 32),
  ]
  const database = await benchDatabase()
  const smallest = await measureSmallest(database, seconds)
  const platform = await startApi(database.url)
  try {
    const { tenant } = platform
    await database.db.tx((tx) =>
      register(tx, platform.seal, tenant, { url: 'https://app.example/hook', statuses: null, at: new Date() }),
    )
    const alone = baseline(database, scriptOf(platform))
    const subject = { database, pids: [platform.pid] }
    const phase = (count: number) => measured(subject, () => sessions(platform, seconds, count))
    // Long enough for the code to be compiled: what is compared is how fast it runs from then on.
    await sessions(platform, warmUpSeconds, connections)
    const ratios: number[] = []
    for (let round = 1; round <= rounds; round++) {
      await database.db`checkpoint`
      const bare = await alone.rate(seconds)
      const figure = await phase(connections)
      ratios.push(figure.rate / bare)
      console.log(
        `round ${round}: sessions ${lineOf(figure, smallest.write)}; ${alone.name} ${bare.toFixed(0)}/s, ` +
          `ratio ${(figure.rate / bare).toFixed(2)}; memory ${apiMemoryMiB(platform)} MiB`,
      )
    }
    for (const count of connectionCounts)
      console.log(`sessions with ${count} connections: ${lineOf(await phase(count), smallest.write)}`)
    const ratio = percentile(ratios, 0.5)
    console.log(`\nmedian ratio ${ratio.toFixed(2)}, goal 0.50: ${ratio >= 0.5 ? 'met' : 'MISSED'}`)
    const [row] = await database.db<{ n: number }>`select count(*)::int as n from journey`
    console.log(`${row!.n} journeys stored`)
    alone.remove()
  } finally {
    platform.stop()
    await database.stop()
  }
}

let people = 0

/** Requests for some seconds, each for a borrower nobody has seen. */
async function sessions({ url, tenant }: Api, seconds: number, connections: number): Promise<number[]> {
  const { hostname, port, host } = new URL(url)
  const headers = { authorization: `Bearer ${tenant.apiKey}` }
  const next = () => jsonRequest('POST', '/api/lab/sessions', host, headers, borrower())
  const { latencies } = await load({ host: hostname, port: Number(port), connections, seconds, next, status: 201 })
  return latencies
}

const borrower = () => {
  const number = ++people
  const sample = sampleBorrower(`bench-${process.pid}-${number}`)
  return { ...sample, profile: { ...sample.profile, contactNumber: `9${String(number).padStart(9, '0')}` } }
}

/** The statement that a session commits, its ids made by PostgreSQL, everything else as in a real one. */
function scriptOf({ env, tenant }: Api): Script {
  const { open, drawn, bucket } = openingSample(env, tenant)
  const values: unknown[] = []
  let text = ''
  const capture = (strings: TemplateStringsArray, ...given: unknown[]) => {
    text = textOf(new Fragment(strings, given), values)
    return Promise.resolve([])
  }
  void open(capture as unknown as Run)
  const statement = filled(text, values, (value) => {
    const name = value === bucket ? 'bucket' : typeof value === 'string' ? drawn[value] : undefined
    return name && `(select ${name} from drawn)`
  })
  const ids = [...new Set(Object.values(drawn))].map(
    (name) => `${name.endsWith('_text') ? 'uuidv7()::text' : 'uuidv7()'} as ${name}`,
  )
  const all = [...ids, 'floor(random() * 4096)::smallint as bucket'].join(', ')
  return { statements: [statement.replace(/^with /, `with drawn as materialized (select ${all}), `)] }
}

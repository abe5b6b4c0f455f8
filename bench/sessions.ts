// How fast sessions can be created, against the rate at which PostgreSQL commits the same rows by itself.
import { Fragment, type Run, textOf } from '#kit/sql.ts'
import { register } from '#platform/webhook/register.ts'
import { type Api, apiMemoryMiB, cpuMs, option, startApi, warmUpSeconds } from './setup/api.ts'
import { benchDatabase } from './setup/database.ts'
import { percentile, serverCpuMs } from './setup/figures.ts'
import { jsonRequest, load } from './setup/http-load.ts'
import { openingSample, sampleBorrower } from './setup/opening-sample.ts'
import { baseline, filled, type Script } from './setup/pgbench.ts'

export const about = `POST /api/lab/sessions for new borrowers, against pgbench committing the same rows with 8 clients
Goal: at least 0.5 of pgbench's rate, both on one machine in one run.
Options: --rounds <n> (3), --seconds <n> of each phase (5), --connections <n> (32).
Without pgbench an equal loop of 8 connections in Node stands in for it, and is named so.`

export async function run(args: string[]): Promise<void> {
  const [rounds, seconds, connections] = [
    option(args, 'rounds', 3),
    option(args, 'seconds', 5),
    option(args, 'connections', 32),
  ]
  const database = await benchDatabase()
  const platform = await startApi(database.url)
  try {
    const { tenant } = platform
    await database.db.tx((tx) =>
      register(tx, platform.seal, tenant, { url: 'https://app.example/hook', statuses: null }, new Date()),
    )
    const alone = baseline(database, scriptOf(platform))
    // Long enough for the code to be compiled: what is compared is how fast it runs from then on.
    await sessions(platform, warmUpSeconds, connections)
    const ratios: number[] = []
    for (let round = 1; round <= rounds; round++) {
      await database.db`checkpoint`
      const bare = await alone.rate(seconds)
      await database.db`checkpoint`
      const before = { own: cpuMs(platform), database: serverCpuMs(database.pid) }
      const latencies = await sessions(platform, seconds, connections)
      const count = latencies.length
      const own = (cpuMs(platform) - before.own) / count
      const server = (serverCpuMs(database.pid) - before.database) / count
      const rate = count / seconds
      ratios.push(rate / bare)
      console.log(
        `round ${round}: sessions ${rate.toFixed(0)}/s, ${alone.name} ${bare.toFixed(0)}/s, ratio ${(rate / bare).toFixed(2)}; ` +
          `p50 ${percentile(latencies, 0.5).toFixed(2)} ms, p99 ${percentile(latencies, 0.99).toFixed(2)} ms; ` +
          `CPU a request: platform ${(own * 1000).toFixed(0)} us, PostgreSQL ${(server * 1000).toFixed(0)} us; memory ${apiMemoryMiB(platform)} MiB`,
      )
    }
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
  const { open, drawn } = openingSample(env, tenant)
  const values: unknown[] = []
  let text = ''
  const capture = (strings: TemplateStringsArray, ...given: unknown[]) => {
    text = textOf(new Fragment(strings, given), values)
    return Promise.resolve([])
  }
  void open(capture as unknown as Run)
  const statement = filled(text, values, (value) => {
    const name = typeof value === 'string' ? drawn[value] : undefined
    return name && `(select ${name} from drawn)`
  })
  const ids = [...new Set(Object.values(drawn))].map(
    (name) => `${name.endsWith('_text') ? 'uuidv7()::text' : 'uuidv7()'} as ${name}`,
  )
  return { statements: [statement.replace(/^with /, `with drawn as materialized (select ${ids.join(', ')}), `)] }
}

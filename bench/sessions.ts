// Compares the rate of session creation with PostgreSQL committing the same rows.

import { required } from '@lendloom/foundation/required'
import { registerEndpoint } from '@lendloom/platform/src/integrators/webhook/manage-endpoints.ts'
import { Fragment, type Run, textOf } from '@lendloom/postgres/sql'
import { type Api, apiMemoryMiB, option, startApi, warmUpSeconds } from './setup/api.ts'
import { benchDatabase } from './setup/database.ts'
import { percentile } from './setup/figures.ts'
import { judge } from './setup/goals.ts'
import { jsonRequest, load } from './setup/http-load.ts'
import { connectionCounts, lineOf, measurePhase } from './setup/measure.ts'
import { openingSample, sampleBorrower } from './setup/opening-sample.ts'
import { baseline, renderStatement, type Script } from './setup/pgbench.ts'
import { measureMinimalServer } from './setup/smallest.ts'

export const about = `POST /api/lab/sessions for new borrowers, against pgbench committing the same rows with 8 clients
Goals: at least 0.5 of pgbench's rate, at most 2.0 times the CPU of the smallest server and 3.0 times with 8 connections, 160 MiB at
rest and 260 MiB under load, all on one machine in one run.
Then prints the latency for 8, 16, 32 and 64 connections, and the CPU relative to the smallest server, which writes one row with
bare Fastify and pg in the same run.
Options: --rounds <n> (3), --seconds <n> of each phase (5), --connections <n> (32) of the rounds,
--judged: only phases with a goal.
If pgbench is missing, an equivalent Node loop with 8 connections replaces it; the output says which.`

export async function run(args: string[]): Promise<void> {
  const rounds = option(args, 'rounds', 3)
  const seconds = option(args, 'seconds', 5)
  const connections = option(args, 'connections', 32)
  const database = await benchDatabase()
  const minimalServer = await measureMinimalServer(database, seconds)
  const platform = await startApi(database.url)
  const atRest = apiMemoryMiB(platform)
  try {
    const { tenant } = platform
    await database.db.tx((tx) =>
      registerEndpoint(tx, platform.seal, tenant, { url: 'https://app.example/hook', statuses: null, at: new Date() }),
    )
    const baselineRun = baseline(database, scriptOf(platform))
    const subject = { database, pids: [platform.pid] }
    const phase = (count: number) => measurePhase(subject, () => createSessions(platform, seconds, count))
    // Warms up until the code is compiled.
    await createSessions(platform, warmUpSeconds, connections)
    const ratios: number[] = []
    const costs: number[] = []
    for (let round = 1; round <= rounds; round++) {
      await database.db`checkpoint`
      const baselineRate = await baselineRun.rate(seconds)
      const figure = await phase(connections)
      ratios.push(figure.rate / baselineRate)
      costs.push(figure.cpu / minimalServer.write.cpu)
      console.log(
        `round ${round}: sessions ${lineOf(figure, minimalServer.write)}; ${baselineRun.name} ${baselineRate.toFixed(0)}/s, ` +
          `ratio ${(figure.rate / baselineRate).toFixed(2)}; memory ${apiMemoryMiB(platform)} MiB`,
      )
    }
    const underLoad = apiMemoryMiB(platform)
    const costsAt = new Map<number, number>()
    for (const count of connectionCounts(args, [fewConnections])) {
      const figure = await phase(count)
      costsAt.set(count, figure.cpu / minimalServer.write.cpu)
      console.log(`sessions with ${count} connections: ${lineOf(figure, minimalServer.write)}`)
    }
    const few = required(costsAt.get(fewConnections), 'the phase with the fewest connections')
    judge({ figure: 'sessions, rate of pgbench', value: percentile(ratios, 0.5), atLeast: 0.5 })
    judge({ figure: 'session, CPU of the smallest server', value: percentile(costs, 0.5), atMost: 2 })
    judge({ figure: `session with ${fewConnections} connections, CPU of the smallest server`, value: few, atMost: 3 })
    judge({ figure: 'API process at rest', value: atRest, unit: 'MiB', atMost: 160 })
    judge({ figure: 'API process under sessions', value: underLoad, unit: 'MiB', atMost: 260 })
    const [row] = await database.db<{ count: number }>`select count(*)::int as count from journey`
    console.log(`${row!.count} journeys stored`)
    baselineRun.remove()
  } finally {
    platform.stop()
    await database.stop()
  }
}

const fewConnections = 8

let borrowerCount = 0

/** Creates sessions for some seconds, each for a new borrower; returns the latencies. */
async function createSessions({ url, tenant }: Api, seconds: number, connections: number): Promise<number[]> {
  const { hostname, port, host } = new URL(url)
  const headers = { authorization: `Bearer ${tenant.apiKey}` }
  const next = () => jsonRequest('POST', '/api/lab/sessions', host, headers, borrower())
  const { latencies } = await load({ host: hostname, port: Number(port), connections, seconds, next, status: 201 })
  return latencies
}

const borrower = () => {
  const number = ++borrowerCount
  const sample = sampleBorrower(`bench-${process.pid}-${number}`)
  return { ...sample, profile: { ...sample.profile, contactNumber: `9${String(number).padStart(9, '0')}` } }
}

/** Captures the statement that a session commits, with ids generated by PostgreSQL. */
function scriptOf({ env, tenant }: Api): Script {
  const { open, generatedIds, bucket } = openingSample(env, tenant)
  const values: unknown[] = []
  let text = ''
  const capture = (strings: TemplateStringsArray, ...given: unknown[]) => {
    text = textOf(new Fragment(strings, given), values)
    return Promise.resolve([])
  }
  void open(capture as unknown as Run)
  const statement = renderStatement(text, values, (value) => {
    const name = value === bucket ? 'bucket' : typeof value === 'string' ? generatedIds[value] : undefined
    return name && `(select ${name} from drawn)`
  })
  const ids = [...new Set(Object.values(generatedIds))].map(
    (name) => `${name.endsWith('_text') ? 'uuidv7()::text' : 'uuidv7()'} as ${name}`,
  )
  const columns = [...ids, 'floor(random() * 4096)::smallint as bucket'].join(', ')
  return { statements: [statement.replace(/^with /, `with drawn as materialized (select ${columns}), `)] }
}

// Each statement about a borrower goes to one server: runs the suite's journeys on Citus and reads its statement counts.
import { placementOf } from '@lendloom/cli/src/database/placement.ts'
import { databaseUrl } from '@lendloom/cli/src/postgres/server.ts'
import { connect } from '@lendloom/postgres/sql'
import { runStatements as statement } from '@lendloom/tests/setup/distributed'
import type { Outcome } from './main.ts'
import { checks, wordsOf } from './setup/checks.ts'
import { missingCitus, startCitus } from './setup/citus.ts'
import { several, type Why } from './setup/several-servers.ts'
import { routedFiles, runTests, selected } from './setup/tests-over-citus.ts'

export const about = `Every statement about a borrower goes to one server: the suite's journeys on Citus, and the statements that do not
A coordinator and two servers for rows run the suite's own journeys: hosted and headless personal loans, gold loans, loans
against mutual funds, second offers, every ending, servicing, complaints; loans of one lending partner, of two, and of an
independent one, bank statements, videos, autopilot, the account aggregator, several integrators, both APIs, key rotation; and
day and month ends of the partner's whole book, claims and refunds. Citus counts each statement by bucket or case. Statements
without one that read or write borrowers' rows must be in a list of exceptions with reasons: lists, claims, counts, and
statements for one bucket or case that Citus plans in several steps. Control: a statement without a bucket is detected.
Options: --files <texts> in the paths of the files, separated by commas.`

export const missing = missingCitus

export async function run(args: string[]): Promise<Outcome> {
  const files = selected(routedFiles, args)
  const citus = await startCitus({ servers: 2 })
  const all = checks()
  try {
    for (const file of files) {
      const { passed, failed, seconds } = await runTests(file, citus)
      all.note(
        `${file} passes over two servers`,
        failed === 0 && passed > 0,
        `${passed} tests, ${seconds.toFixed(0)} s`,
      )
    }
    all.note('the servers counted every statement', (await evictions(citus.coordinator.url)) === 0)
    const found = new Map<string, number>()
    let routed = 0
    for (const name of await databasesOf(citus.coordinator.url)) {
      const url = databaseUrl(citus.coordinator.url, name)
      routed += await routedCalls(url)
      for (const { query, calls } of await unrouted(url)) found.set(query, (found.get(query) ?? 0) + calls)
    }
    const listed = [...found].map(([query, calls]) => ({ query, calls, why: whyOf(query) }))
    for (const [reason, calls] of byReason(listed)) console.log(`${String(calls).padStart(7)}  ${reason}`)
    const unlisted = listed.filter(({ why }) => why === null)
    for (const { query, calls } of unlisted) console.log(`not listed, ${calls} times: ${query.slice(0, 2000)}`)
    all.note('every unrouted statement has a listed reason', unlisted.length === 0, `${unlisted.length} have none`)
    all.note('control: a statement without a bucket is detected', await control(citus))
    const others = listed.reduce((sum, { calls }) => sum + calls, 0)
    const share = ((100 * routed) / Math.max(1, routed + others)).toFixed(1)
    const figures = `${routed} statements went to one bucket, ${others} of ${listed.length} kinds did not (${share} % routed)`
    return { passed: all.failed.length === 0, figures: `${figures}; ${wordsOf(all)}` }
  } finally {
    citus.stop()
  }
}

const whyOf = (query: string): Why | null => several.find(({ statement }) => statement.test(query)) ?? null

function byReason(listed: { calls: number; why: Why | null }[]): [string, number][] {
  const sums = new Map<string, number>()
  for (const { calls, why } of listed) if (why) sums.set(why.because, (sums.get(why.because) ?? 0) + calls)
  return [...sums].sort(([, a], [, b]) => b - a)
}

async function databasesOf(url: string): Promise<string[]> {
  const rows = await statement<{ datname: string }>(
    url,
    `select datname from pg_database where datname ~ '^(platform|partner)_'`,
  )
  return rows.map(({ datname }) => datname)
}

/** Number of times that pg_stat_statements evicted rare statements. */
async function evictions(url: string): Promise<number> {
  const [name] = await databasesOf(url)
  if (!name) return 0
  const [row] = await statement<{ dealloc: string }>(
    databaseUrl(url, name),
    'select dealloc from pg_stat_statements_info',
  )
  return Number(row?.dealloc)
}

const here = `dbid = (select oid from pg_database where datname = current_database())`

async function routedCalls(url: string): Promise<number> {
  const [row] = await statement<{ calls: string }>(
    url,
    `select coalesce(sum(calls), 0) as calls from citus_stat_statements where ${here} and partition_key is not null`,
  )
  return Number(row?.calls ?? 0)
}

/** Statements without a single bucket that name a distributed table. */
async function unrouted(url: string): Promise<{ query: string; calls: number }[]> {
  const db = connect(url, { connections: 1 })
  const program = new URL(url).pathname.startsWith('/platform') ? 'platform' : 'partner'
  const { dealt } = await placementOf(program, db).finally(() => db.close())
  const names = new RegExp(`\\b(?:from|join|into|update)\\s+(?:only\\s+)?(?:${Object.keys(dealt).join('|')})\\b`, 'i')
  const rows = await statement<{ query: string; calls: string }>(
    url,
    `select query, sum(calls) as calls from citus_stat_statements where ${here} and partition_key is null group by query`,
  )
  return rows
    .map(({ query, calls }) => ({ query: query.replace(/\s+/g, ' ').trim(), calls: Number(calls) }))
    .filter(({ query }) => names.test(query))
}

async function control({ coordinator }: Awaited<ReturnType<typeof startCitus>>): Promise<boolean> {
  for (const name of (await databasesOf(coordinator.url)).filter((each) => each.startsWith('platform'))) {
    const url = databaseUrl(coordinator.url, name)
    if ((await routedCalls(url)) === 0) continue
    await statement(
      url,
      `select max(version) from journey where network_transaction_id = '00000000-0000-0000-0000-000000000000'`,
    )
    return (await unrouted(url)).some(({ query }) => query.startsWith('select max(version) from journey where'))
  }
  return false
}

// The load of idle workers on a database, and their wake-up time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation } from './installation.ts'
import { until } from './until.ts'

/** Time until idle database sessions have reported their statistics. */
const settlingMs = 12_000

/** Returns the transactions per second of each idle program, counted by PostgreSQL. */
export async function idleTransactions(
  { databaseUrls, sandboxDb }: Pick<Installation, 'databaseUrls' | 'sandboxDb'>,
  seconds: number,
): Promise<Record<'platform' | 'partner', number>> {
  // Queried through the sandbox's database, so that the query is not counted.
  const countOf = async (url: string): Promise<number> => {
    const [row] = await sandboxDb<{ count: number }>`
      select (xact_commit + xact_rollback)::float8 as count from pg_stat_database
      where datname = ${new URL(url).pathname.slice(1)}`
    return row?.count ?? 0
  }
  const both = () => Promise.all([countOf(databaseUrls.platform), countOf(databaseUrls.partner)])
  await sleep(settlingMs)
  const [platform, partner] = await both()
  await sleep(seconds * 1000)
  const [platformAfter, partnerAfter] = await both()
  return { platform: (platformAfter - platform) / seconds, partner: (partnerAfter - partner) / seconds }
}

/** Returns the median milliseconds from an act to its effect in an otherwise idle installation. */
export async function wakeUpMs(times: number, act: () => Promise<() => boolean>): Promise<number> {
  const all: number[] = []
  for (let i = 0; i < times; i++) {
    await sleep(700)
    const isDone = await act()
    const began = performance.now()
    await until(isDone, 'the woken worker is done', 30)
    all.push(performance.now() - began)
  }
  return all.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN
}

// What workers cost a database when there is nothing to do, and how soon they begin when there is.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation } from './installation.ts'
import { until } from './until.ts'

/** Until sessions of the database that have ended their work have told it how much there was. */
const settlingMs = 12_000

/** Transactions that each program makes in a second, counted by PostgreSQL over so many seconds in which nothing comes. */
export async function idleTransactions(
  { databaseUrls, sandboxDb }: Pick<Installation, 'databaseUrls' | 'sandboxDb'>,
  seconds: number,
): Promise<Record<'platform' | 'partner', number>> {
  // Asked from the sandbox's database, so that it is not counted itself.
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

/** The median of the milliseconds from each act to what it wakes; one after the other, each while nothing else is done. */
export async function wakeUpMs(times: number, act: () => Promise<() => boolean>): Promise<number> {
  const all: number[] = []
  for (let i = 0; i < times; i++) {
    await sleep(700)
    const isDone = await act()
    const began = performance.now()
    await until(isDone, 'what was woken is done', 30)
    all.push(performance.now() - began)
  }
  return all.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN
}

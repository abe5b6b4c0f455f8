// Measures how rows are distributed over several servers, and moves shards.
import { runStatements } from '@lendloom/tests/setup/distributed'
import type { Server } from './citus.ts'

export async function rowsByShard(url: string, table: string): Promise<number[]> {
  const rows = await runStatements<{ result: string }>(
    url,
    `select result from run_command_on_shards('${table}', 'select count(*) from %s')`,
  )
  return rows.map(({ result }) => Number(result))
}

export interface Spread {
  mean: number
  /** Standard deviation. */
  deviation: number
  /** The expected standard deviation if rows were placed at random. */
  expected: number
}

export function spreadOf(rows: number[]): Spread {
  const mean = rows.reduce((sum, count) => sum + count, 0) / rows.length
  const deviation = Math.sqrt(rows.reduce((sum, count) => sum + (count - mean) ** 2, 0) / rows.length)
  return { mean, deviation, expected: Math.sqrt(mean * (1 - 1 / rows.length)) }
}

/** Adds a server to a database and moves its share of the shards there during operation. Returns the number of moved shards. */
export async function moveShareTo(url: string, { port }: Server): Promise<number> {
  await runStatements(url, `select citus_add_node('127.0.0.1', ${port})`)
  await runStatements(url, `select rebalance_table_shards()`)
  const [row] = await runStatements<{ count: string }>(
    url,
    `select count(*) as count from citus_shards where nodeport = ${port} and citus_table_type = 'distributed'`,
  )
  return Number(row?.count ?? 0)
}

// Where rows are over several servers, and moving them.
import { runStatements } from '#test/setup/distributed.ts'
import type { Server } from './citus.ts'

/** How many rows of a table each of its shards has. */
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
  /** The standard deviation where each row were in a shard by chance. */
  expected: number
}

export function spreadOf(rows: number[]): Spread {
  const mean = rows.reduce((sum, count) => sum + count, 0) / rows.length
  const deviation = Math.sqrt(rows.reduce((sum, count) => sum + (count - mean) ** 2, 0) / rows.length)
  return { mean, deviation, expected: Math.sqrt(mean * (1 - 1 / rows.length)) }
}

/** Adds a server to a database and moves its share of the shards there, while all goes on. Gives how many were moved. */
export async function moveShareTo(url: string, { port }: Server): Promise<number> {
  await runStatements(url, `select citus_add_node('127.0.0.1', ${port})`)
  await runStatements(url, `select rebalance_table_shards()`)
  const [row] = await runStatements<{ count: string }>(
    url,
    `select count(*) as count from citus_shards where nodeport = ${port} and citus_table_type = 'distributed'`,
  )
  return Number(row?.count ?? 0)
}

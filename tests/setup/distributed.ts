// Test databases on a Citus cluster that `npm run prove` has started: the same tests on the distributed engine.
import { placementOf } from '@lendloom/cli/src/database/placement.ts'
import { migrationsOf } from '@lendloom/cli/src/migrations.ts'
import { databaseUrl } from '@lendloom/cli/src/postgres/server.ts'
import { distribute } from '@lendloom/postgres/citus'
import { migrate } from '@lendloom/postgres/migrate'
import { connect } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { Client } from 'pg'

export interface Cluster {
  /** Urls of maintenance databases. */
  coordinator: { url: string; port: number }
  /** Servers that may hold rows. */
  servers: { url: string; port: number }[]
  /** The server that the programs connect to; default: the coordinator. */
  entry?: { url: string } | undefined
}

/** Environment variable with the cluster as JSON; if unset, databases are on one server. */
export const clusterVariable = 'LENDLOOM_TEST_CITUS'

export function testCluster(): Cluster | null {
  const clusterJson = process.env[clusterVariable]
  return clusterJson ? JSON.parse(clusterJson) : null
}

/** Creates an empty database on the cluster, with rows on this many servers; returns its URL at the coordinator. */
export async function createClusterDatabase(
  { coordinator, servers }: Cluster,
  name: string,
  dataServers = servers.length,
): Promise<string> {
  for (const server of [coordinator, ...servers]) {
    await runStatements(server.url, `create database ${name}`)
    await runStatements(databaseUrl(server.url, name), 'create extension citus; create extension pg_stat_statements')
  }
  const url = databaseUrl(coordinator.url, name)
  await runStatements(url, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`)
  for (const { port } of servers.slice(0, dataServers))
    await runStatements(url, `select citus_add_node('127.0.0.1', ${port})`)
  return url
}

/** Few shards, because a test has few rows and every shard is a table. */
const shards = 8

/** Creates a migrated, distributed database of a program. */
export async function distributedDatabase(cluster: Cluster, program: 'platform' | 'partner'): Promise<string> {
  const name = `${program}_${uuidv4().replaceAll('-', '')}`
  const url = await createClusterDatabase(cluster, name)
  const db = connect(url, { connections: 1 })
  try {
    await migrate(db, migrationsOf[program])
    await distribute(db, await placementOf(program, db), shards, () => {})
  } finally {
    await db.close()
  }
  return databaseUrl((cluster.entry ?? cluster.coordinator).url, name)
}

/** Runs statements on a new connection and returns the rows of the last one. */
export async function runStatements<Row = unknown>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const result = await client.query(text)
    return (Array.isArray(result) ? result.at(-1) : result).rows
  } finally {
    await client.end()
  }
}

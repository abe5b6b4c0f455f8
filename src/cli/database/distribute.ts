// `lendloom database distribute`: distributes the tables of a program over Citus workers.
import { listOtherConnections, type MovedTable, distribute as move, serversOf } from '#kit/db/citus.ts'
import type { Db } from '#kit/db/sql.ts'
import { CannotRun, type CommandCall, command, table, UsageError } from '../command.ts'
import { withDatabase } from '../database.ts'
import { distributedOf, placementOf, programOption } from './program.ts'

const options = {
  ...programOption,
  shards: { type: 'string', value: 'count', about: 'shards per table, at least one per future server (default: 32)' },
} as const

export const distribute = command({
  name: 'database distribute',
  summary: 'distribute the tables of a stopped program over Citus workers',
  usage: '--program platform|partner [--shards <count>]',
  options,
  async run({ options: { program: given, shards: count = '32' }, json, env }: CommandCall<typeof options>) {
    const program = distributedOf(given)
    const shards = Number(count)
    if (!/^\d{1,4}$/.test(count) || shards < 1 || shards > mostShards)
      throw new UsageError(`--shards must be a number from 1 to ${mostShards}, not "${count}"`)
    return withDatabase(program, env, async (db) => {
      const servers = await requireServers(db)
      const others = await listOtherConnections(db)
      if (others.length > 0)
        throw new CannotRun(`stop all other connections first; still connected:\n  ${others.join('\n  ')}`)
      const placement = await placementOf(program, db)
      const moved = await move(db, placement, shards, (one) => {
        if (!json) process.stderr.write(`${lineOf(one)}\n`)
      })
      const data = { program, servers, moved: moved.map((one) => ({ ...one, rows: Number(one.rows) })) }
      return { text: textOf(moved, servers), data }
    })
  },
})

/** The number of buckets: a borrower's tables on the platform cannot have more shards. */
const mostShards = 4096

/** Throws `CannotRun` with instructions if the database has no Citus workers. */
async function requireServers(db: Db): Promise<string[]> {
  const servers = await serversOf(db)
  if (servers === null)
    throw new CannotRun('the database has no Citus extension: run "create extension citus" in it, on every server')
  if (servers.length === 0)
    throw new CannotRun('there is no worker: add each with "select citus_add_node(host, port)" on the coordinator')
  return servers
}

const kinds = { dealt: 'dealt', whole: 'on every server', coordinator: 'coordinator only' }
const lineOf = ({ table: name, kind, rows }: MovedTable): string => `${name}: ${rows} rows, ${kinds[kind]}`

function textOf(moved: MovedTable[], servers: string[]): string {
  if (moved.length === 0) return 'Every table is in its place already.'
  const cells = moved.map(({ table: name, kind, rows }) => [name, kinds[kind], String(rows)])
  return `${table(['table', 'placed', 'rows'], cells)}\n\nAll rows are as they were; they are on ${servers.join(', ')}.`
}

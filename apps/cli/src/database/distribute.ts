// `lendloom database distribute`: distributes the tables of a program over Citus workers.
import { listOtherConnections, type MovedTable, distribute as move, serversOf } from '@lendloom/postgres/citus'
import type { Db } from '@lendloom/postgres/sql'
import { CannotRun, type CommandCall, command, table, UsageError } from '../command.ts'
import { withDatabase } from '../database.ts'
import { placementOf } from './placement.ts'
import { distributedProgram, programOption } from './program-option.ts'

const options = {
  ...programOption,
  shards: { type: 'string', value: 'count', about: 'shards per table, at least one per future server (default: 32)' },
} as const

export const distribute = command({
  name: 'database distribute',
  summary: 'distribute the tables of a stopped program over Citus workers',
  usage: '--program platform|partner [--shards <count>]',
  options,
  async run({ options: { program: programName, shards: count = '32' }, json, env }: CommandCall<typeof options>) {
    const program = distributedProgram(programName)
    const shards = Number(count)
    if (!/^\d{1,4}$/.test(count) || shards < 1 || shards > maxShards)
      throw new UsageError(`--shards must be a number from 1 to ${maxShards}, not "${count}"`)
    return withDatabase(program, env, async (db) => {
      const servers = await requireServers(db)
      const others = await listOtherConnections(db)
      if (others.length > 0)
        throw new CannotRun(`stop all other connections first; still connected:\n  ${others.join('\n  ')}`)
      const placement = await placementOf(program, db)
      const moved = await move(db, placement, shards, (movedTable) => {
        if (!json) process.stderr.write(`${lineOf(movedTable)}\n`)
      })
      const data = { program, servers, moved: moved.map((each) => ({ ...each, rows: Number(each.rows) })) }
      return { text: textOf(moved, servers), data }
    })
  },
})

/** The number of buckets: the tables of a borrower's data on the platform cannot have more shards. */
const maxShards = 4096

/** Throws `CannotRun` with instructions if the database has no Citus workers. */
async function requireServers(db: Db): Promise<string[]> {
  const servers = await serversOf(db)
  if (servers === null)
    throw new CannotRun('the database has no Citus extension: run "create extension citus" in it, on every server')
  if (servers.length === 0)
    throw new CannotRun('there is no worker: add each with "select citus_add_node(host, port)" on the coordinator')
  return servers
}

/** What the commands print for each kind of placement. */
export const placementLabels = { dealt: 'distributed', whole: 'on every server', coordinator: 'coordinator only' }
const lineOf = ({ table: name, kind, rows }: MovedTable): string => `${name}: ${rows} rows, ${placementLabels[kind]}`

function textOf(moved: MovedTable[], servers: string[]): string {
  if (moved.length === 0) return 'All tables are distributed already.'
  const tables = table(moved, [
    { head: 'table', of: ({ table: name }) => name },
    { head: 'placed', of: ({ kind }) => placementLabels[kind] },
    { head: 'rows', of: ({ rows }) => String(rows) },
  ])
  return `${tables}\n\nThe rows are unchanged; the servers are ${servers.join(', ')}.`
}

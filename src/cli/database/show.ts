// `lendloom database show`: the placement and size of a program's tables.
import { placedTables, serversOf } from '#kit/db/citus.ts'
import { CannotRun, type CommandCall, command, table } from '../command.ts'
import { withDatabase } from '../database.ts'
import { placements } from './distribute.ts'
import { distributedProgram, programOption } from './program.ts'

export const show = command({
  name: 'database show',
  summary: 'show the placement, distribution column and size of each table',
  usage: '--program platform|partner',
  options: programOption,
  run: ({ options: { program: programName }, env }: CommandCall<typeof programOption>) =>
    withDatabase(distributedProgram(programName), env, async (db) => {
      const servers = await serversOf(db)
      if (servers === null) throw new CannotRun('the database has no Citus extension: all tables are on one server')
      const tables = await placedTables(db)
      const cells = tables.map(({ name, kind, by, shards, bytes }) => [
        name,
        kind === null ? 'not placed' : placements[kind],
        by ?? '',
        kind === 'dealt' ? String(shards) : '',
        `${(Number(bytes) / 1024 / 1024).toFixed(1)} MiB`,
      ])
      const data = { servers, tables: tables.map((each) => ({ ...each, bytes: Number(each.bytes) })) }
      return {
        text: `${table(['table', 'placed', 'by', 'shards', 'size'], cells)}\n\nServers: ${servers.join(', ')}`,
        data,
      }
    }),
})

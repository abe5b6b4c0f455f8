// `lendloom database show`: the placement and size of a program's tables.
import { placedTables, serversOf } from '@lendloom/postgres/citus'
import { CannotRun, type CommandCall, command, table } from '../command.ts'
import { withDatabase } from '../database.ts'
import { placementLabels } from './distribute.ts'
import { distributedProgram, programOption } from './program-option.ts'

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
      const data = { servers, tables: tables.map((each) => ({ ...each, bytes: Number(each.bytes) })) }
      const text = table(tables, [
        { head: 'table', of: ({ name }) => name },
        { head: 'placed', of: ({ kind }) => (kind === null ? 'not placed' : placementLabels[kind]) },
        { head: 'by', of: ({ by }) => by },
        { head: 'shards', of: ({ kind, shards }) => (kind === 'dealt' ? String(shards) : '') },
        { head: 'size', of: ({ bytes }) => `${(Number(bytes) / 1024 / 1024).toFixed(1)} MiB` },
      ])
      return {
        text: `${text}\n\nServers: ${servers.join(', ')}`,
        data,
      }
    }),
})

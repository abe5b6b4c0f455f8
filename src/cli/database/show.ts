// `lendloom database show`: where the tables of a program are, and how large they are.
import { placedTables, serversOf } from '#kit/db/citus.ts'
import { CannotRun, type CommandCall, command, table } from '../command.ts'
import { withDatabase } from '../database.ts'
import { distributedOf, programOption } from './program.ts'

export const show = command({
  name: 'database show',
  summary: 'where each table of a program is, by which column it is dealt, and its size',
  usage: '--program platform|partner',
  options: programOption,
  run: ({ options: { program: given }, env }: CommandCall<typeof programOption>) =>
    withDatabase(distributedOf(given), env, async (db) => {
      const servers = await serversOf(db)
      if (servers === null) throw new CannotRun('the database has no Citus: one server has all of its tables')
      const tables = await placedTables(db)
      const cells = tables.map(({ name, kind, by, shards, bytes }) => [
        ...[
          name,
          kind ?? 'not placed',
          by ?? '',
          kind === 'dealt' ? String(shards) : '',
          `${(Number(bytes) / 1024 / 1024).toFixed(1)} MiB`,
        ],
      ])
      const data = { servers, tables: tables.map((one) => ({ ...one, bytes: Number(one.bytes) })) }
      return {
        text: `${table(['table', 'placed', 'by', 'shards', 'size'], cells)}\n\nServers: ${servers.join(', ')}`,
        data,
      }
    }),
})

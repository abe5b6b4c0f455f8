// Where each table of a program is placed when its database is distributed over several servers.

import type { Placement } from '@lendloom/postgres/citus'
import type { Run } from '@lendloom/postgres/sql'
import type { Program } from '#cli/program-names.ts'

/** The sandbox simulates the outside world; its tables stay on one server. */
export type DistributedProgram = Exclude<Program, 'sandbox'>

/** The distribution column: tables that have it are distributed by its value. */
const distributionColumns: Record<DistributedProgram, string> = { platform: 'bucket', partner: 'case_ref' }

/** Small, rarely written tables that are joined with borrowers' rows: copied to every server. */
const replicated: Record<DistributedProgram, readonly string[]> = {
  platform: [
    'tenant',
    'application',
    'application_theme',
    'api_key',
    'webhook_endpoint',
    'webhook_outage',
    'lender',
    'lender_switch',
    'lender_igm_version',
    'lending_partner',
  ],
  partner: ['staff', 'provision_rate'],
}

/** Tables that stay on the coordinator, because a statement writes them together with a table that must stay there. */
const coordinatorTables = ['inbox_waiting']

/** Returns how to distribute the tables of a program's database. A table stays on the coordinator if a unique key of it, such as a message id, lacks the distribution column. */
export async function placementOf(program: DistributedProgram, db: Run): Promise<Placement> {
  const column = distributionColumns[program]
  const tables = await db<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = ${column} and not a.attisdropped
      and c.relname <> all(${coordinatorTables}::text[])
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum <> all(i.indkey::int[]))
    order by c.relname`
  return { dealt: Object.fromEntries(tables.map(({ name }) => [name, column])), whole: replicated[program] }
}

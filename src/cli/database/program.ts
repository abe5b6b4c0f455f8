// The option that selects a database, and the placement of each program's tables on servers.
import { requireOption } from '#cli/command.ts'
import { type Program, programOf } from '#cli/programs.ts'
import type { Placement } from '#kit/db/citus.ts'
import type { Run } from '#kit/db/sql.ts'

export const programOption = {
  program: { type: 'string', value: 'platform|partner', about: 'program of the database' },
} as const

export const distributedOf = (given: string | undefined): DistributedProgram =>
  programOf(requireOption(given, 'program'), ['platform', 'partner'])

/** The sandbox simulates the outside world; its tables stay on one server. */
export type DistributedProgram = Exclude<Program, 'sandbox'>

/** Tables with this column are distributed by it. */
const dealtBy: Record<DistributedProgram, string> = { platform: 'bucket', partner: 'case_ref' }

/** Small, rarely written tables that are joined with borrowers' rows: copied to every server. */
const whole: Record<DistributedProgram, readonly string[]> = {
  platform: [
    ...['tenant', 'application', 'application_theme', 'api_key', 'webhook_endpoint', 'webhook_outage'],
    ...['lender', 'lender_switch', 'lending_partner'],
  ],
  partner: ['staff', 'provision_rate'],
}

/** Stay on the coordinator, because one statement writes them with a table that must stay there. */
const beside = ['inbox_waiting']

/**
 * A table can be distributed by a column that is part of all its unique keys. A table with another unique key, such as a
 * sender's message id, stays on the coordinator.
 */
export async function placementOf(program: DistributedProgram, db: Run): Promise<Placement> {
  const by = dealtBy[program]
  const tables = await db<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = ${by} and not a.attisdropped
      and c.relname <> all(${beside}::text[])
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum <> all(i.indkey::int[]))
    order by c.relname`
  return { dealt: Object.fromEntries(tables.map(({ name }) => [name, by])), whole: whole[program] }
}

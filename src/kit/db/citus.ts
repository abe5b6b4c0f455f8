// A database over several servers, by Citus: tables that are distributed by a column, tables that every server has, and
// moving rows there.
import { required } from '#kit/runtime/record.ts'
import { type Db, Fragment, type Run, sql } from './sql.ts'

/** The placement of a program's tables. A table in neither list stays on the coordinator, where Citus knows it. */
export interface Placement {
  /** Tables by their distribution column: rows with an equal value are on one server. */
  dealt: Record<string, string>
  /** Small tables that every statement may need: each server has all of their rows. */
  whole: readonly string[]
}

type TableKind = 'dealt' | 'whole' | 'coordinator'

export interface PlacedTable {
  name: string
  /** Null when Citus does not know it, because it was created later. */
  kind: TableKind | null
  /** The distribution column. */
  by: string | null
  /** The number of shards; 1 for a table that is not distributed. */
  shards: number
  bytes: bigint
}

export interface MovedTable {
  table: string
  kind: TableKind
  rows: bigint
}

/**
 * Servers that take rows, as host:port, in the order of their addition; null when Citus does not distribute the
 * database.
 */
export async function serversOf(db: Run): Promise<string[] | null> {
  const [has] = await db`select 1 from pg_extension where extname = 'citus'`
  if (!has) return null
  const rows = await db<{ server: string }>`
    select nodename || ':' || nodeport as server from pg_dist_node
    where isactive and shouldhaveshards and noderole = 'primary' order by nodeid`
  return rows.map(({ server }) => server)
}

/** Whether Citus distributes rows over servers. */
export async function isDistributed(db: Run): Promise<boolean> {
  if ((await serversOf(db)) === null) return false
  return (await db`select 1 from pg_dist_partition where partmethod = 'h' limit 1`).length > 0
}

/** All tables of a program in a database that Citus distributes. */
export const placedTables = (db: Run): Promise<PlacedTable[]> => db<PlacedTable>`
  select c.relname as name, coalesce(t.shard_count, 1)::integer as shards,
    case t.citus_table_type when 'distributed' then 'dealt' when 'reference' then 'whole' when 'local' then 'coordinator' end as kind,
    case t.citus_table_type when 'distributed' then t.distribution_column end as by,
    case when t.citus_table_type is null then pg_total_relation_size(c.oid) else citus_total_relation_size(c.oid) end::bigint as bytes
  from pg_class c left join citus_tables t on t.table_name = c.oid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by c.relname`

/**
 * Other connections to the database, by application and address. Nothing else may be connected while rows are moved.
 */
export async function listOtherConnections(db: Run): Promise<string[]> {
  const rows = await db<{ who: string }>`
    select distinct coalesce(nullif(application_name, ''), 'a program') || ' at ' || coalesce(host(client_addr), 'this machine') as who
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and application_name not like 'citus%' order by 1`
  return rows.map(({ who }) => who)
}

/**
 * Places the tables that are not placed yet and moves their rows, in one transaction. Each table is read before and
 * after, and the move is aborted when a row differs. `shards` is the number of shards per distributed table.
 */
export async function distribute(
  db: Db,
  placement: Placement,
  shards: number,
  onMoved: (moved: MovedTable) => void,
): Promise<MovedTable[]> {
  const steps = stepsOf(placement, await placedTables(db))
  const moved: MovedTable[] = []
  await db.tx(async (tx) => {
    moved.length = 0
    // Statement by statement on each server: in parallel they would not see each other's rows.
    await tx`select set_config('citus.multi_shard_modify_mode', 'sequential', true), set_config('citus.shard_count', ${String(shards)}, true)`
    for (const { table, kind, place } of steps) {
      const before = await contentOf(tx, table)
      await tx`${place}`
      const after = await contentOf(tx, table)
      if (after.digest !== before.digest || after.rows !== before.rows)
        throw new Error(`${table} had ${before.rows} rows and has ${after.rows}, or other values: nothing was moved`)
      const one = { table, kind, rows: before.rows }
      moved.push(one)
      onMoved(one)
    }
  })
  // Citus keeps the local copy of a placed table, which disturbs everything that reads the disk.
  for (const { table, kind } of moved)
    if (kind !== 'coordinator') await db`select truncate_local_data_after_distributing_table(${table})`
  return moved
}

interface DistributionStep {
  table: string
  kind: TableKind
  /** The statement that places it. */
  place: Fragment
}

function stepsOf({ dealt, whole }: Placement, tables: PlacedTable[]): DistributionStep[] {
  const waiting = tables.filter(({ kind }) => kind === null).map(({ name }) => name)
  // Tables that are distributed by columns of one type have their shards at the same servers.
  const first = Object.keys(dealt).find((table) => !waiting.includes(table)) ?? Object.keys(dealt)[0]
  const stepOf = (table: string): DistributionStep => {
    const by = dealt[table]
    if (by !== undefined) {
      const beside = table === first ? 'default' : first
      return {
        table,
        kind: 'dealt',
        place: sql`select create_distributed_table(${table}, ${by}, colocate_with => ${beside})`,
      }
    }
    if (whole.includes(table)) return { table, kind: 'whole', place: sql`select create_reference_table(${table})` }
    // Citus prepares a commit on every server that it knows to have been written to. Of a table that it does not know, a
    // crash between two commits would leave the one without the other.
    return { table, kind: 'coordinator', place: sql`select citus_add_local_table_to_metadata(${table})` }
  }
  const steps = waiting.map(stepOf)
  return (['whole', 'dealt', 'coordinator'] as const).flatMap((which) => steps.filter(({ kind }) => kind === which))
}

/** How many rows a table has, and a sum over all of their values that does not depend on where or in which order they are. */
async function contentOf(tx: Run, table: string): Promise<{ rows: bigint; digest: string }> {
  const columns = await tx<{ name: string; type: string }>`
    select attname as name, atttypid::regtype::text as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`
  // A time as text depends on the time zone of the server.
  const values = columns.map(({ name, type }) =>
    type === 'timestamp with time zone' ? `extract(epoch from "${name}")` : `"${name}"`,
  )
  const read = `select count(*)::bigint as rows, coalesce(sum(hashtextextended(row(${values.join(', ')})::text, 0)::numeric), 0)::text as digest from "${table}"`
  const [found] = await tx<{ rows: bigint; digest: string }>`${new Fragment([read], [])}`
  return required(found, 'a count')
}

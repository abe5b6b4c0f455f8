// Places the tables of a program on the servers of a Citus database, and moves their rows.
import { required } from '@lendloom/foundation/required'
import { type Db, Fragment, type Run, sql } from './sql.ts'

/** The placement of a program's tables. A table in neither list stays on the coordinator, managed by Citus. */
export interface Placement {
  /** Distributed tables, with their distribution column. Rows with an equal value are on one server. */
  dealt: Record<string, string>
  /** Reference tables: every server has all their rows. */
  whole: readonly string[]
}

type TableKind = 'dealt' | 'whole' | 'coordinator'

export interface PlacedTable {
  name: string
  /** Null for a table that Citus does not manage, because it was created later. */
  kind: TableKind | null
  /** The distribution column; null for other tables. */
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

/** Lists the servers that store rows, as host:port, in order of their addition; null without the Citus extension. */
export async function serversOf(db: Run): Promise<string[] | null> {
  const [extension] = await db`select 1 from pg_extension where extname = 'citus'`
  if (!extension) return null
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

/** Lists all tables of a program in a Citus database. */
export const placedTables = (db: Run): Promise<PlacedTable[]> => db<PlacedTable>`
  select c.relname as name, coalesce(t.shard_count, 1)::integer as shards,
    case t.citus_table_type when 'distributed' then 'dealt' when 'reference' then 'whole' when 'local' then 'coordinator' end as kind,
    case t.citus_table_type when 'distributed' then t.distribution_column end as by,
    case when t.citus_table_type is null then pg_total_relation_size(c.oid) else citus_total_relation_size(c.oid) end::bigint as bytes
  from pg_class c left join citus_tables t on t.table_name = c.oid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by c.relname`

/** Lists other connections to the database by application and address. None may exist while rows are moved. */
export async function listOtherConnections(db: Run): Promise<string[]> {
  const rows = await db<{ who: string }>`
    select distinct coalesce(nullif(application_name, ''), 'a program') || ' at ' || coalesce(host(client_addr), 'this machine') as who
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and application_name not like 'citus%' order by 1`
  return rows.map(({ who }) => who)
}

/**
 * Places the tables that are not placed yet and moves their rows, in one transaction. Aborts if the content of a table
 * differs afterwards. `shards` is the number of shards per distributed table.
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
    // Sequential, because statements in parallel would not see each other's rows.
    await tx`select set_config('citus.multi_shard_modify_mode', 'sequential', true), set_config('citus.shard_count', ${String(shards)}, true)`
    for (const { table, kind, statement } of steps) {
      const before = await contentOf(tx, table)
      await tx`${statement}`
      const after = await contentOf(tx, table)
      if (after.digest !== before.digest || after.rows !== before.rows)
        throw new Error(`${table} had ${before.rows} rows and has ${after.rows}, or other values: nothing was moved`)
      const movedTable = { table, kind, rows: before.rows }
      moved.push(movedTable)
      onMoved(movedTable)
    }
  })
  // Citus keeps the local copy of a moved table; this deletes the copy.
  for (const { table, kind } of moved)
    if (kind !== 'coordinator') await db`select truncate_local_data_after_distributing_table(${table})`
  return moved
}

interface DistributionStep {
  table: string
  kind: TableKind
  /** The statement that places the table. */
  statement: Fragment
}

function stepsOf({ dealt, whole }: Placement, tables: PlacedTable[]): DistributionStep[] {
  const unplaced = tables.filter(({ kind }) => kind === null).map(({ name }) => name)
  // Shards of equal values are on the same server, because all distributed tables are colocated with one of them.
  const colocationTable = Object.keys(dealt).find((table) => !unplaced.includes(table)) ?? Object.keys(dealt)[0]
  const stepOf = (table: string): DistributionStep => {
    const by = dealt[table]
    if (by !== undefined) {
      const colocateWith = table === colocationTable ? 'default' : colocationTable
      return {
        table,
        kind: 'dealt',
        statement: sql`select create_distributed_table(${table}, ${by}, colocate_with => ${colocateWith})`,
      }
    }
    if (whole.includes(table)) return { table, kind: 'whole', statement: sql`select create_reference_table(${table})` }
    // A transaction is atomic only over tables that Citus manages. With another table, a crash between two commits
    // could leave only one of them in effect.
    return { table, kind: 'coordinator', statement: sql`select citus_add_local_table_to_metadata(${table})` }
  }
  const steps = unplaced.map(stepOf)
  return (['whole', 'dealt', 'coordinator'] as const).flatMap((stepKind) =>
    steps.filter(({ kind }) => kind === stepKind),
  )
}

/** Returns the row count and a checksum of all values, which does not depend on the order of the rows. */
async function contentOf(tx: Run, table: string): Promise<{ rows: bigint; digest: string }> {
  const columns = await tx<{ name: string; type: string }>`
    select attname as name, atttypid::regtype::text as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`
  // A time as text depends on the time zone of the server.
  const values = columns.map(({ name, type }) =>
    type === 'timestamp with time zone' ? `extract(epoch from "${name}")` : `"${name}"`,
  )
  const read = `select count(*)::bigint as rows, coalesce(sum(hashtextextended(row(${values.join(', ')})::text, 0)::numeric), 0)::text as digest from "${table}"`
  const [content] = await tx<{ rows: bigint; digest: string }>`${new Fragment([read], [])}`
  return required(content, 'a count')
}

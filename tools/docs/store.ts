// Reads the tables of a migrated database: their columns, primary keys and foreign keys.
import type { Run } from '@lendloom/postgres/sql'

export interface TableRow {
  name: string
  key: string[]
  columns: { name: string; type: string }[]
  /** The tables that its foreign keys refer to. */
  references: string[]
}

export const readTables = (db: Run) => db<TableRow>`
  select t.relname::text as name,
    array(select a.attname::text from unnest(k.conkey) with ordinality as part (number, place)
      join pg_attribute a on a.attrelid = t.oid and a.attnum = part.number order by part.place) as key,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
        order by a.attnum)
      from pg_attribute a where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped) as columns,
    array(select f.confrelid::regclass::text from pg_constraint f where f.conrelid = t.oid and f.contype = 'f') as "references"
  from pg_class t join pg_constraint k on k.conrelid = t.oid and k.contype = 'p'
  where t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace = 'public'::regnamespace
  order by t.relname`

// Everything that a database stores, to search it for values that must not be there.
import type { Db } from '#kit/db/sql.ts'

export interface StoredRow {
  table: string
  /** JSON, with bytes in hexadecimal. */
  text: string
}

/** Returns all rows of all tables. */
export async function storedRows(db: Db): Promise<StoredRow[]> {
  const tables = await db<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const rows: StoredRow[] = []
  for (const { name } of tables) {
    const { rows: found } = await db.pool.query<{ text: string }>(`select to_jsonb(t)::text as text from ${name} t`)
    rows.push(...found.map(({ text }) => ({ table: name, text })))
  }
  return rows
}

/** Returns the tables with a row that contains the text. */
export async function tablesWith(db: Db, text: string): Promise<string[]> {
  const rows = await storedRows(db)
  return [...new Set(rows.filter((row) => row.text.includes(text)).map(({ table }) => table))]
}

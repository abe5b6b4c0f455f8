// Everything that a database stores, to search it for values that must not be there.
import type { Seal } from '#kit/crypto/seal.ts'
import type { SealedColumn } from '#kit/crypto/sealed-column.ts'
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

export interface StoredValue {
  /** `table`, or `table.column` of an opened value. */
  place: string
  text: string
}

/** Returns all rows of all tables, and every sealed value, opened; a value that does not open is left out. */
export async function storedValues(db: Db, seal: Seal, columns: SealedColumn[]): Promise<StoredValue[]> {
  const rows = (await storedRows(db)).map(({ table, text }) => ({ place: table, text }))
  const opened: StoredValue[] = []
  for (const { table, column, field, context } of columns) {
    const value = field ? `decode(${column}->>'${field}', 'base64')` : column
    const bound = [...context.matchAll(/\{(\w+)(?:\.(\w+))?\}/g)].map(([, name, part]) =>
      part ? `${name}->>'${part}'` : name,
    )
    const { rows: sealed } = await db.pool.query<{ value: Buffer; parts: string[] }>(
      `select ${value} as value, array[${bound.map((part) => `(${part})::text`)}]::text[] as parts from ${table} where ${value} is not null`,
    )
    for (const row of sealed) {
      const parts = row.parts.values()
      const rowContext = context.replace(/\{[\w.]+\}/g, () => String(parts.next().value))
      const text = openIn(seal, row.value, rowContext)
      if (text !== null) opened.push({ place: `${table}.${column}`, text })
    }
  }
  return [...rows, ...opened]
}

/** Returns null for a value that a fixture has not sealed. */
function openIn(seal: Seal, value: Buffer, context: string): string | null {
  try {
    return seal.open(value, context).toString('utf8')
  } catch {
    return null
  }
}

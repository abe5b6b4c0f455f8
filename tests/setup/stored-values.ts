// Everything that a database stores, to search it for values that must not be there.

import type { Db } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { SealedColumn } from '@lendloom/seal/sealed-column'

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
  /** `table`, or `table.column` or `table.column.field` of an opened value. */
  place: string
  text: string
}

export interface StoredValues {
  /** All rows of all tables, and every sealed value, opened. */
  values: StoredValue[]
  /** The places of sealed values that do not open. */
  unopened: string[]
}

export async function storedValues(db: Db, seal: Seal, columns: SealedColumn[]): Promise<StoredValues> {
  const values = (await storedRows(db)).map(({ table, text }) => ({ place: table, text }))
  const unopened = new Set<string>()
  for (const { table, column, field, context } of columns) {
    const value = field ? `decode(${column}->>'${field}', 'base64')` : column
    const bound = [...context.matchAll(/\{(\w+)(?:\.(\w+))?\}/g)].map(([, name, part]) =>
      part ? `${name}->>'${part}'` : name,
    )
    const { rows: sealed } = await db.pool.query<{ value: Buffer; parts: string[] }>(
      `select ${value} as value, array[${bound.map((part) => `(${part})::text`)}]::text[] as parts from ${table} where ${value} is not null`,
    )
    const place = [table, column, field].filter(Boolean).join('.')
    for (const row of sealed) {
      const parts = row.parts.values()
      const rowContext = context.replace(/\{[\w.]+\}/g, () => String(parts.next().value))
      const text = openIn(seal, row.value, rowContext)
      if (text === null) unopened.add(place)
      else values.push({ place, text })
    }
  }
  return { values, unopened: [...unopened] }
}

/** Returns null for a value of another key or context. */
function openIn(seal: Seal, value: Buffer, context: string): string | null {
  try {
    return seal.open(value, context).toString('utf8')
  } catch {
    return null
  }
}

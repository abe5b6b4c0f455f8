// Reads rows with sealed values, and writes each as a line of JSON with the values opened.
import { isUtf8 } from 'node:buffer'
import { ownValue } from '@lendloom/foundation/record'
import { Fragment, type Run, sql } from '@lendloom/postgres/sql'
import { DamagedValue, type Seal } from '@lendloom/seal/seal'
import type { SealedColumn } from '@lendloom/seal/sealed-column'

/** The rows of an owner in a table whose sealed values move to the archive. */
export interface ArchivableRows {
  columns: [SealedColumn, ...SealedColumn[]]
  condition: Fragment
  /** Whether the rows leave the database. Otherwise they stay without their values, and rows without values are skipped. */
  isWhole?: boolean
}

/** An archived row: its other columns as JSON, and its values by the name of their column without `_sealed`. */
export interface ArchivedRow {
  table: string
  row: Record<string, unknown>
  values: Record<string, ArchivedValue>
}

/** Text, or bytes that are no UTF-8. */
type ArchivedValue = string | null | { base64: string }

/** A row as it is in the database, with its key and its line. */
export interface ArchivableRow {
  /** The values of the primary key, separated by blanks. */
  key: string
  line: string
}

/** The rows that a table has in one part of the archive. */
export interface ReadRows {
  rows: ArchivableRow[]
  /** How many rows were read from the database; `rows` lacks those of which a value cannot be opened. */
  count: number
  /** Whether the table has more rows than these, or may have. */
  hasMore: boolean
  /** The first value that could not be opened; null if all could. */
  damage: DamagedValue | null
}

/** Maximum number of rows that one statement reads, whatever their size. */
const maxRows = 500

/** Text as part of a statement, such as names from the list of sealed columns; never a value. */
const sqlText = (value: string): Fragment => new Fragment([value], [])
const namesOf = (columns: SealedColumn[]): string[] => columns.map(({ column }) => column)

/** Rows of the table that have a value, or move as a whole, in the order of their key. */
const rowsToMove = ({ columns, condition, isWhole = false }: ArchivableRows): Fragment => {
  const [{ table, key }] = columns
  const hasValue = sqlText(
    namesOf(columns)
      .map((name) => `t.${name} is not null`)
      .join(' or '),
  )
  return sql`from ${sqlText(table)} t where ${condition}${isWhole ? sql`` : sql` and (${hasValue})`} order by ${sqlText(key.join(', '))}`
}

/**
 * Reads the first rows, at most 500, and as many as have `maxBytes` of values; one that is larger is read alone. Bytes
 * are counted sealed, so that the database sends no more, and opened, because sealing compresses.
 */
export async function readFirstRows(db: Run, seal: Seal, table: ArchivableRows, maxBytes: number): Promise<ReadRows> {
  const size = sqlText(
    namesOf(table.columns)
      .map((name) => `coalesce(octet_length(t.${name}), 0)`)
      .join(' + '),
  )
  const sizes = await db<{ bytes: number }>`
    select (${size})::int as bytes ${rowsToMove(table)} limit ${maxRows}`
  const fitting = countWithin(
    sizes.map(({ bytes }) => bytes),
    maxBytes,
  )
  const rows = fitting === 0 ? [] : await openedRows(db, seal, table, sql`limit ${fitting}`)
  const count = countWithin(
    rows.map((row) => ('line' in row ? row.line.length : 0)),
    maxBytes,
  )
  return readRowsOf(rows.slice(0, count), count < sizes.length || sizes.length === maxRows)
}

/** Reads the first `count` rows again, and locks them until the transaction ends. */
export const lockFirstRows = async (tx: Run, seal: Seal, table: ArchivableRows, count: number): Promise<ReadRows> =>
  readRowsOf(await openedRows(tx, seal, table, sql`limit ${count} for update of t`), false)

const readRowsOf = (rows: (ArchivableRow | DamagedValue)[], hasMore: boolean): ReadRows => ({
  rows: rows.filter((row) => 'line' in row),
  count: rows.length,
  hasMore,
  damage: rows.find((row) => row instanceof DamagedValue) ?? null,
})

/** How many of the first values have at most `most` together; one if the first value alone has more. */
function countWithin(values: number[], most: number): number {
  let sum = 0
  const count = values.findIndex((value, i) => {
    sum += value
    return i > 0 && sum > most
  })
  return count === -1 ? values.length : count
}

async function openedRows(
  db: Run,
  seal: Seal,
  table: ArchivableRows,
  limit: Fragment,
): Promise<(ArchivableRow | DamagedValue)[]> {
  const names = namesOf(table.columns)
  const values = sqlText(names.map((name, i) => `t.${name} as value${i}`).join(', '))
  const rows = await db<StoredRow>`
    select to_jsonb(t) - ${names}::text[] as row, ${values} ${rowsToMove(table)} ${limit}`
  return rows.map((row) => {
    try {
      return openedRow(seal, table, row)
    } catch (error) {
      if (error instanceof DamagedValue) return error
      throw error
    }
  })
}

type StoredRow = { row: Record<string, unknown> } & Record<`value${number}`, Buffer | null>

function openedRow(seal: Seal, { columns }: ArchivableRows, { row, ...sealed }: StoredRow): ArchivableRow {
  const [{ table, key }] = columns
  const opened = columns.map((column, i): [string, ArchivedValue] => {
    const value = sealed[`value${i}`] ?? null
    return [column.column.replace(/_sealed$/, ''), value && openedText(seal.open(value, contextOf(column, row)))]
  })
  const archived: ArchivedRow = { table, row, values: Object.fromEntries(opened) }
  return { key: key.map((name) => ownValue(row, name)).join(' '), line: JSON.stringify(archived) }
}

/** Empties the values of these rows, or deletes whole rows. Citus permits only immutable functions, so not concat_ws. */
export async function removeValues(
  tx: Run,
  { columns, condition, isWhole }: ArchivableRows,
  rows: ArchivableRow[],
): Promise<void> {
  if (rows.length === 0) return
  const [{ table, key }] = columns
  const emptied = sqlText(
    namesOf(columns)
      .map((name) => `${name} = null`)
      .join(', '),
  )
  const keyText = sqlText(key.map((name) => `t.${name}::text`).join(" || ' ' || "))
  const isRead = sql`${condition} and ${keyText} = any(${rows.map((row) => row.key)}::text[])`
  if (isWhole) await tx`delete from ${sqlText(table)} t where ${isRead}`
  else await tx`update ${sqlText(table)} t set ${emptied} where ${isRead}`
}

const contextOf = ({ context }: SealedColumn, row: Record<string, unknown>): string =>
  context.replace(/\{(\w+)\}/g, (_, name: string) => String(ownValue(row, name)))

const openedText = (bytes: Buffer): ArchivedValue =>
  isUtf8(bytes) ? bytes.toString() : { base64: bytes.toString('base64') }

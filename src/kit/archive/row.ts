// Reads rows with sealed values, and writes each as a line of JSON with the values opened.
import { isUtf8 } from 'node:buffer'
import type { Seal } from '#kit/crypto/seal.ts'
import type { SealedColumn } from '#kit/crypto/sealed-column.ts'
import { Fragment, type Run, sql } from '#kit/db/sql.ts'
import { ownValue } from '#kit/runtime/record.ts'

/** The rows of an owner in a table whose sealed values move to the archive. */
export interface ArchivableRows {
  /** The sealed columns of the table. */
  columns: [SealedColumn, ...SealedColumn[]]
  /** The condition on `t`. Rows without values are skipped. */
  condition: Fragment
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

const maxRows = 500

const text = (value: string): Fragment => new Fragment([value], [])
const namesOf = (columns: SealedColumn[]): string[] => columns.map(({ column }) => column)

/** Reads at most 500 rows in the order of their key. `isLocked` locks them until the transaction ends. */
export async function readRows(
  db: Run,
  seal: Seal,
  { columns, condition }: ArchivableRows,
  isLocked = false,
): Promise<ArchivableRow[]> {
  const [{ table, key }] = columns
  const names = namesOf(columns)
  const values = text(names.map((name, i) => `t.${name} as value${i}`).join(', '))
  const hasValue = text(names.map((name) => `t.${name} is not null`).join(' or '))
  const rows = await db<{ row: Record<string, unknown> } & Record<`value${number}`, Buffer | null>>`
    select to_jsonb(t) - ${names}::text[] as row, ${values} from ${text(table)} t
    where ${condition} and (${hasValue}) order by ${text(key.join(', '))} limit ${maxRows} ${isLocked ? sql`for update of t` : sql``}`
  return rows.map(({ row, ...sealed }) => {
    const opened = columns.map((column, i): [string, ArchivedValue] => {
      const value = sealed[`value${i}`] ?? null
      return [column.column.replace(/_sealed$/, ''), value && openedText(seal.open(value, contextOf(column, row)))]
    })
    const archived: ArchivedRow = { table, row, values: Object.fromEntries(opened) }
    return { key: key.map((name) => ownValue(row, name)).join(' '), line: JSON.stringify(archived) }
  })
}

export const isFull = (rows: ArchivableRow[]): boolean => rows.length === maxRows

/** Empties the values of these rows, which stay with their other columns. */
export async function emptyRows(tx: Run, { columns, condition }: ArchivableRows, rows: ArchivableRow[]): Promise<void> {
  if (rows.length === 0) return
  const [{ table, key }] = columns
  const emptied = text(
    namesOf(columns)
      .map((name) => `${name} = null`)
      .join(', '),
  )
  const keyText = text(`concat_ws(' ', ${key.map((name) => `t.${name}`).join(', ')})`)
  await tx`
    update ${text(table)} t set ${emptied} where ${condition} and ${keyText} = any(${rows.map((row) => row.key)}::text[])`
}

const contextOf = ({ context }: SealedColumn, row: Record<string, unknown>): string =>
  context.replace(/\{(\w+)\}/g, (_, name: string) => String(ownValue(row, name)))

const openedText = (bytes: Buffer): ArchivedValue =>
  isUtf8(bytes) ? bytes.toString() : { base64: bytes.toString('base64') }

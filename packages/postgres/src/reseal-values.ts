// Reseals stored values with the current key, row by row, while programs read and write them.
import { keyIdIn, type Seal } from '@lendloom/seal/seal'
import type { SealedColumn } from '@lendloom/seal/sealed-column'
import type { Db } from './sql.ts'

export interface ResealProgress {
  /** Number of values that the last pass read. */
  seen: number
  /** Number of values that were resealed with the current key. */
  moved: number
  /** Number of values that no given key opens, or that belong to another row. */
  unreadable: number
  /** False when every pass found values under other keys: a process still seals with an old key. */
  complete: boolean
}

/** Maximum number of rows that one statement reads. */
const pageRows = 500
/** How many values are resealed at once. */
const concurrency = 4
/** Covers the header of a sealed value and its random nonce, so that different values have different heads. */
const headBytes = 40
const maxPasses = 5

/**
 * Reseals one column. A value that changes meanwhile is left to the next pass; values under the current key are skipped,
 * so that an interrupted run can be started again.
 */
export async function reseal(
  db: Db,
  seal: Seal,
  column: SealedColumn,
  onProgress: (counts: Pick<ResealProgress, 'seen' | 'moved'>) => void = () => {},
): Promise<ResealProgress> {
  let moved = 0
  for (let pass = 1; ; pass++) {
    const result = await runPass(db, seal, column, (counts) => onProgress({ ...counts, moved: moved + counts.moved }))
    moved += result.moved
    const complete = result.moved + result.changed === 0
    if (complete || pass === maxPasses) return { seen: result.seen, moved, unreadable: result.unreadable, complete }
  }
}

/** How many values of a column each key has sealed. An id is null for bytes that are not a sealed value. */
export interface KeyUse {
  keyId: string | null
  count: number
}

/** Values of one key in several formats count together. */
export async function countByKey(db: Db, column: SealedColumn): Promise<KeyUse[]> {
  const value = column.field ? `decode(${valueIn(column)}, 'base64')` : column.column
  const { rows } = await db.pool.query<{ head: Buffer; count: string }>(
    `select substring(v from 1 for 2 + least(get_byte(v, 1), 8)) as head, count(*) from ${column.table},
       lateral (select ${value} as v) as sealed where length(v) > 1 group by 1`,
  )
  const counts = new Map<string | null, number>()
  for (const { head, count } of rows) {
    const keyId = keyIdIn(head)
    counts.set(keyId, (counts.get(keyId) ?? 0) + Number(count))
  }
  return Array.from(counts, ([keyId, count]) => ({ keyId, count }))
}

export type SealedRow = Record<string, unknown> & { head: Buffer | string }
type ResealOutcome = 'moved' | 'changed' | 'unreadable'

async function runPass(
  db: Db,
  seal: Seal,
  column: SealedColumn,
  onProgress: (counts: Pick<ResealProgress, 'seen' | 'moved'>) => void,
) {
  const count = { seen: 0, moved: 0, changed: 0, unreadable: 0 }
  for (let last: unknown[] | null = null; ; ) {
    const rows = await readPage(db, column, last)
    count.seen += rows.length
    const old = rows.filter(({ head }) => !seal.isCurrent(bytesIn(head)))
    const worker = async (): Promise<void> => {
      for (let row = old.pop(); row; row = old.pop()) count[await resealRow(db, seal, column, row)]++
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    onProgress(count)
    const lastRow = rows.at(-1)
    if (!lastRow || rows.length < pageRows) return count
    last = column.key.map((name) => lastRow[name])
  }
}

/** SQL of a sealed value: a column, or a field of a JSON column. */
export const valueIn = ({ column, field }: SealedColumn): string => (field ? `${column}->>'${field}'` : column)
/** SQL of the first bytes of a value; a value in JSON is short and read whole. */
export const headOf = (at: SealedColumn): string =>
  at.field ? valueIn(at) : `substring(${at.column} from 1 for ${headBytes})`
/** The bytes of a value, which is in base64 within JSON. */
export const bytesIn = (value: Buffer | string): Buffer =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : value
const params = (count: number, from = 1): string => Array.from({ length: count }, (_, i) => `$${i + from}`).join(', ')

/** The next rows by primary key, with only the head of each value, because a value may be a whole file. */
async function readPage(db: Db, at: SealedColumn, last: unknown[] | null): Promise<SealedRow[]> {
  const key = at.key.join(', ')
  const after = last === null ? '' : `and (${key}) > (${params(last.length)})`
  const { rows } = await db.pool.query<SealedRow>(
    `select ${key}, ${headOf(at)} as head from ${at.table} where ${valueIn(at)} is not null ${after} order by ${key} limit ${pageRows}`,
    last ?? [],
  )
  return rows
}

const placeholder = /\{(\w+)(?:\.(\w+))?\}/g

const keyOf = (at: SealedColumn, row: SealedRow): unknown[] => at.key.map((name) => row[name])
const isRowOf = (at: SealedColumn): string => `(${at.key.join(', ')}) = (${params(at.key.length)})`

export async function readValue(
  db: Db,
  at: SealedColumn,
  row: SealedRow,
): Promise<{ value: Buffer | string; context: string } | null> {
  const parts = [...at.context.matchAll(placeholder)].map(([, name, field]) => (field ? `${name}->>'${field}'` : name))
  const { rows } = await db.pool.query<{ value: Buffer | string; parts: string[] }>(
    `select ${valueIn(at)} as value, array[${parts.map((part) => `(${part})::text`).join(', ')}]::text[] as parts
     from ${at.table} where ${isRowOf(at)}`,
    keyOf(at, row),
  )
  const [found] = rows
  if (!found || found.value === null) return null
  const values = found.parts.values()
  return { value: found.value, context: at.context.replace(placeholder, () => String(values.next().value)) }
}

async function resealRow(db: Db, seal: Seal, at: SealedColumn, row: SealedRow): Promise<ResealOutcome> {
  const found = await readValue(db, at, row)
  if (!found) return 'changed'
  const { context } = found
  const key = keyOf(at, row)
  const before = bytesIn(found.value)
  const plaintext = openOrNull(seal, before, context)
  if (plaintext === null) return 'unreadable'
  const resealed = seal.bytes(plaintext, context)
  const [value, parameter] = at.field
    ? [`jsonb_set(${at.column}, '{${at.field}}', to_jsonb($${key.length + 1}::text))`, resealed.toString('base64')]
    : [`$${key.length + 1}::bytea`, resealed]
  const head = at.field ? found.value : before.subarray(0, headBytes)
  const { rowCount } = await db.pool.query(
    `update ${at.table} set ${at.column} = ${value} where ${isRowOf(at)} and ${headOf(at)} = $${key.length + 2}`,
    [...key, parameter, head],
  )
  return rowCount === 1 ? 'moved' : 'changed'
}

/** Opens a value; null if it cannot be opened. */
export function openOrNull(seal: Seal, sealed: Buffer, context: string): Buffer | null {
  try {
    return seal.open(sealed, context)
  } catch {
    return null
  }
}

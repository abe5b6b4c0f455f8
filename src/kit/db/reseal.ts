// Moves sealed values to the key that seals now, row by row, while programs read and write them.
import type { Seal } from '#kit/crypto/seal.ts'
import type { SealedColumn } from '#kit/crypto/sealed-column.ts'
import type { Db } from './sql.ts'

export interface ResealProgress {
  /** Values that the last pass read. */
  seen: number
  moved: number
  /** Values that do not open with any key that was given, or belong to another row. */
  unreadable: number
  /** False when values under other keys kept coming: a process still seals with one. */
  complete: boolean
}

const pageRows = 500
const atOnce = 4
/** The header of a sealed value, and its random nonce behind it: two values never begin alike. */
const headBytes = 40
const mostPasses = 5

/**
 * Reseals one column. A value that changes meanwhile is left to the next pass; values that were moved before are passed
 * over, so this may be stopped and begun again at any time.
 */
export async function reseal(
  db: Db,
  seal: Seal,
  column: SealedColumn,
  progress: (so: Pick<ResealProgress, 'seen' | 'moved'>) => void = () => {},
): Promise<ResealProgress> {
  let moved = 0
  for (let pass = 1; ; pass++) {
    const done = await onePass(db, seal, column, (so) => progress({ ...so, moved: moved + so.moved }))
    moved += done.moved
    const complete = done.moved + done.changed === 0
    if (complete || pass === mostPasses) return { seen: done.seen, moved, unreadable: done.unreadable, complete }
  }
}

type SealedRow = Record<string, unknown> & { head: Buffer | string }
type ResealOutcome = 'moved' | 'changed' | 'unreadable'

async function onePass(
  db: Db,
  seal: Seal,
  column: SealedColumn,
  progress: (so: Pick<ResealProgress, 'seen' | 'moved'>) => void,
) {
  const count = { seen: 0, moved: 0, changed: 0, unreadable: 0 }
  for (let last: unknown[] | null = null; ; ) {
    const rows = await page(db, column, last)
    count.seen += rows.length
    const old = rows.filter(({ head }) => !seal.isCurrent(bytesIn(head)))
    const slot = async (): Promise<void> => {
      for (let row = old.pop(); row; row = old.pop()) count[await moveOne(db, seal, column, row)]++
    }
    await Promise.all(Array.from({ length: atOnce }, slot))
    progress(count)
    const lastRow = rows.at(-1)
    if (!lastRow || rows.length < pageRows) return count
    last = column.key.map((name) => lastRow[name])
  }
}

const valueIn = ({ column, field }: SealedColumn): string => (field ? `${column}->>'${field}'` : column)
const headOf = (at: SealedColumn): string =>
  at.field ? valueIn(at) : `substring(${at.column} from 1 for ${headBytes})`
const bytesIn = (value: Buffer | string): Buffer => (typeof value === 'string' ? Buffer.from(value, 'base64') : value)
const params = (count: number, from = 1): string => Array.from({ length: count }, (_, i) => `$${i + from}`).join(', ')

/** The next rows in the order of the primary key, with the head of each value alone: a value may be a whole file. */
async function page(db: Db, at: SealedColumn, last: unknown[] | null): Promise<SealedRow[]> {
  const key = at.key.join(', ')
  const after = last === null ? '' : `and (${key}) > (${params(last.length)})`
  const { rows } = await db.pool.query<SealedRow>(
    `select ${key}, ${headOf(at)} as head from ${at.table} where ${valueIn(at)} is not null ${after} order by ${key} limit ${pageRows}`,
    last ?? [],
  )
  return rows
}

const placeholder = /\{(\w+)(?:\.(\w+))?\}/g

async function moveOne(db: Db, seal: Seal, at: SealedColumn, row: SealedRow): Promise<ResealOutcome> {
  const key = at.key.map((name) => row[name])
  const mine = `(${at.key.join(', ')}) = (${params(key.length)})`
  const parts = [...at.context.matchAll(placeholder)].map(([, name, field]) => (field ? `${name}->>'${field}'` : name))
  const { rows } = await db.pool.query<{ value: Buffer | string; parts: string[] }>(
    `select ${valueIn(at)} as value, array[${parts.map((part) => `(${part})::text`).join(', ')}]::text[] as parts
     from ${at.table} where ${mine}`,
    key,
  )
  const [found] = rows
  if (!found || found.value === null) return 'changed'
  const values = found.parts.values()
  const context = at.context.replace(placeholder, () => String(values.next().value))
  const before = bytesIn(found.value)
  const plain = opened(seal, before, context)
  if (plain === null) return 'unreadable'
  const fresh = seal.bytes(plain, context)
  const [value, is] = at.field
    ? [`jsonb_set(${at.column}, '{${at.field}}', to_jsonb($${key.length + 1}::text))`, fresh.toString('base64')]
    : [`$${key.length + 1}::bytea`, fresh]
  const head = at.field ? found.value : before.subarray(0, headBytes)
  const { rowCount } = await db.pool.query(
    `update ${at.table} set ${at.column} = ${value} where ${mine} and ${headOf(at)} = $${key.length + 2}`,
    [...key, is, head],
  )
  return rowCount === 1 ? 'moved' : 'changed'
}

function opened(seal: Seal, sealed: Buffer, context: string): Buffer | null {
  try {
    return seal.open(sealed, context)
  } catch {
    return null
  }
}

// Opens one stored value of each key in a sample of a column, to find missing and unused keys.
import { keyIdIn, type Seal } from '@lendloom/seal/seal'
import type { SealedColumn } from '@lendloom/seal/sealed-column'
import { bytesIn, headOf, openOrNull, readValue, type SealedRow, valueIn } from './reseal-values.ts'
import type { Db } from './sql.ts'

const rowsAtEachEnd = 200

export interface SampledKey {
  keyId: string | null
  isOpened: boolean
}

/** Reads the first and the last rows by primary key, and opens the first value of each key. */
export async function sampleKeys(db: Db, seal: Seal, column: SealedColumn): Promise<SampledKey[]> {
  const rowByKey = new Map((await sampledRows(db, column)).map((row) => [keyIdIn(bytesIn(row.head)), row]))
  const sampled: SampledKey[] = []
  for (const [keyId, row] of rowByKey) {
    const found = await readValue(db, column, row)
    if (found) sampled.push({ keyId, isOpened: openOrNull(seal, bytesIn(found.value), found.context) !== null })
  }
  return sampled
}

async function sampledRows(db: Db, column: SealedColumn): Promise<SealedRow[]> {
  const read = (direction: 'asc' | 'desc') => `
    (select ${column.key.join(', ')}, ${headOf(column)} as head from ${column.table} where ${valueIn(column)} is not null
     order by ${column.key.map((name) => `${name} ${direction}`).join(', ')} limit ${rowsAtEachEnd})`
  const { rows } = await db.pool.query<SealedRow>(`${read('asc')} union all ${read('desc')}`)
  return rows
}

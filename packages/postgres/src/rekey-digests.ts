// Replaces the plain digests of earlier versions by keyed ones, while programs read and write the rows.
import { keyedDigest } from '@lendloom/seal/content-digest'
import type { Seal } from '@lendloom/seal/seal'
import type { Db } from './sql.ts'
import { violatesUnique } from './transaction.ts'

/** A table with a keyed digest, and the column that held the plain one. */
export interface DigestTable {
  table: string
  key: string[]
  plain: string
  keyed: string
  /** The purpose of the keyed digest. */
  purpose: string
  /** The constraint by which two rows cannot have the same keyed digest. */
  unique?: string
}

export const inboxDigests: DigestTable = {
  table: 'inbox',
  key: ['sender', 'event_id'],
  plain: 'body_sha256',
  keyed: 'body_mac',
  purpose: 'inbox',
}

const pageRows = 500
const concurrency = 4

/**
 * Replaces all plain digests of a table. Processes of the previous version may add more during an upgrade, so the programs
 * repeat it.
 */
export async function rekeyDigests(db: Db, seal: Seal, at: DigestTable): Promise<void> {
  for (;;) {
    const { rows } = await db.pool.query<PlainRow>(
      `select ${at.key.join(', ')}, ${at.plain} as plain from ${at.table} where ${at.plain} is not null limit ${pageRows}`,
    )
    const isLast = rows.length < pageRows
    const worker = async (): Promise<void> => {
      for (let row = rows.pop(); row; row = rows.pop()) await rekeyRow(db, seal, at, row)
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    if (isLast) return
  }
}

type PlainRow = Record<string, unknown> & { plain: Buffer }

async function rekeyRow(db: Db, seal: Seal, at: DigestTable, row: PlainRow): Promise<void> {
  const keyed = keyedDigest(seal, row.plain, at.purpose)
  try {
    await replaceDigest(db, at, row, keyed)
  } catch (error) {
    if (at.unique === undefined || !violatesUnique(error, at.unique)) throw error
    // A process of the previous version has stored the content again, and the row with the keyed digest recognizes it.
    await replaceDigest(db, at, row, null)
  }
}

async function replaceDigest(db: Db, at: DigestTable, row: PlainRow, keyed: Buffer | null): Promise<void> {
  const isRow = at.key.map((name, i) => `${name} = $${i + 3}`).join(' and ')
  await db.pool.query(
    `update ${at.table} set ${at.keyed} = $1, ${at.plain} = null where ${at.plain} = $2 and ${isRow}`,
    [keyed, row.plain, ...at.key.map((name) => row[name])],
  )
}

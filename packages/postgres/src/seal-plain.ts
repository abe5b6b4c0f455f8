// Seals values that earlier versions stored in clear, while programs read and write the rows.
import type { Seal } from '@lendloom/seal/seal'
import type { SealedColumn } from '@lendloom/seal/sealed-column'
import type { Db } from './sql.ts'

/** A sealed column, and the text column that held its values in clear. A row has a value in one of both. */
export interface PlainColumn {
  plain: string
  sealed: SealedColumn
}

/** The text of a row. The plain one is newer: the present version empties it, the previous version writes only it. */
export const plainOrSealed = (
  seal: Seal,
  plain: string | null,
  sealed: Buffer | null,
  context: string,
): string | null => plain ?? (sealed && seal.openJson<string>(sealed, context))

const pageRows = 500

/**
 * Seals all plain values of a column. Processes of the previous version may add more during an upgrade, so the programs
 * repeat it. The context of the column must consist of columns of its key.
 */
export async function sealPlainValues(db: Db, seal: Seal, { plain, sealed }: PlainColumn): Promise<void> {
  const { table, column, key } = sealed
  const isRow = key.map((name, i) => `${name} = $${i + 3}`).join(' and ')
  for (;;) {
    const { rows } = await db.pool.query<PlainRow>(
      `select ${key.join(', ')}, ${plain} as plain from ${table} where ${plain} is not null limit ${pageRows}`,
    )
    for (const row of rows)
      await db.pool.query(`update ${table} set ${column} = $1, ${plain} = null where ${plain} = $2 and ${isRow}`, [
        seal.json(row.plain, contextOf(sealed, row)),
        row.plain,
        ...key.map((name) => row[name]),
      ])
    if (rows.length < pageRows) return
  }
}

type PlainRow = Record<string, unknown> & { plain: string }

const contextOf = ({ context }: SealedColumn, row: PlainRow): string =>
  context.replace(/\{(\w+)\}/g, (_, name: string) => String(row[name]))

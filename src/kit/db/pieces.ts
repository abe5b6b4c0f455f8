// Lists that begin at many ranges of an index at once, such as one for each of a tenant's applications.

/**
 * How many ranges one statement reads: PostgreSQL takes 65,535 values in one, and the time to plan it grows with them.
 */
const piecesPerStatement = 250

/**
 * The newest rows of all pieces, newest first, at most `limit`: `read` returns the newest of some pieces, and `idOf`
 * the sort id of a row. One statement when the pieces are few.
 */
export async function readNewestRows<Piece, Row>(
  pieces: readonly Piece[],
  { limit, idOf, read }: { limit: number; idOf: (row: Row) => string; read: (some: Piece[]) => Promise<Row[]> },
): Promise<Row[]> {
  let newest: Row[] = []
  for (let at = 0; at < pieces.length; at += piecesPerStatement) {
    const rows = await read(pieces.slice(at, at + piecesPerStatement))
    newest = at === 0 ? rows : newestFirst([...newest, ...rows], idOf).slice(0, limit)
  }
  return newest
}

const newestFirst = <Row>(rows: Row[], idOf: (row: Row) => string): Row[] =>
  rows.sort((one, other) => (idOf(one) < idOf(other) ? 1 : -1))

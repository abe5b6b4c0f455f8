// Reads a list whose rows are in many ranges of an index, such as one range per application of a tenant.

/** Limits the parameters of a statement: PostgreSQL allows 65,535, and planning time grows with their number. */
const rangesPerStatement = 250

/**
 * Returns at most `limit` rows of all ranges, newest first. `read` returns the newest rows of some ranges, newest first;
 * `idOf` returns the id by which rows are sorted.
 */
export async function readNewestRows<Range, Row>(
  ranges: readonly Range[],
  { limit, idOf, read }: { limit: number; idOf: (row: Row) => string; read: (ranges: Range[]) => Promise<Row[]> },
): Promise<Row[]> {
  let newest: Row[] = []
  for (let at = 0; at < ranges.length; at += rangesPerStatement) {
    const rows = await read(ranges.slice(at, at + rangesPerStatement))
    newest = at === 0 ? rows : newestFirst([...newest, ...rows], idOf).slice(0, limit)
  }
  return newest
}

const newestFirst = <Row>(rows: Row[], idOf: (row: Row) => string): Row[] =>
  rows.sort((a, b) => (idOf(a) < idOf(b) ? 1 : -1))

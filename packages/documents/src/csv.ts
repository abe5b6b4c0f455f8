// Writes tables as CSV (RFC 4180) for spreadsheets.

import { lazily } from '@lendloom/foundation/lazily'
import { load } from '@lendloom/foundation/load-package'
import type * as csv from 'csv-stringify/sync'

const library = lazily((): typeof csv => load('csv-stringify/sync'))

/** Marks a cell that looks like a formula as text. Unlike the option of the library, leaves negative numbers alone. */
const neutralized = (text: string): string =>
  /^[=+\-@＝＋－＠\t\r\n]/.test(text) && !/^-\d+(\.\d+)?$/.test(text) ? `'${text}` : text

/** A column of a table: its name in the header, and the value that a row has in it. */
export interface CsvColumn<Row> {
  head: string
  of(row: Row): unknown
}

/** Writes a header and rows, with a byte order mark by which spreadsheets recognize UTF-8. */
export const csvOf = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  csvPage(columns, rows, true)

/**
 * Writes a file page by page, so that a file of any length needs the memory of one page. `readAfter` gets the last row
 * of the page before, or null, and returns no rows at the end.
 */
export async function* csvPages<Row>(
  columns: readonly CsvColumn<Row>[],
  readAfter: (last: Row | null) => Promise<Row[]>,
): AsyncGenerator<string> {
  let last: Row | null | undefined = null
  do {
    const isFirst = last === null
    const rows: Row[] = await readAfter(last)
    yield csvPage(columns, rows, isFirst)
    last = rows.at(-1)
  } while (last !== undefined)
}

/** Writes some rows of a longer file; the first page also has the byte order mark and the header. */
export function csvPage<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[], isFirst: boolean): string {
  const lines = rows.map((row) => columns.map((column) => column.of(row)))
  return csvLines(isFirst ? [columns.map(({ head }) => head), ...lines] : lines, isFirst)
}

/** Writes lines whose columns are known only as a list of cells. */
export const csvLines = (lines: unknown[][], withMark: boolean): string =>
  library().stringify(lines, {
    bom: withMark,
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
    cast: { string: neutralized, boolean: String, date: (at) => at.toISOString() },
  })

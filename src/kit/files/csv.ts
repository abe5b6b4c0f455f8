// Tables as CSV (RFC 4180) that spreadsheets open.
import type * as csv from 'csv-stringify/sync'
import { load } from '#kit/runtime/load.ts'
import { lazily } from '#kit/runtime/record.ts'

const library = lazily((): typeof csv => load('csv-stringify/sync'))

/** A cell that a spreadsheet would take for a formula is marked as text; the library would mark a number below zero too. */
const marked = (text: string): string =>
  /^[=+\-@＝＋－＠\t\r\n]/.test(text) && !/^-\d+(\.\d+)?$/.test(text) ? `'${text}` : text

/** Writes rows with a header by RFC 4180; the byte order mark marks it as UTF-8 for spreadsheets. */
export const csvOf = (heads: readonly string[], rows: unknown[][]): string => csvPage(heads, rows, true)

/** Some rows of a longer file: with the mark and the heads where they are its first ones. */
export const csvPage = (heads: readonly string[], rows: unknown[][], isFirst: boolean): string =>
  library().stringify(isFirst ? [[...heads], ...rows] : rows, {
    bom: isFirst,
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
    cast: { string: marked, boolean: String, date: (at) => at.toISOString() },
  })

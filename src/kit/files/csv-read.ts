// Reading CSV as banks and spreadsheets write it: quoted cells, any line ends, a byte order mark.

import { createReadStream } from 'node:fs'
import { parse as parseStream } from 'csv-parse'
import { CsvError, parse } from 'csv-parse/sync'

export const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

const asWritten = { bom: true, trim: true, skip_empty_lines: true, relax_column_count: true } as const

/** The rows of a large file with commas, one after the other. Throws where it is no CSV or cannot be read. */
export const csvRows = (path: string): AsyncIterable<string[]> =>
  createReadStream(path).pipe(parseStream({ ...asWritten }))

/**
 * The rows of a table, at most so many, cells without blanks around them; they may have different lengths. A text: why it is
 * no such CSV.
 */
export function readCsv(text: string, delimiter: Delimiter, mostRows = -1): string[][] | string {
  try {
    return parse(text, { ...asWritten, delimiter, to: mostRows })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return error.message
  }
}

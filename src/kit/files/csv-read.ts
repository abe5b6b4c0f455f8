// Reading CSV as banks and spreadsheets write it: quoted cells, any line ends, a byte order mark.

import { createReadStream } from 'node:fs'
import type * as csv from 'csv-parse'
import type * as csvSync from 'csv-parse/sync'
import { load } from '#kit/runtime/load.ts'
import { lazily } from '#kit/runtime/record.ts'

const streaming = lazily((): typeof csv => load('csv-parse'))
const whole = lazily((): typeof csvSync => load('csv-parse/sync'))

export const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

const asWritten = { bom: true, trim: true, skip_empty_lines: true, relax_column_count: true } as const

/** The rows of a large comma-separated file, one at a time. Throws when the file cannot be read or is not valid CSV. */
export const csvRows = (path: string): AsyncIterable<string[]> =>
  createReadStream(path).pipe(streaming().parse({ ...asWritten }))

/**
 * The rows of a table, up to a limit, with trimmed cells; rows may differ in length. A string explains why the text is
 * not valid CSV.
 */
export function readCsv(text: string, delimiter: Delimiter, mostRows = -1): string[][] | string {
  const { CsvError, parse } = whole()
  try {
    return parse(text, { ...asWritten, delimiter, to: mostRows })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return error.message
  }
}

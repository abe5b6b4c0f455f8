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

/** The rows of a large file with commas, one after the other. Throws where it is no CSV or cannot be read. */
export const csvRows = (path: string): AsyncIterable<string[]> =>
  createReadStream(path).pipe(streaming().parse({ ...asWritten }))

/**
 * The rows of a table, at most so many, cells without blanks around them; they may have different lengths. A text: why it is
 * no such CSV.
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

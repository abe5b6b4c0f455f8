// Reads CSV as banks and spreadsheets write it: quoted cells, any line breaks, a byte order mark.

import { createReadStream } from 'node:fs'
import { lazily } from '@lendloom/foundation/lazily'
import { load } from '@lendloom/foundation/load-package'
import type * as csv from 'csv-parse'
import type * as csvSync from 'csv-parse/sync'
import type { Row } from './xlsx-read.ts'

const streamLibrary = lazily((): typeof csv => load('csv-parse'))
const syncLibrary = lazily((): typeof csvSync => load('csv-parse/sync'))

export const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

const parseOptions = { bom: true, trim: true, skip_empty_lines: true, relax_column_count: true } as const

/** The rows of a large comma-separated file, one at a time. Throws when the file cannot be read or is not valid CSV. */
export const csvRows = (path: string): AsyncIterable<string[]> =>
  createReadStream(path).pipe(streamLibrary().parse({ ...parseOptions }))

/** Returns rows of different lengths with the number of their last line, or the fault of invalid CSV. */
export function readCsvRows(text: string, delimiter: Delimiter, mostRows = -1): Row[] | string {
  const { CsvError, parse } = syncLibrary()
  try {
    const lines: number[] = []
    const on_record = (cells: string[], info: csvSync.InfoRecord): string[] => {
      lines.push(info.lines)
      return cells
    }
    const rows = parse(text, { ...parseOptions, delimiter, to: mostRows, on_record })
    return rows.map((cells, i) => ({ line: lines[i] ?? 0, cells }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return error.message.replace(/, value is .*/s, '')
  }
}

export function readCsv(text: string, delimiter: Delimiter, mostRows = -1): string[][] | string {
  const rows = readCsvRows(text, delimiter, mostRows)
  return typeof rows === 'string' ? rows : rows.map(({ cells }) => cells)
}

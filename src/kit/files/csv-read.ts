// Reading CSV as banks and spreadsheets write it: quoted cells, any line ends, a byte order mark.

import { CsvError, parse } from 'csv-parse/sync'

export const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

/** The rows of a table, cells without blanks around them; they may have different lengths. A text: why it is no such CSV. */
export function readCsv(text: string, delimiter: Delimiter): string[][] | string {
  try {
    return parse(text, {
      ...{ bom: true, trim: true, skip_empty_lines: true, relax_column_count: true },
      delimiter,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return error.message
  }
}

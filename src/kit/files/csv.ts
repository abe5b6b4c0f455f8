// Tables as CSV (RFC 4180) that spreadsheets open.

/** A cell that a spreadsheet would take for a formula is marked as text; a number below zero is none. */
function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : value instanceof Date ? value.toISOString() : String(value)
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows with their heads, as RFC 4180 has it; the mark at the beginning tells spreadsheets that it is UTF-8. */
export const csvOf = (heads: readonly string[], rows: unknown[][]): string => csvPage(heads, rows, true)

/** Some rows of a longer file: with the mark and the heads where they are its first ones. */
export const csvPage = (heads: readonly string[], rows: unknown[][], isFirst: boolean): string =>
  (isFirst ? `\ufeff${line(heads)}` : '') + rows.map(line).join('')

const line = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`

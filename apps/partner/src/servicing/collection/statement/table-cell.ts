// Reads single cells of a statement's table, such as dates and amounts, and names the place of a cell in error
// messages.

import type { Row } from '@lendloom/documents/xlsx-read'
import { type Paise, paiseFrom } from '@lendloom/lending/money'
import { calendarDate } from '@lendloom/wire/identifier'
import { unreadableStatement } from './statement-line.ts'
import { type Columns, type Side, sideOf } from './table-headings.ts'

/** A row with the columns of its table. */
export interface TableRow {
  row: Row
  columns: Columns
}

export const amountColumns = ['amount', 'debit', 'credit'] as const
export type AmountColumn = (typeof amountColumns)[number] | 'balance'
type CellColumn = AmountColumn | 'date' | 'description' | 'status' | 'currency' | 'account'

/** Returns the text of a cell; empty without such a column. */
export function cellOf({ cells }: Row, columns: Columns, column: CellColumn): string {
  const index = columns[column]
  return index === undefined ? '' : (cells[index] ?? '')
}

/** Names a cell by its line and the heading of its column. */
export const placeOf = ({ row, columns }: TableRow, column: CellColumn): string =>
  placeAt({ row, columns }, columns[column] ?? -1)

/** Names a cell by its line and the index of its column. */
export const placeAt = ({ row: { line }, columns: { names } }: TableRow, index: number): string =>
  `line ${line}, column ${names[index] || index + 1}`

const dateShape = /^\d{1,4}[-/. ](?:\d{1,2}|[a-z]{3,9})[-/. ]\d{2}/i

/** Whether the row has a date, also one that does not exist. */
export const hasDate = (row: Row, columns: Columns): boolean => dateShape.test(cellOf(row, columns, 'date'))

/** Whether the row has a figure other than zero as an amount. */
export const hasAmount = (row: Row, columns: Columns): boolean =>
  amountColumns.some((column) => /^\D{0,5}[\d.,]*[1-9]/.test(cellOf(row, columns, column)))

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const timeOfDay = / (?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?: ?[ap]m)?$/i

/**
 * Parses a date in the formats of banks into `YYYY-MM-DD`: `2026-12-08`, `08/12/2026`, `08.12.26`, `8-Dec-2026`,
 * `08 December 26`, optionally followed by a time.
 */
export function parseDate(text: string): string | null {
  const on = text.replace(timeOfDay, '')
  const isoDate = calendarDate(on)
  if (isoDate !== null) return isoDate
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[-/. ](\d{1,2}|[a-z]{3,9})[-/. ](\d{4}|\d{2})$/i.exec(on) ?? []
  const number = /^\d/.test(month) ? month : String(months.indexOf(month.slice(0, 3).toLowerCase()) + 1)
  return calendarDate([day.padStart(2, '0'), number.padStart(2, '0'), year.padStart(4, '20')].join('-'))
}

/** A figure with its minus or brackets, and its side (Cr or Dr); null without one. */
export interface AmountCell {
  paise: Paise
  isNegative: boolean
  side: Side | null
}

/** A figure with its sign: negative with a minus, in brackets or on the debit side. */
export const signedPaise = ({ paise, isNegative, side }: AmountCell): Paise =>
  isNegative || side === 'd' ? -paise : paise

/** Groups of thousands or lakhs; a comma before one or two digits would be a decimal comma. */
const amountPattern =
  /^([-+]?)(?:₹|rs\.?|inr)? ?([-+]?)(\d+(?:\.\d{1,2})?|\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d{1,2})?)(-?) ?([cd]r?\.?|\([cd]r?\))?$/i

/** Parses an amount such as `1,00,000.00`, `-500`, `(500.00)` or `500.00 Dr`; null for any other text. */
export function parseAmount(text: string): AmountCell | null {
  // Most amounts of a long file are plain.
  const plain = /^\d{1,15}(?:\.\d{1,2})?$/.test(text) ? paiseFrom(text) : null
  if (plain !== null) return { paise: plain, isNegative: false, side: null }
  const [, inner] = /^\((.+)\)$/.exec(text) ?? []
  const [, before, sign, digits = '', after, side] = amountPattern.exec(inner ?? text) ?? []
  const paise = paiseFrom(digits.replaceAll(',', ''))
  const signs = [before, sign, after, inner && '-'].filter((each) => each)
  if (paise === null || signs.length > 1) return null
  return { paise, isNegative: signs[0] === '-' || inner !== undefined, side: side ? sideOf(side) : null }
}

/** Null for an empty cell. Refuses any other text than an amount. */
export function amountCell(table: TableRow, column: AmountColumn): AmountCell | null {
  const text = cellOf(table.row, table.columns, column)
  if (text === '' || text === '-') return null
  const cell = parseAmount(text)
  if (cell === null) throw unreadableStatement(`${placeOf(table, column)}: "${text}" is not an amount`)
  const { balanceSide } = table.columns
  if (column !== 'balance' || balanceSide === undefined) return cell
  const beside = table.row.cells[balanceSide] ?? ''
  const side = sideOf(beside)
  if (beside !== '' && side === null)
    throw unreadableStatement(`${placeAt(table, balanceSide)}: "${beside}" is neither Cr nor Dr`)
  return { ...cell, side: side ?? cell.side }
}

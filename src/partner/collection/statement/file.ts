// Reads a bank statement from a CSV file, in a parser thread.

import { calendarDate } from '#contract/identifier.ts'
import { type Delimiter, delimiters, readCsv } from '#kit/files/csv-read.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { runRefusingParser } from '#kit/http/refusing-parser.ts'
import { type Paise, paiseFrom } from '#kit/money/money.ts'

export interface StatementLine {
  /** Line number in the file; the heading is line 1. */
  line: number
  valueOn: string
  /** Positive for incoming, negative for outgoing money. */
  paise: Paise
  reference: string
  /** The bank's description of the movement. */
  description: string
}

/** Column headings that banks use, reduced to lower-case letters. */
const headings = {
  date: ['valuedate', 'date', 'transactiondate', 'txndate', 'postdate'],
  reference: [
    'reference',
    'referenceno',
    'referencenumber',
    'utr',
    'utrno',
    'bankreference',
    'chequerefno',
    'chqrefno',
    'chqrefnumber',
    'refno',
    'refnochequeno',
  ],
  description: ['description', 'narration', 'remark', 'remarks', 'particulars', 'details'],
  debit: ['debit', 'debitamount', 'withdrawal', 'withdrawals', 'withdrawalamt', 'withdrawalamount', 'dr'],
  credit: ['credit', 'creditamount', 'deposit', 'deposits', 'depositamt', 'depositamount', 'cr'],
  amount: ['amount', 'transactionamount'],
} as const
type Column = keyof typeof headings
type Columns = Partial<Record<Column, number>>

/** Returns the index of each column. If several headings match, the first in the list above wins. */
function columnsOf(head: string[]): Columns {
  const names = head.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ''))
  const columns: Columns = {}
  for (const column of ['date', 'reference', 'description', 'debit', 'credit', 'amount'] as const) {
    const index = headings[column].map((name) => names.indexOf(name)).find((at) => at >= 0)
    if (index !== undefined) columns[column] = index
  }
  return columns
}

const hasRequiredColumns = ({ date, reference, debit, credit, amount }: Columns): boolean =>
  date !== undefined &&
  reference !== undefined &&
  (amount !== undefined || (debit !== undefined && credit !== undefined))

const maxHeadingLines = 30
/** More lines would exceed the parser's deadline. An 8 MB file with 80 bytes per line has as many. */
const maxLines = 100_000

/** Reads a file in a parser thread. Throws the errors of `linesOf`, and `upstream` when no thread is free. */
export const parseStatement = (bytes: Buffer): Promise<StatementLine[]> =>
  runRefusingParser(parser, (why) => unreadable(`the file ${why}`), bytes.toString('utf8'))

const parser = { module: new URL(import.meta.url), name: 'linesOf' }

/** Reads the lines below the heading. Throws `invalid` for the field `file`, with the number of the unreadable line. */
export function linesOf(text: string): StatementLine[] {
  const { names, rows, first } = findTable(text)
  const columns = columnsOf(names)
  const lines = rows.slice(0, footerAt(rows, columns)).flatMap((row, i) => {
    if (isSeparator(row) || isPageNumber(row)) return []
    // An unquoted comma in an amount adds a column, and the amount would be misread.
    if (row.slice(names.length).some((cell) => cell !== ''))
      throw unreadable(`line ${first + i} has more columns than the heading`)
    return lineOf(row, columns, first + i) ?? []
  })
  if (lines.length === 0) throw unreadable('no line has an amount')
  return lines
}

interface Table {
  names: string[]
  rows: string[][]
  /** The line number of the first row. Empty lines are not counted. */
  first: number
}

/** Finds the heading and the delimiter, and returns the rows below the heading. */
function findTable(text: string): Table {
  const faults: string[] = []
  for (const delimiter of delimiters) {
    const top = readCsv(text, delimiter, maxHeadingLines)
    if (typeof top === 'string') {
      faults.push(top)
      continue
    }
    const at = top.findIndex((row) => hasRequiredColumns(columnsOf(row)))
    const names = top[at]
    if (names) return { names, rows: rowsOf(text, delimiter).slice(at + 1), first: at + 2 }
  }
  const [fault] = faults
  throw fault
    ? notCsv(fault)
    : unreadable('the first lines must contain the columns date, reference, and amount or debit and credit')
}

function rowsOf(text: string, delimiter: Delimiter): string[][] {
  const rows = readCsv(text, delimiter, maxLines + 1)
  if (typeof rows === 'string') throw notCsv(rows)
  if (rows.length > maxLines) throw unreadable(`it has more than ${maxLines} lines; upload it in parts`)
  return rows
}

const notCsv = (fault: string): Refusal => unreadable(`it is not valid CSV: ${fault}`)

export const unreadable = (why: string) =>
  new Refusal('invalid', `the statement cannot be read: ${why}`, { field: 'file' })

/**
 * Returns the index of the first row of totals and notes. It is below the last dated row, has text in place of the
 * date, and lacks a reference or an amount.
 */
function footerAt(rows: string[][], columns: Columns): number {
  const lastDated = rows.findLastIndex((row) => parseDate(cellOf(row, columns, 'date')) !== null)
  const isFooter = (row: string[]): boolean =>
    /^[^\d]/.test(cellOf(row, columns, 'date')) &&
    (cellOf(row, columns, 'reference') === '' || !hasAmount(row, columns))
  const after = rows.slice(lastDated + 1).findIndex(isFooter)
  return after < 0 ? rows.length : lastDated + 1 + after
}

/** Whether a row only separates others, for example with asterisks or dashes. */
const isSeparator = (row: string[]): boolean => row.every((cell) => /^[*=_-]{2,}$|^$/.test(cell))

const isPageNumber = (row: string[]): boolean => /^page \d{1,5} of \d{1,5}$/i.test(row.filter((cell) => cell).join())

const hasAmount = (row: string[], columns: Columns): boolean =>
  (['amount', 'debit', 'credit'] as const).some((column) => /\d/.test(cellOf(row, columns, column)))

function cellOf(row: string[], columns: Columns, column: Column): string {
  const index = columns[column]
  return index === undefined ? '' : (row[index] ?? '')
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const timeOfDay = / (?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?: ?[ap]m)?$/i

/**
 * Parses a date in the formats of banks into `YYYY-MM-DD`: `2026-12-08`, `08/12/2026`, `08.12.26`, `8-Dec-2026`,
 * `08 December 26`, optionally followed by a time.
 */
function parseDate(text: string): string | null {
  const on = text.replace(timeOfDay, '')
  const isoDate = calendarDate(on)
  if (isoDate !== null) return isoDate
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[-/. ](\d{1,2}|[a-z]{3,9})[-/. ](\d{4}|\d{2})$/i.exec(on) ?? []
  const number = /^\d/.test(month) ? month : String(months.indexOf(month.slice(0, 3).toLowerCase()) + 1)
  return calendarDate([day.padStart(2, '0'), number.padStart(2, '0'), year.padStart(4, '20')].join('-'))
}

/** Returns the line of a row; null if the row has no date or no amount, such as a closing balance. */
function lineOf(row: string[], columns: Columns, line: number): StatementLine | null {
  const cell = (column: Column): string => cellOf(row, columns, column)
  if (cell('date') === '') return null
  const valueOn = parseDate(cell('date'))
  if (valueOn === null)
    throw unreadable(`line ${line}: "${cell('date')}" is not a date such as 2026-11-30 or 30/11/2026`)
  const paise =
    columns.amount === undefined
      ? parseAmount(cell('credit'), line) - parseAmount(cell('debit'), line)
      : parseAmount(cell('amount'), line)
  if (paise === 0n) return null
  const reference = cell('reference')
  if (reference === '') throw unreadable(`line ${line} has an amount but no reference`)
  return { line, valueOn, paise, reference: reference.slice(0, 100), description: cell('description').slice(0, 500) }
}

/** Parses an amount such as `1,00,000.00`, `-500` or `500.00 Dr`. An empty cell is zero. */
function parseAmount(text: string, line: number): Paise {
  if (text === '' || text === '-') return 0n
  const [, minus, digits = '', side] = /^([-(]?)₹?\s*([\d,]+(?:\.\d{1,2})?)\)?\s*(cr|dr)?\.?$/i.exec(text) ?? []
  const paise = paiseFrom(digits.replaceAll(',', ''))
  if (paise === null) throw unreadable(`line ${line}: "${text}" is not an amount`)
  return minus || side?.toLowerCase() === 'dr' ? -paise : paise
}

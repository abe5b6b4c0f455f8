// Reads the table of a bank statement from a CSV or XLSX file.

import { calendarDate } from '#contract/identifier.ts'
import { type Delimiter, delimiters, readCsvRows } from '#kit/files/csv-read.ts'
import { type Row, readXlsx } from '#kit/files/xlsx-read.ts'
import { type Paise, paiseFrom } from '#kit/money/money.ts'
import {
  checkAccount,
  checkLineCount,
  firstReference,
  maxLines,
  type StatementLine,
  type StatementRules,
  statementLine,
  unreadable,
} from './movement.ts'

/** Column headings that banks use, reduced to lower-case letters. */
const headings = {
  date: ['valuedate', 'valuedt', 'date', 'transactiondate', 'txndate', 'trandate', 'postdate'],
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
    'transactionid',
    'tranid',
    'chequeno',
    'chequenumber',
    'chqno',
  ],
  description: ['description', 'narration', 'remark', 'remarks', 'particulars', 'transactionremarks', 'details'],
  debit: [
    'debit',
    'debitamount',
    'withdrawal',
    'withdrawals',
    'withdrawalamt',
    'withdrawalamount',
    'withdrawaldr',
    'dramount',
    'dr',
  ],
  credit: [
    'credit',
    'creditamount',
    'deposit',
    'deposits',
    'depositamt',
    'depositamount',
    'depositcr',
    'cramount',
    'cr',
  ],
  amount: ['amount', 'transactionamount'],
  side: ['drcr', 'crdr', 'debitcredit', 'creditdebit', 'drcrindicator', 'crdrindicator'],
} as const
type Column = keyof typeof headings
type Columns = Partial<Record<Column, number>>

/** Returns the index of each column. If several headings match, the first in the list above wins. */
function columnsOf(head: string[]): Columns {
  const names = head.map((name) =>
    name
      .toLowerCase()
      .replace(/\( ?(inr|rs\.?|₹) ?\)/, '')
      .replaceAll(/[^a-z]/g, ''),
  )
  const columns: Columns = {}
  for (const column of ['date', 'reference', 'description', 'debit', 'credit', 'amount', 'side'] as const) {
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
const sheetLimits = { unzippedBytes: 48 << 20, rows: maxLines + maxHeadingLines, columns: 64 }

export function csvLines(text: string, rules: StatementRules): StatementLine[] {
  for (const delimiter of delimiters) {
    const top = readCsvRows(text, delimiter, maxHeadingLines)
    if (typeof top !== 'string' && headingAt(top) >= 0) return tableLines(csvRows(text, delimiter), rules)
  }
  const countOf = (delimiter: Delimiter) => text.split(delimiter).length
  const [commonest] = delimiters.toSorted((a, b) => countOf(b) - countOf(a))
  const fault = commonest && readCsvRows(text, commonest, maxHeadingLines)
  throw typeof fault === 'string' ? notCsv(fault) : withoutHeading()
}

function csvRows(text: string, delimiter: Delimiter): Row[] {
  const rows = readCsvRows(text, delimiter, maxLines + maxHeadingLines + 1)
  if (typeof rows === 'string') throw notCsv(rows)
  return rows
}

export function xlsxLines(bytes: Buffer, rules: StatementRules): StatementLine[] {
  const tables = readXlsx(bytes, sheetLimits).filter((rows) => headingAt(rows) >= 0)
  const [table, second] = tables
  if (second) throw unreadable('more than one of its sheets contains a statement')
  if (!table) throw withoutHeading()
  return tableLines(table, rules)
}

const headingAt = (rows: Row[]): number =>
  rows.slice(0, maxHeadingLines).findIndex(({ cells }) => hasRequiredColumns(columnsOf(cells)))

function tableLines(table: Row[], rules: StatementRules): StatementLine[] {
  const at = headingAt(table)
  const names = table[at]?.cells ?? []
  const columns = columnsOf(names)
  for (const { cells, line } of table.slice(0, at)) checkAccount(accountIn(cells), rules, `line ${line}`)
  const rows = table.slice(at + 1)
  checkLineCount(rows)
  const lastDated = rows.findLastIndex((row) => parseDate(cellOf(row, columns, 'date')) !== null)
  return rows.flatMap((row, i) => {
    const isNote = i > lastDated && !hasAmount(row, columns) && !hasDate(row, columns)
    if (isNote || isSeparator(row) || isPageNumber(row) || isBalance(row, rows[i - 1], columns)) return []
    // An unquoted comma in an amount adds a column, and the amount would be misread.
    if (row.cells.slice(names.length).some((cell) => cell !== ''))
      throw unreadable(`line ${row.line} has more columns than the heading`)
    return lineOf({ row, columns, names }, rules) ?? []
  })
}

const accountIn = (cells: string[]): string =>
  /^(?:account|a\/c) ?(?:no|number)\.?[ :_']*([\dX*][\dX* -]{5,})/i.exec(cells.filter((cell) => cell).join(' '))?.[1] ??
  ''

const withoutHeading = () =>
  unreadable('the first lines must contain the columns date, reference, and amount or debit and credit')

const notCsv = (fault: string) => unreadable(`it is not valid CSV: ${fault}`)

const balanceName =
  /^(?:(?:[a-z]+[ -]){0,2}(?:total|bal(?:ance)?)s?(?: (?:debit|credit|withdrawal|deposit|amount)s?)?(?:[ :-]{0,3}$| \(| as on| [bc]\/[df]| brought| carried)|[bc]\/[df]$|(?:brought|carried) forward)/i
const summaryName = /^opening bal/i

/** A row without a date that names a total or a balance, or has the figures below the headings of a summary. */
function isBalance(row: Row, above: Row | undefined, columns: Columns): boolean {
  if (hasDate(row, columns)) return false
  const reference = cellOf(row, columns, 'reference')
  if (row.cells.some((cell) => balanceName.test(cell)) && (reference === '' || balanceName.test(reference))) return true
  return above?.cells.some((cell) => summaryName.test(cell)) === true && !hasAmount(above, columns)
}

const dateShape = /^\d{1,4}[-/. ](?:\d{1,2}|[a-z]{3,9})[-/. ]\d{2}/i

/** Whether the row has a date, also one that does not exist. */
const hasDate = (row: Row, columns: Columns): boolean => dateShape.test(cellOf(row, columns, 'date'))

const isSeparator = ({ cells }: Row): boolean => cells.every((cell) => /^[*=_-]{2,}$|^$/.test(cell))

const isPageNumber = ({ cells }: Row): boolean => /^page \d{1,5} of \d{1,5}$/i.test(cells.filter((cell) => cell).join())

const hasAmount = (row: Row, columns: Columns): boolean =>
  (['amount', 'debit', 'credit'] as const).some((column) => /^\D{0,5}[\d.,]*[1-9]/.test(cellOf(row, columns, column)))

function cellOf({ cells }: Row, columns: Columns, column: Column): string {
  const index = columns[column]
  return index === undefined ? '' : (cells[index] ?? '')
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

interface TableRow {
  row: Row
  columns: Columns
  names: string[]
}

function lineOf(table: TableRow, rules: StatementRules): StatementLine | null {
  const { row, columns } = table
  const { line } = row
  const date = cellOf(row, columns, 'date')
  const reference = cellOf(row, columns, 'reference')
  if (date === '') {
    if (hasAmount(row, columns)) throw unreadable(`line ${line} has an amount but no date`)
    return null
  }
  const valueOn = parseDate(date)
  const datePlace = placeOf(table, 'date')
  if (valueOn === null) throw unreadable(`${datePlace}: "${date}" is not a date such as 2026-11-30 or 30/11/2026`)
  const paise = columns.amount === undefined ? debitOrCredit(table) : signedAmount(table)
  if (lacksAmount(table)) throw unreadable(`line ${line} has a date but no amount`)
  if (paise === 0n) return null
  const description = cellOf(row, columns, 'description')
  const draft = { line, valueOn, paise, reference: firstReference([reference], line), description }
  return statementLine({ ...draft, place: `line ${line}`, datePlace }, rules)
}

function lacksAmount({ row, columns }: TableRow): boolean {
  const hasCell = (column: Column) => cellOf(row, columns, column) !== ''
  if (hasCell('amount') || hasCell('debit') || hasCell('credit')) return false
  return hasCell('reference') || row.cells.filter((cell) => cell !== '').length === 1
}

const placeOf = ({ row: { line }, columns, names }: TableRow, column: Column): string =>
  `line ${line}, column ${names[columns[column] ?? -1] ?? column}`

function debitOrCredit(table: TableRow): Paise {
  const debit = amountIn(table, 'debit')
  const credit = amountIn(table, 'credit')
  if (debit.isNegative || debit.side === 'c') throw unreadable(`${placeOf(table, 'debit')}: a debit has no sign`)
  if (credit.isNegative || credit.side === 'd') throw unreadable(`${placeOf(table, 'credit')}: a credit has no sign`)
  if (debit.paise > 0n && credit.paise > 0n) throw unreadable(`line ${table.row.line} has a debit and a credit`)
  return credit.paise - debit.paise
}

function signedAmount(table: TableRow): Paise {
  const { row, columns } = table
  const amount = amountIn(table, 'amount')
  const text = cellOf(row, columns, 'side')
  const [, column] = /^([cd])(?:r\.?|redit|ebit)?$/i.exec(text) ?? []
  if (columns.side !== undefined && column === undefined && amount.paise > 0n)
    throw unreadable(`${placeOf(table, 'side')}: "${text}" is neither Cr nor Dr`)
  const sides = [amount.side, column?.toLowerCase()].filter((each) => each)
  if (new Set(sides).size > 1 || (amount.isNegative && sides.includes('c')))
    throw unreadable(`${placeOf(table, 'amount')}: the amount is both a debit and a credit`)
  return amount.isNegative || sides.includes('d') ? -amount.paise : amount.paise
}

interface AmountCell {
  paise: Paise
  isNegative: boolean
  side: string | undefined
}

/** Groups of thousands or lakhs; a comma before one or two digits would be a decimal comma. */
const amountPattern =
  /^([-+]?)(?:₹|rs\.?|inr)? ?([-+]?)(\d+(?:\.\d{1,2})?|\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d{1,2})?)(-?) ?([cd]r?\.?|\([cd]r?\))?$/i

/** Parses an amount such as `1,00,000.00`, `-500`, `(500.00)` or `500.00 Dr`. An empty cell is zero. */
function amountIn(table: TableRow, column: 'debit' | 'credit' | 'amount'): AmountCell {
  const text = cellOf(table.row, table.columns, column)
  if (text === '' || text === '-') return { paise: 0n, isNegative: false, side: undefined }
  const [, inner] = /^\((.+)\)$/.exec(text) ?? []
  const [, before, sign, digits = '', after, side] = amountPattern.exec(inner ?? text) ?? []
  const paise = paiseFrom(digits.replaceAll(',', ''))
  const signs = [before, sign, after, inner && '-'].filter((each) => each)
  if (paise === null || signs.length > 1) throw unreadable(`${placeOf(table, column)}: "${text}" is not an amount`)
  return { paise, isNegative: signs[0] === '-' || inner !== undefined, side: side?.replace('(', '')[0]?.toLowerCase() }
}

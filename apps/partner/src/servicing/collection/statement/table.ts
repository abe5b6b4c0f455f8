// Reads the table of a bank statement from a CSV or XLSX file: finds the heading, then reads each row as a movement, a
// balance, a total or a note.

import { type Delimiter, delimiters, readCsvRows } from '@lendloom/documents/csv-read'
import { type Row, readXlsx } from '@lendloom/documents/xlsx-read'
import type { Paise } from '@lendloom/lending/money'
import { type BalancePoint, checkRunningBalance } from './running-balance.ts'
import {
  accountDigits,
  accountName,
  checkAccount,
  checkLineCount,
  checkRupee,
  maxLines,
  type StatementFile,
  type StatementLine,
  type StatementRules,
  unreadableStatement,
} from './statement-line.ts'
import {
  amountCell,
  amountColumns,
  cellOf,
  hasAmount,
  hasDate,
  parseAmount,
  parseDate,
  placeOf,
  signedPaise,
  type TableRow,
} from './table-cell.ts'
import { type Columns, checkHeadings, columnsOf, hasRequiredColumns, namesSide, sideOf } from './table-headings.ts'
import { movementOf } from './table-line.ts'
import {
  addToSums,
  balanceRowOf,
  balancesNamed,
  checkTotals,
  isBalanceRow,
  isNameOfRow,
  noSums,
  type Sums,
  summaryOf,
} from './table-total.ts'

/** Banks put the account, the period and the balances above the heading. */
const maxHeadingLines = 30
/** Limits of an XLSX file, which can be small and unpack to gigabytes. */
const sheetLimits = { unzippedBytes: 48 << 20, rows: maxLines + maxHeadingLines, columns: 64 }

/** Reads a CSV file with the first delimiter by which its heading is found. */
export function readCsvStatement(text: string, rules: StatementRules): StatementFile {
  for (const delimiter of delimiters) {
    const top = readCsvRows(text, delimiter, maxHeadingLines)
    if (typeof top === 'string' || headingAt(top) < 0) continue
    // A file that was cut ends in the middle of a number; an export ends with a line break or a complete cell.
    const mayBeCut = /[\d.]$/.test(text)
    return tableLines(csvRows(text, delimiter), { rules, isCsv: true, mayBeCut, mayBeSplit: delimiter === ',' })
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

/** Reads the one sheet that has the heading of a statement. */
export function readXlsxStatement(bytes: Buffer, rules: StatementRules): StatementFile {
  const sheets = readXlsx(bytes, sheetLimits)
  const [table, second] = sheets.filter((rows) => headingAt(rows) >= 0)
  if (second) throw unreadableStatement('more than one of its sheets contains a statement')
  if (!table) throw withoutHeading()
  const columns = columnsOf(table[headingAt(table)]?.cells ?? [])
  const loose = sheets
    .filter((rows) => rows !== table)
    .flatMap((rows) => rows.find((row) => isLine(row, columns)) ?? [])
  if (loose[0]) throw unreadableStatement(`line ${loose[0].line} of a sheet without headings has a date and an amount`)
  return tableLines(table, { rules, isCsv: false, mayBeCut: false, mayBeSplit: false })
}

/** Returns the index of the heading among the first rows; -1 without one. */
const headingAt = (rows: Row[]): number =>
  rows.slice(0, maxHeadingLines).findIndex(({ cells }) => hasRequiredColumns(columnsOf(cells)))

interface TableFormat {
  rules: StatementRules
  isCsv: boolean
  /** Whether the file ends without a line break, in the middle of a number. */
  mayBeCut: boolean
  /** Whether an unquoted comma in an amount would end its cell. */
  mayBeSplit: boolean
}

/** What the rows of a table have said so far. */
interface Reading {
  lines: StatementLine[]
  sums: Sums
  points: BalancePoint[]
  /** Rows whose amount is only believed if the running balance confirms it, with the reason. */
  doubtful: { line: number; why: string }[]
  accounts: Set<string>
}

/** Reads all rows, from those above the heading to the totals below. */
function tableLines(table: Row[], format: TableFormat): StatementFile {
  const { rules } = format
  const at = headingAt(table)
  const heading = table[at]
  if (!heading) throw withoutHeading()
  const columns = columnsOf(heading.cells)
  checkHeadings(columns, heading.line)
  const reading: Reading = { lines: [], sums: noSums(), points: [], doubtful: [], accounts: new Set() }
  for (const row of table.slice(0, at)) readPreamble(row, columns, rules, reading)
  const rows = table.slice(at + 1)
  checkLineCount(rows)
  const lastDated = rows.findLastIndex((row) => parseDate(cellOf(row, columns, 'date')) !== null)
  const context = { columns: decideTypes(columns, rows), format, reading }
  for (const [i, row] of rows.entries()) readRow({ row, above: rows[i - 1], isLow: i > lastDated }, context)
  const last = rows[lastDated]
  if (last && lastDated === rows.length - 1 && format.mayBeCut) doubtCut({ row: last, columns }, reading)
  return fileFrom(reading)
}

/** Returns the lines, if the running balance confirms the doubtful ones. */
function fileFrom({ lines, points, doubtful, accounts }: Reading): StatementFile {
  const { opening, closing, confirmed } = checkRunningBalance(points)
  const unconfirmed = doubtful.find(({ line }) => !confirmed.has(line))
  if (unconfirmed) throw unreadableStatement(unconfirmed.why)
  const [account] = accounts
  if (account === undefined || accounts.size > 1 || opening === null || closing === null)
    return { lines, balances: null }
  return { lines, balances: { account: accountName(account), openingPaise: opening, closingPaise: closing } }
}

/** Returns the account that a row above the heading names; empty without one. */
const accountIn = (cells: string[]): string =>
  /^(?:account|a\/c) ?(?:no|number)\.?[ :_']*([\dX*][\dX* -]{5,})/i.exec(cells.filter((cell) => cell).join(' '))?.[1] ??
  ''

const currencyName = /^(?:account )?(?:currency|ccy)(?: code)?[ :=-]{0,3}([a-z₹$€£.]{1,20})?$/i
const unitName =
  /\b(?:amounts?|figures|rs\.?|inr|rupees) (?:are )?in (?:rs\.? |inr |₹ ?)?(?:thousands?|lakhs?|lacs?|crores?|millions?|'?000)/i

/** Reads a row above the heading: the account, the currency, the unit, and a movement that the heading comes too late for. */
function readPreamble(row: Row, columns: Columns, rules: StatementRules, { accounts, points }: Reading): void {
  const { cells, line } = row
  const account = accountIn(cells)
  if (account !== '') accounts.add(accountDigits(account))
  checkAccount(account, rules, `line ${line}`)
  const texts = cells.filter((cell) => cell)
  for (const [i, cell] of texts.entries()) {
    const [name, value] = currencyName.exec(cell) ?? []
    const currency = value ?? texts[i + 1]?.replace(/^[:=] ?/, '')
    if (name !== undefined && currency !== undefined) checkRupee(currency, `line ${line}`)
    if (unitName.test(cell)) throw unreadableStatement(`line ${line}: "${cell}" is not rupees`)
  }
  if (isLine(row, columns)) throw unreadableStatement(`line ${line} is above the heading, but has a date and an amount`)
  points.push(...balancesNamed(row))
}

/** Whether a row has a date and an amount. */
const isLine = (row: Row, columns: Columns): boolean =>
  parseDate(cellOf(row, columns, 'date')) !== null &&
  amountColumns.some((column) => parseAmount(cellOf(row, columns, column)) !== null)

const withoutHeading = () =>
  unreadableStatement('the first lines must contain the columns date, reference, and amount or debit and credit')

const notCsv = (fault: string) => unreadableStatement(`it is not valid CSV: ${fault}`)

const isSeparator = ({ cells }: Row): boolean => cells.every((cell) => /^[*=_-]{2,}$|^$/.test(cell))

const isPageNumber = ({ cells }: Row): boolean => /^page \d{1,5} of \d{1,5}$/i.test(cells.filter((cell) => cell).join())

interface PlacedRow {
  row: Row
  above: Row | undefined
  /** Whether no row with a date follows. */
  isLow: boolean
}

interface ReadContext {
  columns: Columns
  format: TableFormat
  reading: Reading
}

function readRow({ row, above, isLow }: PlacedRow, { columns, format, reading }: ReadContext): void {
  const table: TableRow = { row, columns }
  const { line } = row
  if (isSeparator(row) || isPageNumber(row)) return
  const summary = summaryOf(table, above)
  if (summary) {
    checkTotals(summary, reading, line)
    reading.points.push(...summary.points)
    return
  }
  if (isBalanceRow(table) && hasValidDate(table)) {
    const { points, totals } = balanceRowOf(table, reading)
    checkTotals({ totals }, reading, line)
    reading.points.push(...points)
    return
  }
  if (isLow && !hasAmount(row, columns) && !hasDate(row, columns)) {
    checkNote(table)
    return
  }
  // An unquoted comma in an amount adds a column, and the amount would be misread.
  if (row.cells.slice(columns.names.length).some((cell) => cell !== ''))
    throw unreadableStatement(`line ${line} has more columns than the heading`)
  if (row.cells.some((cell) => /[\r\n]/.test(cell) && brokenLine.test(cell)))
    throw unreadableStatement(`line ${line} contains another line: a quotation mark is missing`)
  const movement = movementOf(table, format.rules)
  if (movement === null) return
  const { read, paise, account } = movement
  checkNamed(table)
  if (account !== '') reading.accounts.add(account)
  const balance = balanceBeside(table)
  reading.points.push({ line, valueOn: movement.valueOn, paise, balance, end: null })
  if (format.isCsv) checkLength(table)
  const split = format.mayBeSplit ? splitAmount(table) : null
  if (split) reading.doubtful.push({ line, why: split })
  if (!read) return
  reading.lines.push(read)
  addToSums(reading.sums, paise)
}

/** A quotation mark that is missing joins the next line to a cell. */
const brokenLine = /[\r\n][ \t"]{0,9}\d{1,4}[-/. ](?:\d{1,2}|[a-z]{3,9})[-/. ]\d{2}/i

/** A date that does not exist is refused with the row, whatever its name. */
const hasValidDate = ({ row, columns }: TableRow): boolean =>
  !hasDate(row, columns) || parseDate(cellOf(row, columns, 'date')) !== null

/** A note is words: the rest of a cut line would be figures. */
function checkNote({ row: { cells, line } }: TableRow): void {
  if (cells.some((cell) => cell !== '') && cells.every((cell) => !/\p{L}/u.test(cell)))
    throw unreadableStatement(`line ${line} has figures, but no date and no name`)
}

/** A line that is named as a balance or a total is believed only if the balance beside it is another figure. */
function checkNamed(table: TableRow): void {
  const { row, columns } = table
  if (!row.cells.some((_, index) => !columns.references.includes(index) && isNameOfRow(table, index))) return
  const balance = amountCell(table, 'balance')
  const isOwn = amountColumns.some((column) => amountCell(table, column)?.paise === balance?.paise)
  if (balance === null || isOwn)
    throw unreadableStatement(
      `line ${row.line} is named as a balance or a total, but has a date, a reference and an amount`,
    )
}

function balanceBeside(table: TableRow): Paise | null {
  const balance = amountCell(table, 'balance')
  return balance && signedPaise(balance)
}

/** A line that ends before the columns of the heading may have lost the end of its amount. */
function checkLength(table: TableRow): void {
  const { row, columns } = table
  const { names, balance } = columns
  if (row.cells.length >= names.length) return
  const lastCell = row.cells.at(-1) ?? ''
  const isCut =
    amountColumns.some((column) => columns[column] === row.cells.length - 1) && !/[.]\d\d\D{0,5}$/.test(lastCell)
  if (isCut || (balance !== undefined && balance >= row.cells.length))
    throw unreadableStatement(`line ${row.line} has fewer columns than the heading: the line may be cut`)
}

function doubtCut(table: TableRow, { doubtful }: Reading): void {
  const { row, columns } = table
  const { line, cells } = row
  const column = ([...amountColumns, 'balance'] as const).find((each) => columns[each] === cells.length - 1)
  if (column === undefined || /\.\d\d$/.test(cells.at(-1) ?? '')) return
  const why = `${placeOf(table, column)}: the file ends after "${cells.at(-1)}", without a line break: it may be cut`
  doubtful.push({ line, why })
}

/** `4,790.00` without quotes is read as 4, with 790.00 in the next column. */
function splitAmount(table: TableRow): string | null {
  const { row, columns } = table
  for (const column of amountColumns) {
    const index = columns[column] ?? -1
    const next = row.cells[index + 1] ?? ''
    if (!/^[-+₹(]{0,2}\d{1,3}$/.test(row.cells[index] ?? '') || !/^\d{2,3}(?:\.\d{1,2})?\)?$/.test(next)) continue
    const amount = `${row.cells[index]},${next}`
    return `${placeOf(table, column)}: "${amount}" may be one amount without quotes, or two cells`
  }
  return null
}

/**
 * A column such as Type has the side of the amount if its cells say Cr or Dr, or, beside amounts of one column, name one.
 * If nothing else can say the side, and no such column does, their cells are ways of payment.
 */
function decideTypes(columns: Columns, rows: Row[]): Columns {
  const { types, sides, debit, credit } = columns
  if (types.length === 0) return columns
  const movements = rows.filter(
    (row) => hasDate(row, columns) && hasAmount(row, columns) && !isBalanceRow({ row, columns }),
  )
  const isSigned = movements.some((row) => {
    const cell = parseAmount(cellOf(row, columns, 'amount'))
    return cell !== null && (cell.isNegative || cell.side !== null)
  })
  const isOnlySource = !isSigned && sides.length === 0 && (debit === undefined || credit === undefined)
  const found = types.filter((index) =>
    movements.some((row) => {
      const text = row.cells[index] ?? ''
      return sideOf(text) !== null || (isOnlySource && namesSide(text))
    }),
  )
  return { ...columns, sides: sides.concat(found), ways: isOnlySource && found.length === 0 ? types : [] }
}

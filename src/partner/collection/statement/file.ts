// A bank's statement as a CSV file: which columns it has, and its lines; read in a parser thread.

import { calendarDate } from '#contract/identifier.ts'
import { type Delimiter, delimiters, readCsv } from '#kit/files/csv-read.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { runRefusingParser } from '#kit/http/refusing-parser.ts'
import { type Paise, paiseFrom } from '#kit/money/money.ts'

export interface StatementLine {
  /** In the file, the head being 1. */
  line: number
  valueOn: string
  /** Positive for incoming, negative for outgoing money. */
  paise: Paise
  reference: string
  /** The bank's text. */
  words: string
}

/** How banks head their columns, in lower case and without anything but letters. */
const heads = {
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
  words: ['description', 'narration', 'remark', 'remarks', 'particulars', 'details'],
  debit: ['debit', 'debitamount', 'withdrawal', 'withdrawals', 'withdrawalamt', 'withdrawalamount', 'dr'],
  credit: ['credit', 'creditamount', 'deposit', 'deposits', 'depositamt', 'depositamount', 'cr'],
  amount: ['amount', 'transactionamount'],
} as const
type Column = keyof typeof heads
type Columns = Partial<Record<Column, number>>

/** In one order and with one head: the first name that a column has wins. */
function columnsOf(head: string[]): Columns {
  const names = head.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ''))
  const columns: Columns = {}
  for (const column of ['date', 'reference', 'words', 'debit', 'credit', 'amount'] as const) {
    const place = heads[column].map((name) => names.indexOf(name)).find((at) => at >= 0)
    if (place !== undefined) columns[column] = place
  }
  return columns
}

const isWhole = ({ date, reference, debit, credit, amount }: Columns): boolean =>
  date !== undefined &&
  reference !== undefined &&
  (amount !== undefined || (debit !== undefined && credit !== undefined))

const mostHeadLines = 30
/** The lines of an 8 MB file at 80 bytes: more would exceed the parser's deadline. */
const mostLines = 100_000

/** The lines of a file, read in a parser thread. Refused as `linesOf`, and as `upstream` when no thread is free for it. */
export const readLinesOf = (bytes: Buffer): Promise<StatementLine[]> =>
  runRefusingParser(parser, (why) => unreadable(`it ${why}`), bytes.toString('utf8'))

const parser = { module: new URL(import.meta.url), name: 'linesOf' }

/** Lines above the head, as banks write them, are passed over. Refused as `invalid` at `file`, naming the line that cannot be read. */
export function linesOf(text: string): StatementLine[] {
  const { names, rows, first } = tableIn(text)
  const columns = columnsOf(names)
  const lines = rows.slice(0, footerAt(rows, columns)).flatMap((row, i) => {
    if (isRule(row) || isPageNumber(row)) return []
    // An amount with unquoted commas would be misread.
    if (row.slice(names.length).some((cell) => cell !== ''))
      throw unreadable(`line ${first + i} has more columns than the head`)
    return lineOf(row, columns, first + i) ?? []
  })
  if (lines.length === 0) throw unreadable('it has no line with an amount')
  return lines
}

interface Table {
  names: string[]
  rows: string[][]
  /** The line of the first row in the file, empty lines left out. */
  first: number
}

/** The file has one delimiter, which is the one that its head has. */
function tableIn(text: string): Table {
  const faults: string[] = []
  for (const delimiter of delimiters) {
    const top = readCsv(text, delimiter, mostHeadLines)
    if (typeof top === 'string') {
      faults.push(top)
      continue
    }
    const at = top.findIndex((row) => isWhole(columnsOf(row)))
    const names = top[at]
    if (names) return { names, rows: rowsOf(text, delimiter).slice(at + 1), first: at + 2 }
  }
  const [fault] = faults
  throw fault
    ? notCsv(fault)
    : unreadable('it needs the columns date, reference, and amount or debit and credit, in its first lines')
}

function rowsOf(text: string, delimiter: Delimiter): string[][] {
  const rows = readCsv(text, delimiter, mostLines + 1)
  if (typeof rows === 'string') throw notCsv(rows)
  if (rows.length > mostLines) throw unreadable(`it has more than ${mostLines} lines; upload it in parts`)
  return rows
}

const notCsv = (fault: string): Refusal => unreadable(`it is no CSV: ${fault}`)

const unreadable = (why: string) => new Refusal('invalid', `the statement cannot be read: ${why}`, { field: 'file' })

/**
 * The start of the totals and notes below the last dated line: a line with text instead of a date, and without a
 * reference or an amount.
 */
function footerAt(rows: string[][], columns: Columns): number {
  const lastDated = rows.findLastIndex((row) => dateIn(cellOf(row, columns, 'date')) !== null)
  const isFooter = (row: string[]): boolean =>
    /^[^\d]/.test(cellOf(row, columns, 'date')) &&
    (cellOf(row, columns, 'reference') === '' || !hasAmount(row, columns))
  const after = rows.slice(lastDated + 1).findIndex(isFooter)
  return after < 0 ? rows.length : lastDated + 1 + after
}

/** A line of asterisks or dashes, as banks draw below the head. */
const isRule = (row: string[]): boolean => row.every((cell) => /^[*=_-]{2,}$|^$/.test(cell))

const isPageNumber = (row: string[]): boolean => /^page \d{1,5} of \d{1,5}$/i.test(row.filter((cell) => cell).join())

const hasAmount = (row: string[], columns: Columns): boolean =>
  (['amount', 'debit', 'credit'] as const).some((column) => /\d/.test(cellOf(row, columns, column)))

function cellOf(row: string[], columns: Columns, column: Column): string {
  const place = columns[column]
  return place === undefined ? '' : (row[place] ?? '')
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const timeOfDay = / (?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?: ?[ap]m)?$/i

/**
 * `YYYY-MM-DD` of a day as banks write it: `2026-12-08`, `08/12/2026`, `08.12.26`, `8-Dec-2026`, `08 December 26`, also with
 * a time behind it.
 */
function dateIn(text: string): string | null {
  const on = text.replace(timeOfDay, '')
  const whole = calendarDate(on)
  if (whole !== null) return whole
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[-/. ](\d{1,2}|[a-z]{3,9})[-/. ](\d{4}|\d{2})$/i.exec(on) ?? []
  const number = /^\d/.test(month) ? month : String(months.indexOf(month.slice(0, 3).toLowerCase()) + 1)
  return calendarDate([day.padStart(2, '0'), number.padStart(2, '0'), year.padStart(4, '20')].join('-'))
}

/** Null for a line without a date or without an amount, as the balance at the end. */
function lineOf(row: string[], columns: Columns, line: number): StatementLine | null {
  const cell = (column: Column): string => cellOf(row, columns, column)
  if (cell('date') === '') return null
  const valueOn = dateIn(cell('date'))
  if (valueOn === null) throw unreadable(`line ${line}: "${cell('date')}" is no date, as 2026-11-30 or 30/11/2026`)
  const paise =
    columns.amount === undefined
      ? amountIn(cell('credit'), line) - amountIn(cell('debit'), line)
      : amountIn(cell('amount'), line)
  if (paise === 0n) return null
  const reference = cell('reference')
  if (reference === '') throw unreadable(`line ${line}: it has an amount and no reference`)
  return { line, valueOn, paise, reference: reference.slice(0, 100), words: cell('words').slice(0, 500) }
}

/** `1,00,000.00`, `-500`, `500.00 Dr`, and nothing for zero. */
function amountIn(text: string, line: number): Paise {
  if (text === '' || text === '-') return 0n
  const [, minus, digits = '', side] = /^([-(]?)₹?\s*([\d,]+(?:\.\d{1,2})?)\)?\s*(cr|dr)?\.?$/i.exec(text) ?? []
  const paise = paiseFrom(digits.replaceAll(',', ''))
  if (paise === null) throw unreadable(`line ${line}: "${text}" is no amount`)
  return minus || side?.toLowerCase() === 'dr' ? -paise : paise
}

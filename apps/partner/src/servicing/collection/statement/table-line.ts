// Reads a row of a statement's table as a movement, and refuses what the headings do not explain.

import type { Paise } from '@lendloom/lending/money'
import {
  accountDigits,
  checkAccount,
  checkRupee,
  firstReference,
  type StatementLine,
  type StatementRules,
  statementLine,
  unreadableStatement,
} from './statement-line.ts'
import {
  type AmountCell,
  amountCell,
  amountColumns,
  cellOf,
  hasAmount,
  parseDate,
  placeAt,
  placeOf,
  type TableRow,
} from './table-cell.ts'
import { isWayOfPayment, type Side, sideOf } from './table-headings.ts'

export interface TableMovement {
  valueOn: string
  paise: Paise
  account: string
  /** Null for a line of no money. */
  read: StatementLine | null
}

/** Null for a row that only continues the description above it. */
export function movementOf(table: TableRow, rules: StatementRules): TableMovement | null {
  const { row, columns } = table
  const { line } = row
  const date = cellOf(row, columns, 'date')
  const references = referencesOf(table)
  checkUnknown(table)
  if (date === '') {
    if (hasAmount(row, columns)) throw unreadableStatement(`line ${line} has an amount but no date`)
    if (cellOf(row, columns, 'balance') !== '') throw unreadableStatement(`line ${line} has a balance but no date`)
    if (references.some((each) => /\d/.test(each)))
      throw unreadableStatement(`line ${line} has a reference but no date`)
    return null
  }
  const valueOn = parseDate(date)
  const datePlace = placeOf(table, 'date')
  if (valueOn === null)
    throw unreadableStatement(`${datePlace}: "${date}" is not a date such as 2026-11-30 or 30/11/2026`)
  const paise = paiseOf(table)
  if (amountColumns.every((column) => cellOf(row, columns, column) === ''))
    throw unreadableStatement(`line ${line} has a date but no amount`)
  const account = checkFacts(table, rules)
  if (paise === 0n) return { valueOn, paise, account, read: null }
  const description = cellOf(row, columns, 'description')
  for (const [i, reference] of references.entries())
    checkReference(reference, placeAt(table, columns.references[i] ?? -1))
  const draft = { line, valueOn, paise, reference: firstReference(references, line), description }
  return { valueOn, paise, account, read: statementLine({ ...draft, place: `line ${line}`, datePlace }, rules) }
}

/** Spreadsheets keep an apostrophe before a number that is a text. */
const referencesOf = ({ row, columns }: TableRow): string[] =>
  columns.references.map((index) => (row.cells[index] ?? '').replace(/^'/, ''))

/** A cell under a heading that banks do not use may change what the amount means. */
function checkUnknown(table: TableRow): void {
  const { row, columns } = table
  const index = columns.unknown.find((each) => (row.cells[each] ?? '') !== '')
  if (index === undefined) return
  const name = columns.names[index]
  const why = name ? `the heading "${name}" is not known: rename or remove the column` : 'the column has no heading'
  throw unreadableStatement(`${placeAt(table, index)}: "${row.cells[index]?.slice(0, 40)}" is not explained: ${why}`)
}

const happened = new Set([
  'success',
  'successful',
  'succeeded',
  'completed',
  'complete',
  'posted',
  'booked',
  'book',
  'settled',
  'processed',
  'paid',
  'cleared',
  'credited',
  'debited',
  'confirmed',
  'executed',
  'done',
  'ok',
  's',
])

/** Refuses a movement that did not happen, is in another currency or of another account. Returns the account. */
function checkFacts(table: TableRow, rules: StatementRules): string {
  const { row, columns } = table
  const status = cellOf(row, columns, 'status')
  if (columns.status !== undefined && !happened.has(status.toLowerCase()))
    throw unreadableStatement(`${placeOf(table, 'status')}: "${status}" does not say that the money moved`)
  const currency = cellOf(row, columns, 'currency')
  if (currency !== '') checkRupee(currency, placeOf(table, 'currency'))
  const account = cellOf(row, columns, 'account').replace(/^'/, '')
  checkAccount(account, rules, placeOf(table, 'account'))
  return accountDigits(account)
}

/** Spreadsheets change a long number into 6.34E+11, 634000000000.0 or zeros after fifteen digits, or a formula into #N/A. */
function checkReference(reference: string, place: string): void {
  const isSpoilt =
    /^\d(?:[.,]\d{1,20})?e[-+]?\d{2,3}$/i.test(reference) ||
    /^\d{6,30}\.0{1,9}$/.test(reference) ||
    /^[1-9]\d{14}0{2,30}$/.test(reference) ||
    /^#(?:n\/a|ref!|value!|name\?|div\/0!|num!|null!|#{1,200})$/i.test(reference)
  if (isSpoilt) throw unreadableStatement(`${place}: a spreadsheet has changed the reference into "${reference}"`)
}

function paiseOf(table: TableRow): Paise {
  const { debit, credit } = table.columns
  const paise = debit === undefined || credit === undefined ? signedAmount(table) : debitOrCredit(table)
  if (paise !== 0n) checkSides(table, paise)
  return paise
}

const nothing: AmountCell = { paise: 0n, isNegative: false, side: null }

function debitOrCredit(table: TableRow): Paise {
  const debit = amountCell(table, 'debit') ?? nothing
  const credit = amountCell(table, 'credit') ?? nothing
  if (debit.isNegative || debit.side === 'c')
    throw unreadableStatement(`${placeOf(table, 'debit')}: a debit has no sign`)
  if (credit.isNegative || credit.side === 'd')
    throw unreadableStatement(`${placeOf(table, 'credit')}: a credit has no sign`)
  if (debit.paise > 0n && credit.paise > 0n)
    throw unreadableStatement(`line ${table.row.line} has a debit and a credit`)
  const amount = amountCell(table, 'amount')
  if (amount && amount.paise !== debit.paise + credit.paise)
    throw unreadableStatement(`${placeOf(table, 'amount')}: the amount is neither the debit nor the credit`)
  return credit.paise - debit.paise
}

function signedAmount(table: TableRow): Paise {
  const { paise, isNegative, side } = amountCell(table, 'amount') ?? nothing
  if (paise === 0n) return 0n
  checkWays(table)
  const sides = new Set(sidesBeside(table))
  if (side) sides.add(side)
  if (isNegative) sides.add('d')
  if (sides.size > 1) throw unreadableStatement(`${placeOf(table, 'amount')}: the amount is both a debit and a credit`)
  return sides.has('d') ? -paise : paise
}

const sidesBeside = (table: TableRow): Side[] =>
  table.columns.sides.map((index) => {
    const text = table.row.cells[index] ?? ''
    const side = sideOf(text)
    if (side === null) throw unreadableStatement(`${placeAt(table, index)}: "${text}" is neither Cr nor Dr`)
    return side
  })

/** An amount without a sign counts as a credit, so an unknown word for a debit would turn it into one. */
function checkWays(table: TableRow): void {
  const { row, columns } = table
  const index = columns.ways.find((each) => !isWayOfPayment(row.cells[each] ?? ''))
  if (index === undefined) return
  const text = row.cells[index]?.slice(0, 40)
  throw unreadableStatement(
    `${placeAt(table, index)}: "${text}" is neither Cr nor Dr, nor a way of payment such as NEFT`,
  )
}

const plainSide = /^(?:cr|crdt?|dr|db|dbi?t|credit|debit|credited|debited|dep|deposit|wdl|withdrawal|जमा|नामे)\.?$/i

/** Refuses a line with a cell that names the other side, in a column for it or, beside one amount, in any other. */
function checkSides(table: TableRow, paise: Paise): void {
  const { row, columns } = table
  const { sides, balanceSide, debit, credit } = columns
  const other: Side = paise > 0n ? 'd' : 'c'
  const hasBoth = debit !== undefined && credit !== undefined
  const mayBeSide = (text: string, at: number): boolean =>
    sides.includes(at) || (!hasBoth && at !== balanceSide && plainSide.test(text))
  const index = row.cells.findIndex((text, at) => mayBeSide(text, at) && sideOf(text) === other)
  if (index >= 0)
    throw unreadableStatement(`${placeAt(table, index)}: "${row.cells[index]}" is the other side than the amount`)
}

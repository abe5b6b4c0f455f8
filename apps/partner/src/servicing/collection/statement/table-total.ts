// Reads the rows of a statement's table that are no movements (balances, totals, the summary), and checks them against
// the lines.

import type { Row } from '@lendloom/documents/xlsx-read'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { BalancePoint } from './running-balance.ts'
import { firstReference, unreadableStatement } from './statement-line.ts'
import {
  amountCell,
  amountColumns,
  cellOf,
  hasAmount,
  hasDate,
  parseAmount,
  placeOf,
  signedPaise,
  type TableRow,
} from './table-cell.ts'
import { isWayOfPayment } from './table-headings.ts'

/** A name of a balance or a total, as banks write it: `Opening Balance`, `Total Debits:`, `B/F`. */
const balanceName =
  /^(?:(?:[a-z]{1,20}\.?[ -]){0,3}(?:totals?|bal(?:ances?|s)?\.?)(?: (?:debit|credit|withdrawal|deposit|amount)s?){0,2}(?:[ :=-]{0,3}$| ?[:=] ?(?:rs\.? ?|inr ?|₹ ?)?[\d(-]| \(| as (?:on|at)| [bc][/.]?[dfo]\b| (?:brought|carried|forward))|[bc][/.][dfo]\.?$|(?:balance )?(?:brought|carried)[ -](?:forward|down|over))/i
/** Short names and Hindi ones, which must be the whole text of a cell. */
const wholeName =
  /^(?:(?:opening|closing|o\/?b|c\/?b)(?: as (?:on|at) .{1,30})?|net(?: (?:amount|movement|change))?|(?:statement )?summary|(?:प्रारंभिक|प्रारम्भिक|आरंभिक|आरम्भिक|अंतिम|अन्तिम) (?:शेष|बैलेंस)(?: राशि)?|(?:कुल )?(?:कुल|योग))[ :=-]{0,3}$/i
const openingName =
  /^(?:[a-z]{1,20} )?(?:opening|op\.?) ?bal|^(?:opening|o\/?b)(?: as |[ :=-]{0,3}$)|^(?:प्रारंभिक|प्रारम्भिक|आरंभिक|आरम्भिक) /i
const closingName = /^(?:[a-z]{1,20} )?(?:closing|cl\.?) ?bal|^(?:closing|c\/?b)(?: as |[ :=-]{0,3}$)|^(?:अंतिम|अन्तिम) /i
const carriedName = /[bc][/.]?[dfo]\.?$|(?:brought|carried)[ -]|balance forward/i
const netName = /^net\b(?! bal)/i
const totalName = /\btotals?\b|^net\b(?! bal)|^(?:statement )?summary\b(?! bal)|^(?:कुल|योग)/i

/** Part of every name of a balance or a total: most cells of a long file need no other test. */
const balanceHint = /total|bal|[bc][/.][dfo]|forward|down|over/i

const namesBalance = (text: string): boolean => balanceHint.test(text) && balanceName.test(text)

/** Whether the cell names the row as a balance or a total. In a column of names or places, `OB` would be initials. */
export function isNameOfRow({ row, columns }: TableRow, index: number): boolean {
  const text = row.cells[index] ?? ''
  if (namesBalance(text)) return true
  if (!wholeName.test(text)) return false
  const { date, description, references, types } = columns
  if (types.includes(index)) return !isWayOfPayment(text)
  return index === date || index === description || references.includes(index)
}

/** Whether the row names a total or a balance and has no reference of a movement. */
export function isBalanceRow(table: TableRow): boolean {
  const { row, columns } = table
  if (!row.cells.some((_, index) => isNameOfRow(table, index))) return false
  const hasReference = columns.references.some((index) => {
    const cell = row.cells[index] ?? ''
    return firstReference([cell], row.line) === cell && !isNameOfRow(table, index)
  })
  return !hasReference
}

export interface Totals {
  debit: Paise | null
  credit: Paise | null
  /** The total of a column that has both sides. */
  amount: Paise | null
}

interface RowFigures {
  points: BalancePoint[]
  totals: Totals | null
}

/**
 * Reads the figures of a row that is named as a balance or a total. The figure of a balance stands in its column, or alone in
 * the column of an amount.
 */
export function balanceRowOf(table: TableRow, read: Read): RowFigures {
  const { row, columns } = table
  const name = row.cells.find((_, index) => isNameOfRow(table, index)) ?? ''
  const isTotal = totalName.test(name)
  const end = endNamed(name)
  const isKnown = isTotal || end !== null || carriedName.test(name)
  if (hasDate(row, columns) && (!isKnown || (isTotal && !isTotalOf(amountCell(table, 'amount')?.paise ?? null, read))))
    checkNoAmount(table)
  if (isTotal) return { points: [], totals: totalsIn(table, name) }
  if (!isKnown) return { points: [], totals: null }
  const figures = ([...amountColumns, 'balance'] as const).filter((column) =>
    isFigure(cellOf(row, columns, column), hasDate(row, columns)),
  )
  const column = figures.includes('balance') ? 'balance' : figures[0]
  if (column === undefined || (column !== 'balance' && figures.length > 1)) return { points: [], totals: null }
  const cell = amountCell(table, column)
  if (cell === null) return { points: [], totals: null }
  const balance = column === 'debit' ? -cell.paise : signedPaise(cell)
  return { points: [{ line: row.line, valueOn: null, paise: 0n, balance, end }], totals: null }
}

/** Whether a name is that of the opening or the closing balance; null for neither. */
const endNamed = (name: string): BalancePoint['end'] => {
  if (openingName.test(name)) return 'opening'
  return closingName.test(name) ? 'closing' : null
}

/**
 * Refuses a row with an amount. A payer may have written "balance": only a row whose figure is explained is no movement.
 */
function checkNoAmount(table: TableRow): void {
  if (hasAmount(table.row, table.columns))
    throw unreadableStatement(
      `line ${table.row.line} is named as a balance or a total, but has an amount that is neither`,
    )
}

/** Whether the figure below one column of amounts is a sum of all lines above, or of a page of them. */
function isTotalOf(figure: Paise | null, { sums: { whole, page }, points }: Read): boolean {
  if (figure === null) return true
  const closing = openingIn(points) + whole.credit - whole.debit
  if (figure === closing || figure === -closing) return true
  return [whole, page].some(({ debit, credit }) =>
    [debit, credit, debit + credit, credit - debit, debit - credit].includes(figure),
  )
}

const openingIn = (points: BalancePoint[]): Paise => points.find(({ end }) => end === 'opening')?.balance ?? 0n

/** The opening and the closing balance above the heading, such as `Opening Balance: 1,000.00`, or in two cells. */
export function balancesNamed({ cells, line }: Row): BalancePoint[] {
  const texts = cells.filter((cell) => cell !== '')
  return texts.flatMap((text, i) => {
    const end = endNamed(text)
    if (end === null) return []
    const [, beside] = /^[^:=]{1,60}[:=] ?(.{1,40})$/.exec(text) ?? []
    const cell = parseAmount((beside ?? texts[i + 1] ?? '').replace(/^[:=] ?/, ''))
    return cell === null ? [] : [{ line, valueOn: null, paise: 0n, balance: signedPaise(cell), end }]
  })
}

/** A row without a date may be words, such as the headings of a summary. */
const isFigure = (text: string, isDated: boolean): boolean =>
  text !== '' && text !== '-' && (isDated || parseAmount(text) !== null)

function totalsIn(table: TableRow, name: string): Totals {
  const { row, columns } = table
  const of = (column: (typeof amountColumns)[number]): Paise | null => {
    const text = cellOf(row, columns, column)
    if (!isFigure(text, hasDate(row, columns))) return null
    const cell = parseAmount(text)
    if (cell === null) throw unreadableStatement(`${placeOf(table, column)}: "${text}" is not an amount`)
    return cell.paise
  }
  const totals: Totals = { debit: of('debit'), credit: of('credit'), amount: of('amount') }
  const figures = [totals.debit, totals.credit, totals.amount].filter((figure) => figure)
  if (netName.test(name) && figures.length === 1) return { debit: null, credit: null, amount: figures[0] ?? null }
  const side = sideOfTotal(name)
  return side === null ? totals : { ...totals, amount: null, [side]: totals[side] ?? totals.amount }
}

/** The side of a total such as `Total Debits`, below a column that has both sides. */
function sideOfTotal(name: string): 'debit' | 'credit' | null {
  const isOfDebits = /debit|withdrawal/i.test(name)
  const isOfCredits = /credit|deposit/i.test(name)
  if (isOfDebits === isOfCredits) return null
  return isOfDebits ? 'debit' : 'credit'
}

/** Figures of a row below headings such as `Opening Bal` and `Dr Count`, which some banks put at the end. */
interface Summary extends RowFigures {
  counts: { debit: string | null; credit: string | null }
}

const summaryNames = {
  opening: /^(?:opening bal|brought forward)/i,
  closing: /^closing bal/i,
  debit: /^(?:total )?debits?(?: ?\((?:₹|inr|rs\.?)\))?$/i,
  credit: /^(?:total )?credits?(?: ?\((?:₹|inr|rs\.?)\))?$/i,
  debitCount: /^(?:dr|debit) count$/i,
  creditCount: /^(?:cr|credit) count$/i,
} as const

/** Reads the figures below the headings of a summary. */
export function summaryOf({ row, columns }: TableRow, above: Row | undefined): Summary | null {
  if (!above || hasDate(row, columns) || above.cells.some((cell) => parseAmount(cell) !== null)) return null
  if (hasDate(above, columns) || !above.cells.some((cell) => summaryNames.opening.test(cell))) return null
  const cellBelow = (name: RegExp): string => row.cells[above.cells.findIndex((cell) => name.test(cell))] ?? ''
  const figure = (name: RegExp): Paise | null => {
    const cell = parseAmount(cellBelow(name))
    return cell === null ? null : signedPaise(cell)
  }
  const count = (name: RegExp): string | null => /^\d{1,6}$/.exec(cellBelow(name))?.[0] ?? null
  const points: BalancePoint[] = []
  for (const end of ['opening', 'closing'] as const) {
    const balance = figure(summaryNames[end])
    if (balance !== null) points.push({ line: row.line, valueOn: null, paise: 0n, balance, end })
  }
  return {
    points,
    totals: { debit: figure(summaryNames.debit), credit: figure(summaryNames.credit), amount: null },
    counts: { debit: count(summaryNames.debitCount), credit: count(summaryNames.creditCount) },
  }
}

interface SideSums {
  debit: Paise
  credit: Paise
}

/** The sums of the lines so far. */
export interface Sums {
  whole: SideSums
  /** The lines since the last total of the side. */
  page: SideSums
  counts: { debit: number; credit: number }
}

/** The sums before the first line. */
export const noSums = (): Sums => ({
  whole: { debit: 0n, credit: 0n },
  page: { debit: 0n, credit: 0n },
  counts: { debit: 0, credit: 0 },
})

/** Adds a movement to the sums. */
export function addToSums({ whole, page, counts }: Sums, paise: Paise): void {
  const side = paise < 0n ? 'debit' : 'credit'
  const amount = paise < 0n ? -paise : paise
  whole[side] += amount
  page[side] += amount
  counts[side] += 1
}

/** What was read of the lines above. */
interface Read {
  sums: Sums
  points: BalancePoint[]
}

/**
 * Refuses the statement if a total or a count is not that of its lines. A total is of the lines of the file so far, of a
 * page of it, or of the lines and the opening balance.
 */
export function checkTotals(
  { totals, counts }: Pick<RowFigures, 'totals'> & Partial<Pick<Summary, 'counts'>>,
  read: Read,
  line: number,
): void {
  const { sums, points } = read
  const amount = totals?.amount ?? null
  if (!isTotalOf(amount, read)) {
    const { debit, credit } = sums.whole
    throw unreadableStatement(
      `line ${line}: the total is ${rupees(amount ?? 0n)}, but the lines above are ${rupees(debit)} of debits and ${rupees(credit)} of credits`,
    )
  }
  for (const side of ['debit', 'credit'] as const) {
    const total = totals?.[side] ?? null
    const whole = sums.whole[side]
    if (total !== null) {
      if (![whole, whole + openingIn(points), sums.page[side]].includes(total))
        throw unreadableStatement(
          `line ${line}: the total of the ${side}s is ${rupees(total)}, but the lines above add up to ${rupees(whole)}`,
        )
      sums.page[side] = 0n
    }
    const number = counts?.[side] ?? null
    if (number !== null && Number(number) !== sums.counts[side])
      throw unreadableStatement(
        `line ${line}: the summary counts ${number} ${side}s, but the lines above are ${sums.counts[side]}`,
      )
  }
  if (amount !== null) sums.page = { debit: 0n, credit: 0n }
}

// A line of a bank statement and the balances of a statement, with the checks that every format of statements needs.

import { Refusal } from '@lendloom/foundation/refusal'
import { type Paise, paiseFrom, rupees } from '@lendloom/lending/money'

export interface StatementLine {
  /** Line number in the file; in CAMT.053 the number of the movement. */
  line: number
  valueOn: string
  /** Positive for incoming, negative for outgoing money. */
  paise: Paise
  reference: string
  /** The bank's description of the movement. */
  description: string
}

export interface StatementRules {
  today: string
  /** The account numbers of the lender; empty if unknown. */
  accounts: string[]
}

/** A statement of a day or a month is far below this limit; a larger file is uploaded in parts. */
export const maxLines = 100_000

/** Shortens a reason, because it may contain a cell of some megabytes. */
export const unreadableStatement = (why: string) =>
  new Refusal('invalid', `the statement cannot be read: ${why.slice(0, 300)}`, { field: 'file' })

/** Refuses a statement with more than `maxLines` lines. */
export function checkLineCount({ length }: { length: number }): void {
  if (length > maxLines) throw unreadableStatement(`it has more than ${maxLines} lines; upload it in parts`)
}

/** Returns the first real reference of a movement, else its line. Skips the placeholders of banks, such as `NONREF` or `000`. */
export const firstReference = (references: (string | undefined)[], line: number): string =>
  references
    .find((each) => each && !/^(-+|0+|nonref|notprovided|na|n\/a)$/i.test(each.trim()))
    ?.trim()
    .replaceAll(/[\r\n]+/g, ' ') ?? `line ${line}`

/** An earlier date is another figure that was read as a date by mistake. */
const firstDay = '2000-01-01'
/** A thousand crore rupees: a larger figure is a reference or an account number that was read as an amount by mistake. */
const maxLinePaise = 10_000_00_00_000_00n
const maxReferenceLength = 200
const maxAccountLength = 40

interface DraftLine extends StatementLine {
  /** Where the line and its date stand in the file, for error messages. */
  place: string
  datePlace: string
}

/** Returns a line if its day, amount and reference are plausible. Refuses the statement otherwise. */
export function statementLine({ place, datePlace, ...line }: DraftLine, { today }: StatementRules): StatementLine {
  const { valueOn, paise, reference, description } = line
  if (valueOn > today) throw unreadableStatement(`${datePlace}: ${valueOn} is after today`)
  if (valueOn < firstDay) throw unreadableStatement(`${datePlace}: ${valueOn} is before ${firstDay}`)
  if (paise > maxLinePaise || paise < -maxLinePaise)
    throw unreadableStatement(`${place}: ${rupees(paise)} is more than ${rupees(maxLinePaise)}`)
  if (reference.includes('\0')) throw unreadableStatement(`${place}: the reference contains NUL`)
  if (reference.length > maxReferenceLength)
    throw unreadableStatement(`${place}: the reference has more than ${maxReferenceLength} characters`)
  return { ...line, description: description.slice(0, 500) }
}

/** Parses an amount with at most two decimals after a point or comma. Refuses the statement for any other text. */
export function positivePaise(text: string, place: string): Paise {
  const paise = /^\d/.test(text) ? paiseFrom(text.replace(',', '.').replace(/\.$|(\.\d{0,2})0+$/, '$1')) : null
  if (paise === null) throw unreadableStatement(`${place}: "${text}" is not an amount`)
  return paise
}

/** Refuses a currency other than the rupee, which tables name in many ways. */
export function checkRupee(text: string, place: string): void {
  checkCurrency(/^(?:inr|rs\.?|₹|indian rupees?|rupees?)$/i.test(text) ? 'INR' : text, place)
}

/** Refuses a currency other than INR. */
export function checkCurrency(currency: string, place: string): void {
  if (currency !== 'INR') throw unreadableStatement(`${place}: the currency is "${currency}", not INR`)
}

/**
 * Refuses an account that is not the lender's. Compares digits without leading zeros, and of a masked account the
 * visible end.
 */
export function checkAccount(account: string, { accounts }: StatementRules, place: string): void {
  const digits =
    account
      .replaceAll(/[^\dX*]/gi, '')
      .split(/[X*]/i)
      .at(-1) ?? ''
  const visible = digits.replace(/^0+/, '')
  if (visible === '' || accounts.length === 0) return
  const isMasked = /[X*]/i.test(account) && digits.length < 9
  if (!accounts.some((each) => (isMasked ? each.endsWith(digits) : each.replace(/^0+/, '') === visible)))
    throw unreadableStatement(`${place}: the account ${account} is not the lender's account`)
}

export interface StatementBalances {
  account: string | null
  /** The day of the opening balance, in a format that sorts. */
  openedOn: string
  opening: Paise | null
  closing: Paise | null
}

export interface AccountBalances {
  account: string
  openingPaise: Paise
  closingPaise: Paise
}

export interface StatementFile {
  lines: StatementLine[]
  /** The first opening and the last closing balance; null if the file has none, or several accounts. */
  balances: AccountBalances | null
}

/**
 * Returns the balances of a file: the opening one of its first day and the closing one of its last. Banks put the newest
 * statement first or last.
 */
export function balancesOf(statements: StatementBalances[]): AccountBalances | null {
  const inOrder = statements.toSorted((a, b) => Number(a.openedOn > b.openedOn) - Number(a.openedOn < b.openedOn))
  const [{ account, opening: openingPaise } = { account: null, opening: null }] = inOrder
  const closingPaise = inOrder.at(-1)?.closing ?? null
  if (account === null || openingPaise === null || closingPaise === null) return null
  if (statements.some((each) => each.account !== account)) return null
  return { account: accountName(account), openingPaise, closingPaise }
}

/** The digits of an account number in a table, also masked ones. */
export const accountDigits = (account: string): string => account.replaceAll(/[^\dX*]/gi, '')

/** Returns an account's letters and digits, at most as many as the database keeps. */
export const accountName = (account: string): string => account.replaceAll(/[^\dA-Z*]/gi, '').slice(-maxAccountLength)

/** Refuses statements of an account of which one does not open as the other closes; the newest may be first or last. */
export function checkChain(statements: (StatementBalances & { place: string })[]): void {
  for (const ofAccount of Map.groupBy(statements, ({ account }) => account).values()) {
    const gap = gapIn(ofAccount)
    if (gap && gapIn(ofAccount.toReversed()))
      throw unreadableStatement(
        `${gap.place}: the statement opens with ${rupees(gap.opening)}, but the one before closes with ${rupees(gap.closed)}: one between them is missing`,
      )
  }
}

/** Returns the first statement that does not open with the balance with which the one before it closes. */
function gapIn(statements: (StatementBalances & { place: string })[]) {
  let closed: Paise | null = null
  for (const { opening, closing, place } of statements) {
    if (closed !== null && opening !== null && opening !== closed) return { place, opening, closed }
    closed = closing
  }
  return null
}

interface Balances extends Pick<StatementBalances, 'opening' | 'closing'> {
  movements: Paise[]
}

/** Refuses a statement whose movements do not lead from its opening to its closing balance. */
export function checkBalances({ opening, closing, movements }: Balances, place: string): void {
  if (opening === null || closing === null) return
  const expected = movements.reduce((sum, paise) => sum + paise, opening)
  if (expected !== closing)
    throw unreadableStatement(
      `${place}: the opening balance and the movements give ${rupees(expected)}, but the closing balance is ${rupees(closing)}`,
    )
}

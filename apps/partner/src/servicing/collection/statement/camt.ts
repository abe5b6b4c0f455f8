// Reads CAMT.053 statements of ISO 20022, versions 02 to 08: booked entries, and the transactions of a batch.

import { readXmlTree, type XmlElement } from '@lendloom/documents/xml-read'
import { type Paise, rupees } from '@lendloom/lending/money'
import { calendarDate } from '@lendloom/wire/identifier'
import {
  balancesOf,
  checkAccount,
  checkBalances,
  checkChain,
  checkCurrency,
  firstReference,
  maxLines,
  positivePaise,
  type StatementBalances,
  type StatementFile,
  type StatementLine,
  type StatementRules,
  statementLine,
  unreadableStatement,
} from './statement-line.ts'

/** So many elements fit into memory. */
const maxElements = 500_000
const namespace = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.0[2-8]$/

/** Returns the movements and balances of a file, in which a bank may put several statements. */
export function readCamtStatement(bytes: Buffer, rules: StatementRules): StatementFile {
  const root = readXmlTree(bytes, maxElements)
  const isCamt = Object.values(root.attributes).some((value) => namespace.test(value))
  const statements = elementsAt(root, 'BkToCstmrStmt', 'Stmt')
  if (root.name !== 'Document' || !isCamt || statements.length === 0)
    throw unreadableStatement(`${placeOf(root)}: it is not a statement in CAMT.053, version 02 to 08`)
  const lines: StatementLine[] = []
  const readStatements = statements.map((statement) => addStatement(lines, statement, rules))
  checkChain(readStatements)
  return { lines, balances: balancesOf(readStatements) }
}

interface ReadStatement extends StatementBalances {
  place: string
}

/** Adds the movements of a statement to the lines, and returns its balances. */
function addStatement(lines: StatementLine[], statement: XmlElement, rules: StatementRules): ReadStatement {
  const account = elementAt(statement, 'Acct', 'Id', 'IBAN') ?? elementAt(statement, 'Acct', 'Id', 'Othr', 'Id')
  if (account) checkAccount(account.text.trim(), rules, placeOf(account))
  const currency = elementAt(statement, 'Acct', 'Ccy')
  if (currency) checkCurrency(currency.text.trim(), placeOf(currency))
  const movements: Paise[] = []
  for (const entry of elementsAt(statement, 'Ntry')) {
    if (!isBooked(entry)) continue
    const paise = signedAmount(entry)
    movements.push(paise)
    const parts = elementsAt(entry, 'NtryDtls', 'TxDtls')
    for (const part of parts.length > 1 ? batchOf(entry, parts, paise) : [{ details: parts[0], paise }]) {
      if (part.paise === 0n) continue
      if (lines.length >= maxLines)
        throw unreadableStatement(`it has more than ${maxLines} movements; upload it in parts`)
      lines.push(lineOf(entry, part, { line: lines.length + 1, rules }))
    }
  }
  const place = placeOf(statement)
  const balances = {
    opening: balanceOf(statement, openingCodes) ?? interimBalance(statement, 0),
    closing: balanceOf(statement, closingCodes) ?? interimBalance(statement, -1),
  }
  if (balances.opening === null || balances.closing === null)
    throw unreadableStatement(
      `${place}: the statement has no ${balances.opening === null ? 'opening' : 'closing'} balance`,
    )
  checkBalances({ ...balances, movements }, place)
  const openedOn = textAt(statement, 'Bal', 'Dt', 'Dt') ?? ''
  return { account: account?.text.trim() ?? null, openedOn, place, ...balances }
}

/** Codes of balances: the opening one, and the closing one of the previous day. */
const openingCodes = ['OPBD', 'PRCD']
const closingCodes = ['CLBD']
/** Pending (`PDNG`), informational (`INFO`) and future (`FUTR`) entries have not moved money. */
const unbookedStatuses = ['PDNG', 'INFO', 'FUTR']

function isBooked(entry: XmlElement): boolean {
  const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts')
  if (status === 'BOOK') return true
  if (status !== undefined && unbookedStatuses.includes(status)) return false
  throw unreadableStatement(
    `${placeOf(elementAt(entry, 'Sts') ?? entry)}: the entry has ${status ? `the status "${status}"` : 'no status'}, not BOOK`,
  )
}

/** The pages of a long statement open and close with an interim balance (`ITBD`): the first opens, the last closes. */
function interimBalance(statement: XmlElement, at: number): Paise | null {
  const interim = elementsAt(statement, 'Bal').filter((each) => textAt(each, 'Tp', 'CdOrPrtry', 'Cd') === 'ITBD')
  const isAlone = interim.length < 2 && balanceOf(statement, at === 0 ? closingCodes : openingCodes) === null
  const balance = interim.at(at)
  return balance && !isAlone ? signedAmount(balance) : null
}

function balanceOf(statement: XmlElement, codes: string[]): Paise | null {
  const balances = elementsAt(statement, 'Bal')
  const found = codes.map((code) => balances.filter((each) => textAt(each, 'Tp', 'CdOrPrtry', 'Cd') === code))
  const [balance, second] = found.find(({ length }) => length > 0) ?? []
  if (second) throw unreadableStatement(`${placeOf(second)}: the statement has this balance twice`)
  return balance ? signedAmount(balance) : null
}

/** A transaction of an entry, or the whole entry; without details if the bank gives none. */
interface EntryPart {
  details: XmlElement | undefined
  paise: Paise
}

/** Returns the transactions of an entry that sums up a batch. */
function batchOf(entry: XmlElement, parts: XmlElement[], total: Paise): EntryPart[] {
  const batch = parts.map((details) => {
    const amount = elementAt(details, 'Amt') ?? elementAt(details, 'AmtDtls', 'TxAmt', 'Amt')
    if (!amount) throw unreadableStatement(`${placeOf(details)}: a transaction of a batch has no amount`)
    return { details, paise: signedAmount(entry, amount, elementAt(details, 'CdtDbtInd')) }
  })
  const sum = batch.reduce((added, { paise }) => added + paise, 0n)
  if (sum !== total)
    throw unreadableStatement(
      `${placeOf(entry)}: the transactions of the entry add up to ${rupees(sum)}, but the entry has ${rupees(total)}`,
    )
  return batch
}

/** Returns an amount, negative for outgoing money. The indicator is the direction of the money, also of a reversal. */
function signedAmount(
  element: XmlElement,
  amount = elementAt(element, 'Amt'),
  side = elementAt(element, 'CdtDbtInd'),
): Paise {
  if (!amount) throw unreadableStatement(`${placeOf(element)}: ${element.name} has no amount`)
  checkCurrency(amount.attributes.Ccy ?? '', placeOf(amount))
  const text = amount.text.trim()
  // XML has no comma in a number: `4,790` would be read as 4.79.
  if (text.includes(',')) throw unreadableStatement(`${placeOf(amount)}: "${text}" is not an amount`)
  const paise = positivePaise(text, placeOf(amount))
  const indicator = side?.text.trim()
  if (indicator !== 'CRDT' && indicator !== 'DBIT')
    throw unreadableStatement(`${placeOf(side ?? element)}: ${element.name} is neither CRDT nor DBIT`)
  return indicator === 'DBIT' ? -paise : paise
}

interface LineContext {
  line: number
  rules: StatementRules
}

function lineOf(entry: XmlElement, { details, paise }: EntryPart, { line, rules }: LineContext): StatementLine {
  const day = ['ValDt', 'BookgDt'].map((name) => textAt(entry, name, 'Dt') ?? textAt(entry, name, 'DtTm')).find(Boolean)
  const valueOn = calendarDate(day?.slice(0, 10) ?? '')
  if (valueOn === null) throw unreadableStatement(`${placeOf(entry)}: the entry has no valid date`)
  const refs = ['EndToEndId', 'TxId', 'AcctSvcrRef', 'InstrId'].map((name) =>
    details ? textAt(details, 'Refs', name) : undefined,
  )
  const references = [...refs, textAt(entry, 'AcctSvcrRef'), textAt(entry, 'NtryRef')]
  const reference = firstReference(references, line)
  const remarks = details ? elementsAt(details, 'RmtInf', 'Ustrd').map(({ text }) => text.trim()) : []
  const reversal = textAt(entry, 'RvslInd')
  const words = [
    ...(reversal === 'true' || reversal === '1' ? ['Reversal'] : []),
    ...remarks,
    details && textAt(details, 'AddtlTxInf'),
    textAt(entry, 'AddtlNtryInf'),
    ...references.filter((each) => each !== reference),
  ]
  const description = [...new Set(words.filter((each) => each))].join(' ')
  const place = placeOf(entry)
  return statementLine({ place, datePlace: place, line, valueOn, paise, reference, description }, rules)
}

const placeOf = ({ line, column }: XmlElement): string => `line ${line}, column ${column}`

/** Returns the elements at a path below an element. */
const elementsAt = (element: XmlElement, ...path: string[]): XmlElement[] =>
  path.reduce(
    (found, name) => found.flatMap(({ children }) => children.filter((each) => each.name === name)),
    [element],
  )

const elementAt = (element: XmlElement, ...path: string[]): XmlElement | undefined => elementsAt(element, ...path)[0]

const textAt = (element: XmlElement, ...path: string[]): string | undefined =>
  elementAt(element, ...path)?.text.trim() || undefined

// Reads MT940 statements of SWIFT: fields such as `:61:` for a movement, and `:60F:` and `:62F:` for the balances.

import type { Paise } from '@lendloom/lending/money'
import { calendarDate } from '@lendloom/wire/identifier'
import {
  balancesOf,
  checkAccount,
  checkBalances,
  checkChain,
  checkCurrency,
  checkLineCount,
  firstReference,
  positivePaise,
  type StatementBalances,
  type StatementFile,
  type StatementLine,
  type StatementRules,
  statementLine,
  unreadableStatement,
} from './statement-line.ts'

/** A field `:61:…` with its lines, and the number of its first line in the file. */
interface Field {
  tag: string
  text: string[]
  line: number
}

/** The fields that a statement may have. Another one means that the file is something else. */
const knownTags = new Set('13D 20 21 25 25P 28 28C 34F 60F 60M 61 62F 62M 64 65 86 90C 90D NS'.split(' '))

/** Whether a file begins as MT940 does: with a SWIFT header or with a reference. */
export const isMt940 = (start: string): boolean => /^(\{1:|:20:)/.test(start)

/** Returns the movements and balances of a file, in which a bank may put several statements. */
export function readMt940Statement(text: string, rules: StatementRules): StatementFile {
  const statements: Field[][] = []
  for (const field of fieldsOf(text)) {
    if (field.tag === '20') statements.push([])
    const fields = statements.at(-1)
    if (!fields) throw unreadableStatement(`line ${field.line}: a statement starts with :20:`)
    fields.push(field)
  }
  refuseRepeated(statements)
  const readStatements = statements.map((fields) => statementOf(fields, rules))
  const lines = readStatements.flatMap((each) => each.lines)
  checkLineCount(lines)
  checkChain(readStatements)
  return { lines, balances: balancesOf(readStatements) }
}

/**
 * Refuses a file that has a statement twice. Compares accounts, numbers, balances and movements, because a bank may give the copy another
 * reference.
 */
function refuseRepeated(statements: Field[][]): void {
  const seen = new Map<string, number>()
  for (const fields of statements) {
    const [{ line } = { line: 0 }] = fields
    const key = JSON.stringify(fields.filter(({ tag }) => /^(?:25|28|6[012])/.test(tag)).map(({ text }) => text))
    const earlier = seen.get(key)
    if (earlier !== undefined)
      throw unreadableStatement(`line ${line}: the statement of line ${earlier} is in the file twice`)
    seen.set(key, line)
  }
}

/** Divides a file into fields. Skips the SWIFT headers and trailers around a statement. */
function fieldsOf(text: string): Field[] {
  const fields: Field[] = []
  for (const [index, row] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|[\r\n]/)
    .entries()) {
    const line = index + 1
    const content = row.replace(/^(\{\d:[^{}]*\})*\{4:$|^(\{\d:[^{}]*\})+$|^-\}?(\{5:.*)?$/, '')
    const [, tag = '', rest = ''] = /^:([A-Z0-9]{2,3}):(.*)$/.exec(content) ?? []
    if (tag !== '' && !knownTags.has(tag)) throw unreadableStatement(`line ${line}: the field :${tag}: is unknown`)
    if (tag !== '') fields.push({ tag, text: [rest], line })
    else if (content.trim() !== '') {
      const field = fields.at(-1)
      if (!field) throw unreadableStatement(`line ${line} is outside a field`)
      field.text.push(content)
    }
  }
  return fields
}

interface ReadStatement extends StatementBalances, Pick<StatementFile, 'lines'> {
  place: string
}

function statementOf(fields: Field[], rules: StatementRules): ReadStatement {
  const required = (...names: string[]): Field => {
    const field = fields.find(({ tag }) => names.includes(tag))
    if (!field) throw unreadableStatement(`line ${fields[0]?.line}: the statement has no field :${names[0]}:`)
    const second = fields.find((each) => each !== field && names.includes(each.tag))
    if (second) throw unreadableStatement(`line ${second.line}: the statement has the field :${second.tag}: twice`)
    return field
  }
  const account = required('25', '25P')
  const [number = ''] = account.text[0]?.split('/').slice(-1) ?? []
  checkAccount(number, rules, `line ${account.line}`)
  const opened = required('60F', '60M')
  const closed = required('62F', '62M')
  const lines = fields.flatMap((field, i) =>
    field.tag === '61' ? (movementOf(field, fields[i + 1], rules) ?? []) : [],
  )
  const balances = { opening: balanceOf(opened), closing: balanceOf(closed) }
  checkBalances({ ...balances, movements: lines.map(({ paise }) => paise) }, `line ${closed.line}`)
  for (const field of fields) checkSum(field, lines)
  const openedOn = opened.text[0]?.trim().slice(1, 7) ?? ''
  return { lines, account: number, openedOn, place: `line ${opened.line}`, ...balances }
}

function balanceOf({ tag, text: [text = ''], line }: Field): Paise {
  const [, side, currency = '', digits = ''] = /^([CD])\d{6}([A-Z]{3})(\d{1,15},\d{0,2})$/.exec(text.trim()) ?? []
  if (side === undefined) throw unreadableStatement(`line ${line}: the balance :${tag}:${text} is not readable`)
  checkCurrency(currency, `line ${line}`)
  const paise = positivePaise(digits, `line ${line}`)
  return side === 'D' ? -paise : paise
}

/** Value date, booking date, side (`R` for a reversal), funds code, amount, type, and references. */
const movementPattern = /^(\d{6})(?:\d{4})?(R?[CD])[A-Z]?(\d{1,15},\d{0,2})([A-Z][A-Z0-9]{3})(.*)$/

/** Compares the movements with the number and the sum of the debits (`:90D:`) or the credits (`:90C:`). */
function checkSum({ tag, text: [text = ''], line }: Field, lines: StatementLine[]): void {
  if (tag !== '90C' && tag !== '90D') return
  const [, number = '', currency = '', digits = ''] = /^(\d{1,5})([A-Z]{3})(\d{1,15},\d{0,2})$/.exec(text.trim()) ?? []
  if (digits === '') throw unreadableStatement(`line ${line}: the sum :${tag}:${text} is not readable`)
  checkCurrency(currency, `line ${line}`)
  const amounts = lines.map(({ paise }) => (tag === '90D' ? -paise : paise)).filter((paise) => paise > 0n)
  const sum = amounts.reduce((total, paise) => total + paise, 0n)
  if (Number(number) !== amounts.length || positivePaise(digits, `line ${line}`) !== sum)
    throw unreadableStatement(`line ${line}: the sum :${tag}:${text} is not that of the movements`)
}

/**
 * Returns the movement of a field `:61:`, described by the field `:86:` after it; null if its amount is zero. A reversed
 * credit goes out, and a reversed debit comes in.
 */
function movementOf({ text, line }: Field, next: Field | undefined, rules: StatementRules): StatementLine | null {
  const [first = '', ...details] = text
  const [, day = '', side, digits = '', , references = ''] = movementPattern.exec(first) ?? []
  const place = `line ${line}`
  if (side === undefined) throw unreadableStatement(`${place}: the movement :61:${first} is not readable`)
  const valueOn = calendarDate(`20${day.slice(0, 2)}-${day.slice(2, 4)}-${day.slice(4)}`)
  const datePlace = `${place}, column 5`
  if (valueOn === null) throw unreadableStatement(`${datePlace}: "${day}" is not a date such as 261130`)
  const paise = positivePaise(digits, place)
  if (paise === 0n) return null
  const [own, bank] = references.split('//')
  const reference = firstReference([own, bank], line)
  const infoForOwner = next?.tag === '86' ? next.text : []
  const description = [...(bank && bank !== reference ? [bank] : []), ...details, ...infoForOwner].join(' ').trim()
  const isOut = side === 'D' || side === 'RC'
  return statementLine(
    { place, datePlace, line, valueOn, paise: isOut ? -paise : paise, reference, description },
    rules,
  )
}

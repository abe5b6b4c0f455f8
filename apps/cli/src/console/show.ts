// Shows an answer of the console to a person: lists as tables, objects line by line, local times, grouped amounts.

import { isObject } from '@lendloom/foundation/record'
import { isUuid } from '@lendloom/foundation/uuid'
import { type Column, table } from '#cli/command.ts'
import { plainText } from '#cli/terminal.ts'

/** The widest line of a table, unless the terminal has another width. */
const defaultWidth = 120
/** A column of text is not cut below this width. */
const minTextWidth = 8

export interface ListLook {
  /** The path of each column by its head; by default all simple fields. */
  columns?: Readonly<Record<string, string>> | undefined
  /** What a cell shows that has no value, by the head of its column. */
  blanks?: Readonly<Record<string, string>> | undefined
  /** The text without items. */
  none?: string | undefined
  /** The paths of amounts in the answer, such as `items[].principal`. */
  amounts?: readonly string[]
}

/** A list as a table, with the cursor of its next page. */
export function listText(
  items: readonly unknown[],
  { columns, blanks = {}, none = 'There is nothing to list.', amounts = [] }: ListLook,
  next: string | null = null,
): string {
  if (items.length === 0) return none
  const rows = items.map((item) => (isObject(item) ? flatFields(item) : { value: item }))
  const chosen = columns ?? Object.fromEntries(simplePaths(rows).map((path) => [wordsOf(path).toUpperCase(), path]))
  const isAmount = (path: string) => amounts.some((each) => each.endsWith(`[].${path}`))
  const lines = fittedTable(
    rows,
    Object.entries(chosen).map(([head, path]) => ({
      head,
      of: (row) =>
        oneLine(valueText(row[path] ?? pairsBelow(row, path), { path, isAmount: isAmount(path) })) || blanks[head],
    })),
  )
  return withNextPage(lines, next)
}

/** A page of a list, with the cursor of the next one. */
export const withNextPage = (lines: string, next: string | null): string =>
  next === null ? lines : `${lines}\n\nNext page: --after ${plainText(next)}`

/** The simple fields of an object, one line each, then its lists as tables. */
export function objectText(value: Record<string, unknown>, amounts: readonly string[] = []): string {
  const fields = Object.entries(flatFields(value)).filter(([, each]) => each !== null && each !== undefined)
  const simple = fields.filter(([, each]) => !isListOfObjects(each) && !isBlankList(each))
  const width = Math.max(0, ...simple.map(([path]) => wordsOf(path).length))
  const lines = simple.map(([path, each]) => {
    const text = valueText(each, { path, isAmount: amounts.includes(path) })
    return text.includes('\n') ? `\n${wordsOf(path)}\n${text}\n` : `${wordsOf(path).padEnd(width)}  ${text}`
  })
  const sections = fields
    .filter(([, each]) => isListOfObjects(each) && each.length > 0)
    .map(([path, each]) => {
      const inner = amounts.filter((amount) => amount.startsWith(`${path}[]`))
      return `\n${wordsOf(path).toUpperCase()}\n${wholeList(Array.isArray(each) ? each : [], inner)}`
    })
  return [...lines, ...sections].join('\n')
}

/** A table if nothing in it is cut; otherwise each item with its fields line by line, because a reader asked for all of it. */
function wholeList(items: readonly unknown[], amounts: readonly string[]): string {
  const asTable = listText(items, { amounts })
  const hasMore = items.some((item) => isObject(item) && Object.values(flatFields(item)).some(isListOfObjects))
  const isWide = asTable.split('\n').some((line) => line.length > terminalWidth())
  if (!asTable.includes('…') && !isWide && !hasMore) return asTable
  const ofItem = amounts.map((amount) => amount.slice(amount.indexOf('[].') + 3))
  return items.map((item) => objectText(isObject(item) ? item : { value: item }, ofItem)).join('\n\n')
}

/** A pseudo-terminal may have no columns. */
const terminalWidth = (): number => process.stdout.columns || defaultWidth

/** Empty, or a series without a single value. */
const isBlankList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => each === null || each === undefined)

const isListOfObjects = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.some(isObject)

/** The fields of an object and of the objects in it, by their paths such as `lastDay.delivered`. */
const flatFields = (value: Record<string, unknown>, prefix = ''): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      isObject(each) ? Object.entries(flatFields(each, `${prefix}${name}.`)) : [[`${prefix}${name}`, each]],
    ),
  )

/** The fields of an object inside a row as `name=value`, for a column that shows the whole object. */
const pairsBelow = (row: Record<string, unknown>, path: string): string[] | undefined => {
  const inner = Object.entries(row).filter(([name, value]) => name.startsWith(`${path}.`) && value !== null)
  if (inner.length === 0) return undefined
  return inner.map(([name, value]) => `${name.slice(path.length + 1)}=${value}`)
}

/** The paths whose values fit into a cell, in the order of the fields. */
function simplePaths(rows: Record<string, unknown>[]): string[] {
  const paths = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return paths.filter((path) => {
    const values = rows.map((row) => row[path]).filter((value) => value !== null && value !== undefined)
    return values.length > 0 && !values.some(isListOfObjects)
  })
}

/** `lastDay.p95Ms` as `last day p95`. */
const wordsOf = (path: string): string =>
  path
    .replace(/Ms$/, '')
    .replace(/ID$/, 'Id')
    .replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll('.', ' ')

function valueText(value: unknown, { path, isAmount }: { path: string; isAmount: boolean }): string {
  if (value === null || value === undefined) return ''
  if (isListOfObjects(value)) return String(value.length)
  if (Array.isArray(value)) return value.map((each) => valueText(each, { path, isAmount })).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return /(?:Ms|\bms)$/.test(path) ? `${value} ms` : String(Number(value.toFixed(3)))
  const text = plainText(String(value))
  if (isAmount) return amountText(text)
  return withLocalTime(text)
}

const withLocalTime = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) ? localTime(text) : text

/** An instant in the time zone of the terminal, such as `2026-11-30 10:35:07`. */
export const localTime = (instant: string): string =>
  new Date(instant).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'medium' })

/** Also as a part of a longer name, such as `network.01a2…`. */
const hasId = (text: string): boolean => text.split(/[ .]/).some(isUuid)

const isLocalTime = (text: string): boolean => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)

/** `200000.00` as `₹2,00,000`. */
export const amountText = (amount: string): string => {
  const [rupees = '', paise = ''] = amount.split('.')
  const grouped = /^-?\d+$/.test(rupees) ? BigInt(rupees).toLocaleString('en-IN') : rupees
  return `₹${grouped}${/^0*$/.test(paise) ? '' : `.${paise}`}`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** A table whose texts are cut, or wrapped if it is shown whole, where it would be wider than the terminal. Ids and times stay. */
export function fittedTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { isWhole = false } = {},
): string {
  const width = terminalWidth()
  const cells = rows.map((row) => columns.map(({ of }) => withLocalTime(plainText(String(of(row) ?? '')))))
  const widths = columns.map(({ head }, i) => Math.max(head.length, ...cells.map((line) => line[i]?.length ?? 0)))
  const canBeCut = columns.map((_, i) => !cells.some((line) => isLocalTime(line[i] ?? '') || hasId(line[i] ?? '')))
  const excess = () => widths.reduce((sum, each) => sum + each + 2, -2) - width
  while (excess() > 0) {
    const cuttable = widths.map((each, i) => (canBeCut[i] && each > minTextWidth ? each : 0))
    const widest = Math.max(...cuttable)
    if (widest === 0) break
    const at = cuttable.indexOf(widest)
    const nextWidest = Math.max(minTextWidth, ...cuttable.filter((_, i) => i !== at))
    widths[at] = Math.max(minTextWidth, widest - excess(), Math.min(nextWidest, widest - 1))
  }
  const lines = isWhole ? cells.flatMap((line) => wrappedRow(line, widths)) : cells
  return table(
    lines,
    columns.map(({ head }, i) => ({ head, of: (line: string[]) => cut(line[i] ?? '', widths[i] ?? 0) })),
  )
}

/** A row as several lines, none of whose cells is wider than its column. */
function wrappedRow(cells: string[], widths: number[]): string[][] {
  const wrapped = cells.map((cell, i) => wrap(cell, widths[i] ?? 0))
  const height = Math.max(...wrapped.map(({ length }) => length))
  return Array.from({ length: height }, (_, at) => wrapped.map((lines) => lines[at] ?? ''))
}

function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text)

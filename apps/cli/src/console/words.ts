// Options of commands that call the console, and the formatting of responses.

import { isUuid } from '@lendloom/foundation/uuid'
import { type Column, requireArgument, requireOption, UsageError } from '#cli/command.ts'
import { fittedTable, withNextPage } from './show.ts'

export const tenantOption = {
  type: 'string',
  value: 'tenantId',
  about: 'tenant it belongs to, by its id or name',
} as const
export const pageOptions = {
  after: { type: 'string', value: 'cursor', about: 'start after this cursor: the `next` of an earlier response' },
  limit: { type: 'string', value: 'number', about: 'page size, 1 to 200 (default: 50)' },
} as const

/** Returns the only argument, which must be an id. */
export function idOf(args: string[], what: string): string {
  const id = requireArgument(args, what)
  if (!isUuid(id)) throw new UsageError(`${what} must be an id, not "${id}"`)
  return id
}

export const tenantQuery = ({ tenant }: { readonly tenant?: string | undefined }): { tenantId: string } => ({
  tenantId: requireOption(tenant, 'tenant'),
})

/** Parses an optional whole number. */
export function numberFrom(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not "${text}"`)
  return Number(text)
}

/** Finds the given word in upper or lower case among the allowed words; undefined if none was given. */
export function wordIn<Word extends string>(
  words: readonly Word[],
  given: string | undefined,
  name: string,
): Word | undefined {
  const found = words.find((word) => word.toUpperCase() === given?.toUpperCase())
  if (given !== undefined && found === undefined)
    throw new UsageError(`--${name} must be one of ${words.join(', ')}, not "${given}"`)
  return found
}

/** The words in capitals, as the API spells them. */
export const inCapitals = (words: string[] | undefined): string[] | undefined =>
  words?.map((word) => word.toUpperCase())

/** A table of results and the cursor of the next page, or the text `none` without results. */
export function resultTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  none: string,
  next: string | null = null,
): string {
  if (rows.length === 0) return none
  return withNextPage(fittedTable(rows, columns), next)
}

/** One line per field that is not null. */
export const fieldLines = (value: Record<string, unknown>): string =>
  Object.entries(value)
    .filter(([, each]) => each !== null && each !== undefined)
    .map(([name, each]) => `${name.padEnd(width(value))}  ${typeof each === 'object' ? JSON.stringify(each) : each}`)
    .join('\n')

const width = (value: Record<string, unknown>): number => Math.max(...Object.keys(value).map(({ length }) => length))

// What the commands that ask the console share: their options, and how answers are written for people.

import { only, required, table, UsageError } from '#cli/command.ts'
import { isUuid } from '#kit/crypto/id.ts'

export const tenantOption = { type: 'string', value: 'tenantId', about: 'whose it is' } as const
export const pageOptions = {
  after: { type: 'string', value: 'cursor', about: 'only what stands behind this: the `next` of an earlier answer' },
  limit: { type: 'string', value: 'number', about: 'how many, 1 to 200 (default: 50)' },
} as const

/** The one argument, which must be an id. */
export function idOf(args: string[], what: string): string {
  const id = only(args, what)
  if (!isUuid(id)) throw new UsageError(`${what} is an id, not "${id}"`)
  return id
}

/** The tenant, which must be named. */
export const ofTenant = ({ tenant }: { readonly tenant?: string | undefined }): { tenantId: string } => ({
  tenantId: required(tenant, 'tenant'),
})

/** A whole number, where one is given. */
export function numberFrom(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not "${text}"`)
  return Number(text)
}

/** One of the words, in any case; undefined when absent. */
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

/** Words as they are typed in the API: in capitals. */
export const inCapitals = (words: string[] | undefined): string[] | undefined =>
  words?.map((word) => word.toUpperCase())

/** A table of results, or the text for none, with the cursor of the next page below it. */
export function listed(head: string[], rows: string[][], none: string, next: string | null = null): string {
  if (rows.length === 0) return none
  return `${table(head, rows)}${next === null ? '' : `\n\nMore: --after ${next}`}`
}

/** One line for each field, without those that are null. */
export const fields = (value: Record<string, unknown>): string =>
  Object.entries(value)
    .filter(([, each]) => each !== null && each !== undefined)
    .map(([name, each]) => `${name.padEnd(width(value))}  ${typeof each === 'object' ? JSON.stringify(each) : each}`)
    .join('\n')

const width = (value: Record<string, unknown>): number => Math.max(...Object.keys(value).map(({ length }) => length))

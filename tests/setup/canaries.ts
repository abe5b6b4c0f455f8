// Personal values that are found wherever they leak: unique PANs, mobile numbers, addresses and so on with a common mark.

import { isObject } from '@lendloom/foundation/record'
import type { TSchema } from '@lendloom/foundation/schema'

const mark = 'zqxp'
const digits = '97531'
const capitalAt = (index: number): string => String.fromCharCode(65 + (index % 26))

/** Also finds values in other cases, in hexadecimal, and mobile numbers with a country code. */
const leak = new RegExp(
  [
    `[^\\s"]{0,40}${mark}[^\\s"]{0,20}`,
    `(?<![\\da-f.])(?:91)?${digits}\\d{5}(?:\\d{4})?(?![\\da-f])`,
    ...[mark, `Z${mark.slice(1)}`, mark.toUpperCase()].map((text) => Buffer.from(text).toString('hex')),
    Buffer.from(digits).toString('hex'),
  ].join('|'),
  'gi',
)

export const leaksIn = (text: string): string[] => [...new Set(text.match(leak))]

let count = 0
/** Returns unique values of a person; `kinds` are those of a mistaken integrator, who puts them anywhere. */
export const canaryOf = {
  pan: () => `ZQXP${capitalAt(count++ / 10_000)}${String(count % 10_000).padStart(4, '0')}${capitalAt(count)}`,
  mobile: () => `${digits}${String(count++).padStart(5, '0')}`,
  email: () => `${mark}.${count++}@mail.example`,
  name: () => `Zqxp${capitalAt(count++)}${capitalAt(count / 26)} Kulkarni`,
  address: () => `${count++} Zqxp Lane`,
  account: () => `${digits}${String(count++).padStart(9, '0')}`,
}
const kinds = Object.values(canaryOf)

/** The kind that a field of this name asks for; any other field gets each kind in turn. */
function canaryFor(name: string): string {
  const kind = (
    [
      [/pan$/i, canaryOf.pan],
      [/mobile|phone|contactnumber/i, canaryOf.mobile],
      [/email/i, canaryOf.email],
      [/accountnumber|account_number/i, canaryOf.account],
      [/name$/i, canaryOf.name],
      [/address/i, canaryOf.address],
    ] as const
  ).find(([pattern]) => pattern.test(name))?.[1]
  return (kind ?? kinds[count % kinds.length]!)()
}

export const anyCanary = (): string => kinds[count % kinds.length]!()

/** A value that programs recognize by its form, unlike a name. */
export function anyIdentifier(): string {
  const { name: _, address: __, ...identifiers } = canaryOf
  const all = Object.values(identifiers)
  return all[count % all.length]!()
}

/** A value with every field of a schema; each text without a fixed value is a canary. */
export function filledWith(schema: TSchema, name = '', depth = 0): unknown {
  const {
    properties,
    items,
    anyOf,
    oneOf,
    allOf,
    enum: values,
    const: constant,
    type,
  } = schema as Record<string, never>
  if (constant !== undefined) return constant
  if (Array.isArray(values)) return values[0]
  const [first] = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []))
  if (first && depth < 20) return filledWith(first, name, depth + 1)
  if (isObject(properties))
    return Object.fromEntries(
      Object.entries(properties).map(([key, inner]) => [key, filledWith(inner as TSchema, key, depth + 1)]),
    )
  if (type === 'array' && items) return [filledWith(items, name, depth + 1)]
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return 1
  return canaryFor(name)
}

export const canaryCount = (): number => count

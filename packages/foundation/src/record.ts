// Helpers for records, values of unknown type, lists and promises.

export const recordOf = <Key extends string, Value>(
  keys: readonly Key[],
  valueFor: (key: Key) => Value,
): Record<Key, Value> => Object.fromEntries(keys.map((key) => [key, valueFor(key)])) as Record<Key, Value>

type Present<Fields, Absent> = { [Name in keyof Fields]?: Exclude<Fields[Name], Absent> }

/** The object without fields equal to `absent`, so that a merge keeps existing values. */
export const omitValue = <Fields extends object, Absent extends null | undefined>(
  fields: Fields,
  absent: Absent,
): Present<Fields, Absent> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== absent)) as Present<Fields, Absent>

/** Whether an untrusted word is a key of the record. */
export const isKeyOf = <Key extends string>(
  record: Readonly<Partial<Record<Key, unknown>>>,
  word: string,
): word is Key => Object.hasOwn(record, word)

/** The value of an untrusted key; undefined for inherited keys such as `constructor`. */
export const ownValue = <Value>(record: Readonly<Partial<Record<string, Value>>>, word: string): Value | undefined =>
  Object.hasOwn(record, word) ? record[word] : undefined

/** Returns the values of these fields, with null for an absent field. */
export function orNull<Key extends string, Fields extends { [Name in Key]?: unknown }>(
  keys: readonly Key[],
  fields: Fields,
): { [Name in Key]: NonNullable<Fields[Name]> | null }
export function orNull(keys: readonly string[], fields: Record<string, unknown>) {
  return Object.fromEntries(keys.map((key) => [key, fields[key] ?? null]))
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of an object; empty for any other value. */
export const fieldsOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})

export const isOneOf = <Word extends string>(words: readonly Word[], value: unknown): value is Word =>
  words.some((word) => word === value)

/** The keys of a record, typed. The record must have no keys beyond its type. */
export const keysOf = <Key extends string>(record: Readonly<Partial<Record<Key, unknown>>>): Key[] =>
  Object.keys(record).filter((key): key is Key => key in record)

/** Whether the list has an element; narrows its type. */
export const isFilled = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** The error code of Node, the database or the network; undefined without one. */
export const codeOf = (thrown: unknown): string | undefined => {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined
  return typeof code === 'string' ? code : undefined
}

/**
 * Parses JSON that another system wrote, which may begin with a byte order mark (RFC 8259 §8.1). Throws a `SyntaxError`.
 * Bytes that were accepted with the mark and stored are read by this, too.
 */
// biome-ignore lint/suspicious/noExplicitAny: as JSON.parse, whose result the caller checks or has checked
export const parseJson = (text: string | Buffer): any => JSON.parse(text.toString().replace(/^\ufeff/, ''))

/** Parses untrusted JSON; null when it is invalid. */
export function jsonIn(text: string | Buffer): unknown {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}

/** Pairs the items of two lists by position. Throws when their lengths differ. */
export function pairs<Left, Right>(left: readonly Left[], right: readonly Right[]): [Left, Right][] {
  if (left.length !== right.length) throw new RangeError(`cannot pair ${left.length} items with ${right.length}`)
  const rightValues = right.values()
  return left.flatMap((item): [Left, Right][] => {
    const { done, value } = rightValues.next()
    return done ? [] : [[item, value]]
  })
}

export function grouped<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, [Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** A required value is missing, which is a bug in the program. */
class MissingValue extends Error {
  constructor(what: string) {
    super(`${what} is missing`)
    this.name = 'MissingValue'
  }
}

/** Returns the value. Throws `MissingValue`, naming `what`, when it is null or undefined. */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new MissingValue(what)
  return value
}

/** Awaits all promises of a record; rejects with the error of the first one that rejects. */
export async function allOf<T extends Record<string, unknown>>(
  promises: T,
): Promise<{ [Name in keyof T]: Awaited<T[Name]> }> {
  const results = await Promise.all(Object.values(promises))
  return Object.fromEntries(Object.keys(promises).map((name, i) => [name, results[i]])) as never
}

/** Returns the result of `make`, which is called once, on first use. */
export function lazily<T>(make: () => T): () => T {
  let cached: { value: T } | undefined
  return () => {
    cached ??= { value: make() }
    return cached.value
  }
}

/** JSON with sorted keys and without undefined fields, so that equal values have the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`
}

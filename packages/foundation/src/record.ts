// Reads records and values of unknown type.

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

// Records whose keys are known: made from their keys, and guarded where a key comes from outside.

/** A value for each of the keys. */
export const recordOf = <Key extends string, Value>(
  keys: readonly Key[],
  valueFor: (key: Key) => Value,
): Record<Key, Value> => Object.fromEntries(keys.map((key) => [key, valueFor(key)])) as Record<Key, Value>

type Given<Fields, Absent> = { [Name in keyof Fields]?: Exclude<Fields[Name], Absent> }

/** The fields without those that are `absent`: a field that nobody said is not there, so that a merge keeps what is known. */
export const without = <Fields extends object, Absent extends null | undefined>(
  fields: Fields,
  absent: Absent,
): Given<Fields, Absent> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== absent)) as Given<Fields, Absent>

/** Whether a word from outside is a key of the record. */
export const isKeyOf = <Key extends string>(
  record: Readonly<Partial<Record<Key, unknown>>>,
  word: string,
): word is Key => Object.hasOwn(record, word)

/** What a record has of its own under a text from outside; `constructor` and the like are nothing. */
export const ownValue = <Value>(record: Readonly<Partial<Record<string, Value>>>, word: string): Value | undefined =>
  Object.hasOwn(record, word) ? record[word] : undefined

/** The values of these fields, null for those that are absent. */
export function orNull<Key extends string, Fields extends { [Name in Key]?: unknown }>(
  keys: readonly Key[],
  fields: Fields,
): { [Name in Key]: NonNullable<Fields[Name]> | null }
export function orNull(keys: readonly string[], fields: Record<string, unknown>) {
  return Object.fromEntries(keys.map((key) => [key, fields[key] ?? null]))
}

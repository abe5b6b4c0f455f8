// Says what an unknown value is, where it comes from outside or was thrown.

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What an object holds; nothing for a value that is none, whose fields are all absent. */
export const fieldsOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})

/** Whether a value is one of the words. */
export const isOneOf = <Word extends string>(words: readonly Word[], value: unknown): value is Word =>
  words.some((word) => word === value)

/** The names in a record that is written whole, with no others beside its own. */
export const keysOf = <Key extends string>(record: Readonly<Partial<Record<Key, unknown>>>): Key[] =>
  Object.keys(record).filter((key): key is Key => key in record)

/** Whether something stands at the first place, so that it can be taken without asking. */
export const isFilled = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0

/** The message of what was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** The code by which Node, the database or the network tells an error from others; nothing where it has none. */
export const codeOf = (thrown: unknown): string | undefined => {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** The JSON in a text from outside; null where it is none. */
export function jsonIn(text: string | Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return null
  }
}

// A message in one language: a text with placeholders in braces, or one such text for each plural form.
export type CatalogueMessage = string | { [form: string]: string; other: string }

type PlaceholdersOf<Placeholders, Key> = Placeholders[Extract<Key, keyof Placeholders>]

/** The values of a message; `Placeholders` lists the placeholders of each key that has any. */
export type MessageValues<Placeholders, Key> = [PlaceholdersOf<Placeholders, Key>] extends [never]
  ? []
  : [values: Record<PlaceholdersOf<Placeholders, Key> & string, string | number>]

/** Returns the text of a key with the values filled in. */
export type Translate<Key, Placeholders> = <K extends Key>(key: K, ...values: MessageValues<Placeholders, K>) => string

const turning = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/

/**
 * Isolates a value that has right-to-left letters or controls of direction, so that it cannot turn the text around it.
 * Removes the controls, because they could end the isolation.
 */
const isolate = (value: string): string =>
  turning.test(value) ? `\u2068${value.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069` : value

/** Selects the form by `count` and fills in the values, each isolated. A placeholder without a value stays. */
export function fill(
  message: CatalogueMessage,
  locale: string,
  values: Partial<Record<string, string | number>> = {},
): string {
  const text =
    typeof message === 'string'
      ? message
      : (message[new Intl.PluralRules(locale).select(Number(values.count))] ?? message.other)
  const valueByName = new Map(Object.entries(values))
  return text.replace(/\{(\w+)\}/g, (placeholder, name) => isolate(String(valueByName.get(name) ?? placeholder)))
}

// A message in one language: a text with placeholders in braces, or one such text for each plural form.
export type CatalogueMessage = string | { [form: string]: string; other: string }

type PlaceholdersOf<Placeholders, Key> = Placeholders[Extract<Key, keyof Placeholders>]

/** The values of a message; `Placeholders` lists the placeholders of each key that has any. */
export type MessageValues<Placeholders, Key> = [PlaceholdersOf<Placeholders, Key>] extends [never]
  ? []
  : [values: Record<PlaceholdersOf<Placeholders, Key> & string, string | number>]

/** Returns the text of a key with the values filled in. */
export type Translate<Key, Placeholders> = <K extends Key>(key: K, ...values: MessageValues<Placeholders, K>) => string

/** Selects the form by `count` and fills in the values. A placeholder without a value stays. */
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
  return text.replace(/\{(\w+)\}/g, (placeholder, name) => String(valueByName.get(name) ?? placeholder))
}

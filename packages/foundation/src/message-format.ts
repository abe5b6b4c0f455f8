// Reads messages in ICU MessageFormat, as translators write them in catalogues.
import {
  isArgumentElement,
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  type MessageFormatElement,
  parse,
} from '@formatjs/icu-messageformat-parser'
import { lazily } from './lazily.ts'
import { type CatalogueMessage, fill, type Translate } from './message.ts'

/** Parses a message. Throws for select, number and date formats, and for plurals of anything but `count`. */
export function messageOf(source: string): CatalogueMessage {
  const elements = parse(source, { ignoreTag: true, requiresOtherClause: true })
  const plural = elements.find(isPluralElement)
  if (!plural) return textOf(elements, source)
  if (plural.value !== 'count' || plural.offset !== 0) throw new Error(`only {count} may have plural forms: ${source}`)
  const formOf = (form: MessageFormatElement[]) =>
    textOf(
      elements.flatMap((element) => (element === plural ? form : [element])),
      source,
    )
  const forms = Object.entries(plural.options).map(([name, { value }]) => [name, formOf(value)])
  return { other: '', ...Object.fromEntries(forms) }
}

const textOf = (elements: MessageFormatElement[], source: string): string =>
  elements
    .map((element) => {
      if (isLiteralElement(element) && !/[{}]/.test(element.value)) return element.value
      if (isArgumentElement(element)) return `{${element.value}}`
      if (isPoundElement(element)) return '{count}'
      throw new Error(`a message may contain only placeholders, and plural forms by {count}: ${source}`)
    })
    .join('')

/** Parses messages by key. */
export const messagesOf = (sources: Record<string, string>): Record<string, CatalogueMessage> =>
  Object.fromEntries(Object.entries(sources).map(([key, source]) => [key, messageOf(source)]))

/** Returns texts of a catalogue, which is parsed on first use. */
export function translator<Key extends string, Placeholders>(
  sources: Record<Key, string>,
  locale: string,
): Translate<Key, Placeholders> {
  const messages = lazily(() => messagesOf(sources))
  return (key, ...values) => fill(messages()[key] ?? '', locale, values[0])
}

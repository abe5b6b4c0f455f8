// The page's texts in the borrower's language. The compiler checks keys and placeholders.

import { type CatalogueMessage, fill, type MessageValues } from '@lendloom/foundation/message'
import type { Language } from '@lendloom/lending/language'
import type { PagePurpose } from '@lendloom/wire/hosted/consent-text'
import { signal } from '@preact/signals'
import type en from './text/en.json'
import type { EmbedPlaceholders } from './text/places.ts'

export type { CatalogueMessage, Language }

type Parts = typeof en
export type TextKey = { [Part in keyof Parts]: keyof Parts[Part] }[keyof Parts] | `consent.${PagePurpose}`

/** Files of texts, fetched per language. `page` contains all texts up to the choice of an offer. */
export type TextFile = Exclude<keyof Parts, 'first' | 'later'> | 'page' | 'reasons'

export const language = signal<Language>('en')
const texts = signal<Partial<Record<string, CatalogueMessage>>>({})

/** Sets the language. Adds texts in the current language, and replaces all texts when the language changes. */
export function setLanguage(next: Language, added: Record<string, CatalogueMessage>): void {
  texts.value = next === language.value ? { ...texts.value, ...added } : added
  language.value = next
}

/** Returns the text of a key; `count` selects the plural form. */
export const t = <K extends TextKey>(key: K, ...[values]: MessageValues<EmbedPlaceholders, K>): string =>
  fill(texts.value[key] ?? '', language.value, values)

/** Returns the text of a computed key, such as a field's label; empty if it does not exist. */
export const textOf = (key: string): string => (texts.value[key] as string | undefined) ?? ''

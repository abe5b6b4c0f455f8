// The words of the page in the borrower's language: typed keys, places checked by the compiler, plurals by rule.
import { signal } from '@preact/signals'
import type { PagePurpose } from '#contract/hosted/consent-text.ts'
import type { Language } from '#contract/language.ts'
import { type CatalogueMessage, fill, type MessageValues } from '#kit/runtime/message.ts'
import type en from './text/en.json'
import type { Places } from './text/places.ts'

export type { CatalogueMessage, Language }

type Parts = typeof en
export type TextKey = { [Part in keyof Parts]: keyof Parts[Part] }[keyof Parts] | `consent.${PagePurpose}`

/** The files in which the texts of a language are fetched; `page` has those up to the choice of an offer, the first ones too. */
export type TextFile = Exclude<keyof Parts, 'first' | 'later'> | 'page' | 'reasons'

export const language = signal<Language>('en')
const texts = signal<Partial<Record<string, CatalogueMessage>>>({})

/** Shows the page in a language; the texts given are added to those it already has in that language. */
export function setLanguage(next: Language, more: Record<string, CatalogueMessage>): void {
  texts.value = next === language.value ? { ...texts.value, ...more } : more
  language.value = next
}

/** The text of a key. A message with plural forms is chosen by `count`. */
export const t = <K extends TextKey>(key: K, ...[values]: MessageValues<Places, K>): string =>
  fill(texts.value[key] ?? '', language.value, values)

/** A text whose key is computed, such as a label by field name; empty when there is none. */
export const textOf = (key: string): string => (texts.value[key] as string | undefined) ?? ''

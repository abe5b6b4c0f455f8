// The words of the page in the borrower's language: typed keys, placeholders checked by the compiler, plurals by rule.
import { signal } from '@preact/signals'
import type { Language } from '#contract/language.ts'
import type { complaints } from './text/en/complaints.ts'
import type { consents } from './text/en/consents.ts'
import type { endings } from './text/en/endings.ts'
import type { funds } from './text/en/funds.ts'
import type { help } from './text/en/help.ts'
import type { jewellery } from './text/en/jewellery.ts'
import type { loan } from './text/en/loan.ts'
import type { offers } from './text/en/offers.ts'
import type { first, later } from './text/en/page.ts'
import type { requests } from './text/en/requests.ts'

export type { Language }
export type Message = string | { one: string; other: string }
type Texts = typeof first &
  typeof later &
  typeof loan &
  typeof offers &
  typeof endings &
  typeof funds &
  typeof jewellery &
  typeof complaints &
  typeof consents &
  typeof help &
  typeof requests
export type Key = keyof Texts

/** The files in which the texts of a language are fetched; `page` has those up to the choice of an offer, the first ones too. */
export type TextFile =
  | 'page'
  | 'offers'
  | 'loan'
  | 'endings'
  | 'funds'
  | 'jewellery'
  | 'complaints'
  | 'consents'
  | 'help'
  | 'requests'
  | 'reasons'

/** The same keys in another language: a key that is missing or unknown does not compile. */
export type Translated<T> = { [K in keyof T]: T[K] extends string ? string : { one: string; other: string } }

type Forms<M> = M extends { one: infer One; other: infer Other } ? One | Other : M
type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Values<K extends Key> = [Names<Forms<Texts[K]>>] extends [never]
  ? []
  : [values: Record<Names<Forms<Texts[K]>>, string | number>]

export const language = signal<Language>('en')
const texts = signal<Partial<Record<string, Message>>>({})

/** Shows the page in a language; the texts given are added to those it already has in that language. */
export function setLanguage(next: Language, more: Record<string, Message>): void {
  texts.value = next === language.value ? { ...texts.value, ...more } : more
  language.value = next
}

/** The text of a key. A message with plural forms is chosen by `count`. */
export function t<K extends Key>(key: K, ...[values]: Values<K>): string {
  const given: Partial<Record<string, string | number>> = values ?? {}
  const message = texts.value[key] ?? ''
  const text =
    typeof message === 'string'
      ? message
      : message[new Intl.PluralRules(language.value).select(Number(given.count)) === 'one' ? 'one' : 'other']
  return text.replace(/\{(\w+)\}/g, (_, name) => String(given[name] ?? ''))
}

/** A text whose key is known only as the page runs, such as a label by field name; empty when there is none. */
export const textOf = (key: string): string => (texts.value[key] as string | undefined) ?? ''

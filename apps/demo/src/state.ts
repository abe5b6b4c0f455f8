// The demo's state: scenarios, the open journey, and the log of the app's page and server.

import { languages as allLanguages, type Language, languageNames } from '@lendloom/lending/language'
import { contractOf, defaultProduct, type ProductId, productIds } from '@lendloom/lending/product/products'
import type { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { findJourney, ordinaryDigits, productSlug } from '@lendloom/wire/sandbox/journeys'
import { signal } from '@preact/signals'

/** A scenario: the product, and the PAN digits that select the sandbox's behaviour. */
export interface Scenario {
  product: ProductId
  /** Characters 6 to 9 of the PAN. */
  digits: string
}

/** The call with which the app's server requested the embed URL. */
export interface SessionCall {
  method: string
  path: string
  status: number
  curl: string
  reply: unknown
}

export interface LogEntry {
  /** `call`: a call of the app's server. `window`: status updates of the page. `control`: its other messages. */
  channel: 'call' | 'webhook' | 'window' | 'control'
  at: Date
  title: string
  /** Explains the title if it is a technical name, such as a lifecycle status. */
  explanation?: string | undefined
  /** Headers of the webhook delivery. */
  headers?: Record<string, string>
  verified?: boolean
  /** The call as a curl command. */
  curl?: string
  content: unknown
}

export interface DemoJourney {
  scenario: Scenario
  /** The app's id of the borrower, `borrowerProviderID`. */
  borrower: string
  /** Mounts the journey in an element; returns the function that unmounts it. */
  mount(container: HTMLElement): () => void
}

/** The embedded page's languages, with their names. */
export const languages: readonly (readonly [Language, string])[] = allLanguages.map((each) => [
  each,
  languageNames[each],
])
/** The language of the embedded page. */
export const language = signal<Language>('en')

/** The views of a narrow screen. */
export const views = [
  ['choose', 'Scenarios'],
  ['app', 'App'],
  ['server', 'Your server'],
] as const
/** The open view of a narrow screen. */
export const view = signal<(typeof views)[number][0]>('choose')

/** The product whose scenarios are listed. */
export const product = signal<ProductId>(defaultProduct)
export const currentJourney = signal<DemoJourney | null>(null)
/** The scenario that was chosen last, while its session is requested. */
export const openingScenario = signal<Scenario | null>(null)
/** The scenario that could not be opened, and why. */
export const failure = signal<{ scenario: Scenario; reason: string } | null>(null)
/** The log, oldest first. */
export const entries = signal<LogEntry[]>([])

/** Adds an entry; skips a webhook that is already in the log, because the server sends it again on reconnection. */
export function addEntry(entry: LogEntry): void {
  const id = entry.headers?.['webhook-id']
  if (id && entries.value.some(({ headers }) => headers?.['webhook-id'] === id)) return
  entries.value = [...entries.value, entry]
}

/** Returns the lifecycle status that an update reports. */
export const statusOf = (update: LifecycleUpdate): string => update.borrower.journey.status

/** Returns the name of a product with a capital letter. */
export const nameOf = (id: ProductId): string => contractOf(id).name.replace(/^./, (first) => first.toUpperCase())

/** The scenario's title. PAN digits to which only a provider or the bank reacts have no title and are shown instead. */
export const titleOf = ({ product: id, digits }: Scenario): string =>
  findJourney(id, digits)?.journey.title ?? `PAN with ${digits}`

/** Parses the URL's parameters, `?product=…&scenario=9007`. Any four digits are accepted as a scenario. */
export function scenarioFromUrl(search: string): { product: ProductId; digits: string | null } {
  const parameters = new URLSearchParams(search)
  const digits = parameters.get('scenario')
  return {
    product: productIds.find((id) => productSlug(id) === parameters.get('product')) ?? defaultProduct,
    digits: digits === 'ordinary' ? ordinaryDigits : digits !== null && /^\d{4}$/.test(digits) ? digits : null,
  }
}

/** Returns the parameters that reopen a scenario; `scenarioFromUrl` parses them. */
export const addressOf = ({ product: id, digits }: Scenario): string =>
  `?${new URLSearchParams({ product: productSlug(id), scenario: digits })}`

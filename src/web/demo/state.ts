// The demo's state: scenarios, the open journey, and the log of the app's page and server.
import { signal } from '@preact/signals'
import type { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import { languages as known, type Language, languageNames } from '#contract/language.ts'
import { contractOf, defaultProduct, type ProductId, productIds } from '#contract/product/products.ts'
import { findJourney, ordinaryDigits, productSlug } from '#contract/sandbox/journeys.ts'

/** Which borrower applies for which product. */
export interface DemoChoice {
  product: ProductId
  /** Characters 6 to 9 of the PAN. */
  digits: string
}

/** The call by which the app's server got the address. */
export interface SessionCall {
  method: string
  path: string
  status: number
  curl: string
  reply: unknown
}

export interface LogEntry {
  /** `call` is what the app's server asked of the platform; `window` and `control` are messages of the page in the phone. */
  channel: 'call' | 'webhook' | 'window' | 'control'
  at: Date
  title: string
  /** In words, where the title is a name of the API. */
  words?: string | undefined
  /** The delivery's headers. */
  headers?: Record<string, string>
  verified?: boolean
  /** The call as a command. */
  curl?: string
  content: unknown
}

export interface DemoJourney {
  played: DemoChoice
  /** The app's own id of the borrower, `borrowerProviderID`. */
  borrower: string
  /** Mounts the journey in an element; the result unmounts it. */
  mount(into: HTMLElement): () => void
}

/** As the page in the phone knows them. */
export const languages: readonly (readonly [Language, string])[] = known.map((each) => [each, languageNames[each]])
export const language = signal<Language>('en')

/** The views of a narrow screen. */
export const views = [
  ['choose', 'Scenarios'],
  ['app', 'App'],
  ['server', 'Your server'],
] as const
export const view = signal<(typeof views)[number][0]>('choose')

export const product = signal<ProductId>(defaultProduct)
export const current = signal<DemoJourney | null>(null)
/** The journey that is being opened. */
export const opening = signal<DemoChoice | null>(null)
/** The failed opening, with its reason. */
export const trouble = signal<{ played: DemoChoice; why: string } | null>(null)
export const entries = signal<LogEntry[]>([])

/** An update that is delivered again after the log was reopened is the same entry. */
export function note(entry: LogEntry): void {
  const id = entry.headers?.['webhook-id']
  if (id && entries.value.some(({ headers }) => headers?.['webhook-id'] === id)) return
  entries.value = [...entries.value, entry]
}

export const statusOf = (update: LifecycleUpdate): string => update.borrower.journey.status

export const nameOf = (id: ProductId): string => contractOf(id).name.replace(/^./, (first) => first.toUpperCase())

/** The title of what is played, which a rule of a provider or the bank has none of. */
export const titleOf = ({ product: id, digits }: DemoChoice): string =>
  findJourney(id, digits)?.journey.title ?? `PAN with ${digits}`

/** The address's parameters: `?product=…&scenario=9007`. An unknown scenario is played by its digits. */
export function wanted(search: string): { product: ProductId; digits: string | null } {
  const given = new URLSearchParams(search)
  const digits = given.get('scenario')
  return {
    product: productIds.find((id) => productSlug(id) === given.get('product')) ?? defaultProduct,
    digits: digits === 'ordinary' ? ordinaryDigits : digits !== null && /^\d{4}$/.test(digits) ? digits : null,
  }
}

export const addressOf = ({ product: id, digits }: DemoChoice): string =>
  `?${new URLSearchParams({ product: productSlug(id), scenario: digits })}`

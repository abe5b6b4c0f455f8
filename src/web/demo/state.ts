// What the demo knows: the borrowers it can play, the journey that is open, and everything received about it.
import { signal } from '@preact/signals'
import type { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import type { Language } from '#contract/language.ts'
import type { ProductId } from '#contract/product/product.ts'

export interface Scenario {
  id: string
  journeyType: ProductId
  title: string
  about: string
  pan: string
}

export interface Entry {
  /** `window` is the message of the page; the others reached the app's server. */
  channel: 'window' | 'webhook' | 'callback' | 'control'
  at: Date
  title: string
  /** Of the delivery, where there was one. */
  headers?: Record<string, string>
  verified?: boolean
  content: unknown
}

export interface Journey {
  scenario: Scenario
  /** The app's own id of the borrower, `borrowerProviderID`. */
  borrower: string
  /** Puts the journey into an element; what is given back takes it out again. */
  mount(into: HTMLElement): () => void
}

export const scenarios: [Scenario, ...Scenario[]] = JSON.parse(document.getElementById('scenarios')?.textContent ?? '')
export const language = signal<Language>('en')
export const current = signal<Journey | null>(null)
export const entries = signal<Entry[]>([])
export const trouble = signal('')

/** A delivery that is told again, after the log was opened anew, is the same entry. */
export function note(entry: Entry): void {
  const id = entry.headers?.['webhook-id']
  if (id && entries.value.some(({ headers, channel }) => channel === entry.channel && headers?.['webhook-id'] === id))
    return
  entries.value = [...entries.value, entry]
}

export const statusOf = (update: LifecycleUpdate): string => update.borrower.journey.status

// What comes after the first response: the later screens and all texts of a language, fetched while the borrower types.
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { EmbedView, Screen } from '#contract/hosted/embed.ts'
import { here } from './here.ts'
import type { Field } from './profile.ts'
import { type Language, language, type Message, setLanguage, t } from './text.ts'
import type { ScreenStep } from './usual-steps.ts'

export interface DeferredScreens {
  /** The screen to show for each, `PROFILE` after its first part; `STOP` is for a page that cannot go on. */
  screens: Record<Screen | 'STOP', ComponentType>
  /** The whole way of this kind of loan, where it is not the usual one. */
  screenStepsOf(view: EmbedView): readonly ScreenStep[] | null
  /** The place of a view on it; null once the way has ended. */
  screenStepOf(view: EmbedView): ScreenStep | null
  /** The fields of the part the borrower is at, as this kind of loan asks for them. */
  shownFields(): Field[]
  /** The way to help, below every screen. */
  Help: ComponentType
  check(field: Field): void
  leaveFirst(): Promise<void>
}

export const deferred = signal<DeferredScreens | null>(null)
/** Whether fetching has failed; `loadDeferred` tries again. */
export const stuck = signal(false)

let given: Promise<DeferredScreens> | null = null
/** Called by the later screens once they run. */
export const provide = (what: Promise<DeferredScreens>): void => {
  given = what
}

let tries = 0
let loading: Promise<void> | null = null

/** Loads once, and again after a failure. A browser may remember that an address failed: every try has its own. */
export function loadDeferred(): Promise<void> {
  stuck.value = false
  loading ??= fetchDeferred().catch(() => {
    loading = null
    stuck.value = true
  })
  return loading
}

async function fetchDeferred(): Promise<void> {
  const now = language.value
  const [texts] = await Promise.all([textsIn(now), import(/* @vite-ignore */ `${here.boot.screens}?${tries++}`)])
  // Another language, chosen meanwhile, has brought all of its texts.
  if (language.value === now) setLanguage(now, texts)
  deferred.value = await given
}

export async function fetchTexts(address: string): Promise<Record<string, Message>> {
  const response = await fetch(address, { credentials: 'omit' })
  return response.json()
}

async function textsIn(next: Language): Promise<Record<string, Message>> {
  const addresses = [here.boot.catalogues, ...(here.moreTexts ?? [])].map((each) => each[next])
  return Object.assign({}, ...(await Promise.all(addresses.map(fetchTexts))))
}

/** Changes the language of the page; where that cannot be loaded, the page stays as it is. */
export async function changeLanguage(next: Language): Promise<void> {
  const texts = await textsIn(next).catch(() => null)
  if (!texts) return
  setLanguage(next, texts)
  here.memory.keep({ language: next })
}

export const Loading = () => (
  <p class="loading" role="status">
    {t('page.working')}
  </p>
)

// Content after the first response: later screens and all texts of a language, loaded while the borrower types.
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { EmbedView, Screen } from '#contract/hosted/embed.ts'
import type { Field } from '../profile/profile.ts'
import { type CatalogueMessage, type Language, language, setLanguage, type TextFile, t } from '../text.ts'
import { here } from './here.ts'
import type { ScreenStep } from './usual-steps.ts'

export interface DeferredScreens {
  /** The component of each screen, `PROFILE` after its first part; `STOP` for a page that cannot continue. */
  screens: Record<Screen | 'STOP', ComponentType>
  /** The whole way of this kind of loan, where it is not the usual one. */
  screenStepsOf(view: EmbedView): readonly ScreenStep[] | null
  /** The place of a view on its way, never before one where its journey has been; null once the way has ended. */
  screenStepOf(view: EmbedView, way: readonly ScreenStep[]): ScreenStep | null
  /** The fields of the part the borrower is at, as this kind of loan asks for them. */
  shownFields(): Field[]
  /** In the head of every screen. */
  LanguageChoice: ComponentType
  /** The help links below every screen. */
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
  await Promise.all([speak('page'), import(/* @vite-ignore */ `${here.boot.screens}?${tries++}`)])
  deferred.value = await given
}

export async function fetchTexts(file: TextFile, now: Language): Promise<Record<string, CatalogueMessage>> {
  const response = await fetch(`/lab/assets/${file}-${now}.${here.boot.textVersion}.json`, { credentials: 'omit' })
  return response.json()
}

/** Adds a file of texts in the language of the page; from then on a change of language brings it along. */
export async function speak(file: TextFile): Promise<void> {
  if (here.spoken.has(file)) return
  const now = language.value
  const texts = await fetchTexts(file, now)
  // Another language was chosen meanwhile.
  if (language.value !== now) return speak(file)
  here.spoken.add(file)
  setLanguage(now, texts)
}

export const Loading = () => (
  <p class="loading" role="status">
    {t('page.working')}
  </p>
)

// Content after the first response: later screens and all texts of a language, loaded while the borrower types.

import type { EmbedView, Screen } from '@lendloom/wire/hosted/embed-view'
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { Field } from '../profile/profile-fields.ts'
import { type CatalogueMessage, type Language, language, setLanguage, type TextFile, t } from '../text.ts'
import { page } from './page-state.ts'
import type { ScreenStep } from './progress-steps.ts'

export interface DeferredScreens {
  /** The component of each screen, `PROFILE` after its first part; `STOP` for a page that cannot continue. */
  screens: Record<Screen | 'STOP', ComponentType>
  /** The progress steps of this kind of loan; null for the usual ones. */
  screenStepsOf(view: EmbedView): readonly ScreenStep[] | null
  /** The current step, which never moves back within a journey; null once the journey has ended. */
  screenStepOf(view: EmbedView, steps: readonly ScreenStep[]): ScreenStep | null
  /** The fields of the current part of the profile for this kind of loan. */
  shownFields(): Field[]
  /** What the form says first about the borrower's last application; empty without one. */
  formLead(): string
  /** Shown in the header of every screen. */
  LanguageChoice: ComponentType
  /** Above a screen: the way back from an earlier loan. */
  Back: ComponentType
  /** The help links below every screen. */
  Help: ComponentType
  check(field: Field): void
  openSecondPart(): Promise<void>
}

/** The later screens; null until they are loaded. */
export const deferred = signal<DeferredScreens | null>(null)
/** Whether fetching has failed; `loadDeferred` tries again. */
export const hasFailed = signal(false)

let providedScreens: Promise<DeferredScreens> | null = null
/** Called by the chunk of the later screens when it runs. */
export const provide = (screens: Promise<DeferredScreens>): void => {
  providedScreens = screens
}

let tryCount = 0
let loading: Promise<void> | null = null

/** Loads once; retries after a failure. Each try has its own URL, because a browser may cache a failed one. */
export function loadDeferred(): Promise<void> {
  hasFailed.value = false
  loading ??= fetchDeferred().catch(() => {
    loading = null
    hasFailed.value = true
  })
  return loading
}

async function fetchDeferred(): Promise<void> {
  await Promise.all([loadTexts('page'), import(/* @vite-ignore */ `${page.boot.screens}?${tryCount++}`)])
  deferred.value = await providedScreens
}

/** Fetches a file of texts in a language. */
export async function fetchTexts(file: TextFile, current: Language): Promise<Record<string, CatalogueMessage>> {
  const response = await fetch(`/lab/assets/${file}-${current}.${page.boot.textVersion}.json`, { credentials: 'omit' })
  return response.json()
}

/** Loads a file of texts in the page's language. A change of language then reloads it. */
export async function loadTexts(file: TextFile): Promise<void> {
  if (page.texts.has(file)) return
  const current = language.value
  const texts = await fetchTexts(file, current)
  // The borrower chose another language meanwhile.
  if (language.value !== current) return loadTexts(file)
  page.texts.add(file)
  setLanguage(current, texts)
}

/** Says that content is being loaded. */
export const Loading = () => (
  <p class="loading" role="status">
    {t('page.working')}
  </p>
)

// The page's configuration before any session, in a data block of the document.
import type { CatalogueMessage, Language } from '../text.ts'

export interface Boot {
  language: Language
  /** The texts of the first response, in `language`. */
  texts: Record<string, CatalogueMessage>
  /** The version of all texts, which is in the names of their files. */
  textVersion: string
  /** The later screens, loaded while the first one is filled in. */
  screens: string
  /** Their style sheet. */
  sheet: string
  /** The version of the consent texts shown. */
  consentVersion: string
  /** Windows that may hold this page, as exact origins. */
  hostOrigins: string[]
  /** The name of a themed application. */
  brand?: string
}

export const bootIn = (document: Document): Boot => JSON.parse(document.getElementById('boot')!.textContent!)

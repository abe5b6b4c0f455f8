// The page's configuration before any session, in a data block of the document.
import type { CatalogueMessage, Language } from '../text.ts'

export interface Boot {
  language: Language
  /** The texts of the first response, in `language`. */
  texts: Record<string, CatalogueMessage>
  /** Version of all texts, part of their file names. */
  textVersion: string
  screens: string
  /** URL of the later screens' style sheet. */
  sheet: string
  /** The version of the consent texts shown. */
  consentVersion: string
  /** Exact origins that may embed the page. */
  hostOrigins: string[]
  /** The application's name; absent without an application. */
  brand?: string
  /** Whether the borrower has sent the form, so that the document has none. */
  isFormSent?: true
}

export const bootIn = (document: Document): Boot => JSON.parse(document.getElementById('boot')!.textContent!)

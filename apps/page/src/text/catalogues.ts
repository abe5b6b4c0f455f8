// The page's texts in every language, for the build and its tests. The page itself loads one language.

import { messagesOf } from '@lendloom/foundation/message-format'
import { isKeyOf, recordOf } from '@lendloom/foundation/record'
import type { Language } from '@lendloom/lending/language'
import { reasonTexts } from '@lendloom/lending/reason/reason'
import { currentConsentTexts } from '@lendloom/wire/hosted/consent-text'
import type { CatalogueMessage, TextFile } from '../text.ts'
import bn from './bn.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import hi from './hi.json' with { type: 'json' }
import mr from './mr.json' with { type: 'json' }
import ta from './ta.json' with { type: 'json' }
import te from './te.json' with { type: 'json' }

/** Each part is a file that the page loads, but `first` is in the document, and `later` is the rest of `page`. */
export const catalogues: Record<Language, typeof en> = { en, hi, ta, te, mr, bn }

/** The messages of each file, by key. */
export function textFilesOf(language: Language): Record<TextFile, Record<string, CatalogueMessage>> {
  const { first, later, ...others } = catalogues[language]
  const names = Object.keys(others).filter((name) => isKeyOf(others, name))
  const files = recordOf(names, (name) => messagesOf(others[name]))
  const { key_facts, drawdown, bureau, data_sharing, submission } = currentConsentTexts[language]
  const consents = { bureau, data_sharing, submission }
  return {
    ...files,
    page: { ...messagesOf({ ...first, ...later }), ...withPrefix('consent', consents) },
    loan: { ...files.loan, ...withPrefix('consent', { key_facts, drawdown }) },
    reasons: withPrefix('reason', reasonTexts[language]),
  }
}

const withPrefix = (prefix: string, texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${prefix}.${name}`, text]))

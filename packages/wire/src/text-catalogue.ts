// Texts of a catalogue in every language of borrowers.
import type { Translate } from '@lendloom/foundation/message'
import { translator } from '@lendloom/foundation/message-format'
import { recordOf } from '@lendloom/foundation/record'
import { type Language, languages, localeOf } from '@lendloom/lending/language'

export const translatorsOf = <Key extends string, Placeholders>(
  catalogues: Record<Language, Record<Key, string>>,
): Record<Language, Translate<Key, Placeholders>> =>
  recordOf(languages, (language) => translator(catalogues[language], localeOf(language)))

// Texts of a catalogue in every language of borrowers.
import type { Translate } from '#kit/runtime/message.ts'
import { translator } from '#kit/runtime/message-format.ts'
import { recordOf } from '#kit/runtime/record.ts'
import { type Language, languages, localeOf } from './language.ts'

export const translatorsOf = <Key extends string, Placeholders>(
  catalogues: Record<Language, Record<Key, string>>,
): Record<Language, Translate<Key, Placeholders>> =>
  recordOf(languages, (language) => translator(catalogues[language], localeOf(language)))

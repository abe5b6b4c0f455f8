// The languages in which borrowers read. A catalogue that lacks one of them does not compile: docs/how-to/add-a-language.md.

export const languages = ['en', 'hi', 'ta', 'te', 'mr', 'bn'] as const
export type Language = (typeof languages)[number]

/** Each in its own words and script, as the list of languages shows it. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  hi: 'हिन्दी',
  ta: 'தமிழ்',
  te: 'తెలుగు',
  mr: 'मराठी',
  bn: 'বাংলা',
}

interface LanguageFacts {
  /** In English, for those who work on complaints. */
  english: string
  /** The native speaker who reviewed all of its catalogues, and when; null before the review. */
  nativeReader: { name: string; on: string } | null
}

export const languageFacts: Record<Language, LanguageFacts> = {
  en: { english: 'English', nativeReader: null },
  hi: { english: 'Hindi', nativeReader: null },
  ta: { english: 'Tamil', nativeReader: null },
  te: { english: 'Telugu', nativeReader: null },
  mr: { english: 'Marathi', nativeReader: null },
  bn: { english: 'Bengali', nativeReader: null },
}

/** How amounts, dates and counts are written: as the language does it in India, in the digits that are typed and printed everywhere. */
export const localeOf = (language: Language): string => `${language}-IN-u-nu-latn`

const isLanguage = (text: string | undefined): text is Language => languages.some((each) => each === text)

/** `?lang=` decides; without it the first language of the browser's list that borrowers may read, else English. */
export function pageLanguage(lang: string | undefined, acceptLanguage: string | undefined): Language {
  if (isLanguage(lang)) return lang
  const known = new RegExp(`\\b(${languages.join('|')})\\b`, 'i')
  const preferred = known.exec(acceptLanguage ?? '')?.[1]?.toLowerCase()
  return isLanguage(preferred) ? preferred : 'en'
}

// The languages of borrowers. Every text catalogue must have all of them (docs/how-to/add-a-language.md).

export const languages = ['en', 'hi', 'ta', 'te', 'mr', 'bn'] as const
export type Language = (typeof languages)[number]

/** The name of each language in that language, for the language menu. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  hi: 'हिन्दी',
  ta: 'தமிழ்',
  te: 'తెలుగు',
  mr: 'मराठी',
  bn: 'বাংলা',
}

interface LanguageFacts {
  /** The English name, for complaint officers. */
  english: string
  /** The native speaker who reviewed all text catalogues of the language, and the date; null before the review. */
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

/** The Indian locale with Latin digits, for amounts, dates and counts. */
export const localeOf = (language: Language): string => `${language}-IN-u-nu-latn`

const isLanguage = (text: string | undefined): text is Language => languages.some((each) => each === text)

/** Returns the language of `?lang=`, else the first supported language of `Accept-Language`, else English. */
export function pageLanguage(lang: string | undefined, acceptLanguage: string | undefined): Language {
  if (isLanguage(lang)) return lang
  const supported = new RegExp(`\\b(${languages.join('|')})\\b`, 'i')
  const preferred = supported.exec(acceptLanguage ?? '')?.[1]?.toLowerCase()
  return isLanguage(preferred) ? preferred : 'en'
}

// Choice of the page's language, which loads all texts in the new one.
import { languageNames, languages } from '@lendloom/lending/language'
import { type Language, language, setLanguage, t } from '../text.ts'
import { fetchTexts } from './deferred-content.tsx'
import { page } from './page-state.ts'

let requestedLanguage: Language | undefined

/** If the texts cannot be loaded, the page stays unchanged. */
async function changeLanguage(next: Language): Promise<void> {
  requestedLanguage = next
  const files = [...page.texts]
  const texts = await Promise.all(files.map((file) => fetchTexts(file, next))).catch(() => null)
  if (!texts || requestedLanguage !== next) return
  // Meanwhile a chunk has loaded texts in the old language.
  if (files.length < page.texts.size) return changeLanguage(next)
  setLanguage(next, Object.assign({}, ...texts))
  page.memory.update({ language: next })
}

/** Restores the borrower's language after a reload. */
export async function resumeLanguage(): Promise<void> {
  const { language: storedLanguage } = page.memory.stored
  if (storedLanguage && storedLanguage !== language.value) await changeLanguage(storedLanguage)
}

/** Each language is listed by its own name. */
export function LanguageChoice() {
  const choose = (index: number) => {
    const next = languages[index]
    if (next) void changeLanguage(next)
  }
  return (
    <select aria-label={t('page.language')} onChange={({ currentTarget: { selectedIndex } }) => choose(selectedIndex)}>
      {languages.map((each) => (
        <option key={each} lang={each} selected={each === language.value}>
          {languageNames[each]}
        </option>
      ))}
    </select>
  )
}

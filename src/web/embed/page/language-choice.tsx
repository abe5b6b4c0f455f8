// The page's language: the list of choices, and loading all texts of another one.
import { languageNames, languages } from '#contract/language.ts'
import { type Language, language, setLanguage, t } from '../text.ts'
import { fetchTexts } from './deferred.tsx'
import { here } from './here.ts'

let wanted: Language | undefined

/** If the texts cannot be loaded, the page stays unchanged. */
async function changeLanguage(next: Language): Promise<void> {
  wanted = next
  const files = [...here.spoken]
  const texts = await Promise.all(files.map((file) => fetchTexts(file, next))).catch(() => null)
  if (!texts || wanted !== next) return
  // A chunk has added texts in the old language meanwhile.
  if (files.length < here.spoken.size) return changeLanguage(next)
  setLanguage(next, Object.assign({}, ...texts))
  here.memory.keep({ language: next })
}

/** The language that was chosen before the page was reloaded. */
export async function resumeLanguage(): Promise<void> {
  const { language: chosen } = here.memory.kept
  if (chosen && chosen !== language.value) await changeLanguage(chosen)
}

/** Each in its own language, for readers of no other. */
export function LanguageChoice() {
  const choose = (at: number) => {
    const next = languages[at]
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

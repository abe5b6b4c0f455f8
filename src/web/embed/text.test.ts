// Text catalogues are complete and used in every language, and the page picks the right texts.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  consentText,
  currentConsentTexts,
  currentConsentVersion,
  type PagePurpose,
} from '#contract/hosted/consent-text.ts'
import { languageFacts, languageNames, languages, localeOf } from '#contract/language.ts'
import { reasonTexts } from '#contract/reason/reason.ts'
import { messageOf } from '#kit/runtime/message-format.ts'
import { assertTranslated, textsIn } from '#test/setup/translated.ts'
import { catalogues, textFilesOf } from './text/catalogues.ts'
import { type CatalogueMessage, type Language, setLanguage, t, textOf } from './text.ts'

const allIn = (language: Language): Record<string, CatalogueMessage> =>
  Object.assign({}, ...Object.values(textFilesOf(language)))
const english = allIn('en')

/** What some language writes without a word of its own. */
const same = ['loan.loan.line.of', 'loan.line.of']

for (const language of languages.filter((each) => each !== 'en'))
  test(`D1 §1: every text exists in ${languageFacts[language].english}, in its script, with the arguments of English`, () => {
    for (const [file, texts] of Object.entries(textFilesOf(language)))
      assertTranslated(language, textsIn(texts, file), {
        english: textsIn(textFilesOf('en')[file as 'page'], file),
        same,
      })
  })

test('no text is empty or duplicated, and plurals match English', () => {
  for (const language of languages) {
    const files = Object.values(textFilesOf(language)).map((texts) => Object.keys(texts))
    assert.equal(new Set(files.flat()).size, files.flat().length, `${language}: each key is in one file`)
    for (const [key, message] of Object.entries(allIn(language))) {
      assert.equal(typeof message, typeof english[key], `${language}: ${key}`)
      for (const text of Object.values(textsIn(message, key))) assert.match(text, /\S/, `${language}: ${key}`)
    }
  }
})

/**
 * A key is used where a source of the page has it as a whole, as `'offers.until'`, or writes its fixed part around a name,
 * as `field.${'name'}`: then the name itself must occur as a word in a source of the page or of the contract.
 */
test('every text is used by the page, and every used text exists', () => {
  const root = join(import.meta.dirname, '..', '..')
  const sourcesIn = (directory: string) =>
    globSync('**/*.{ts,tsx}', { cwd: join(root, directory), exclude: ['text/**', '**/*.test.ts', '**/text-*.ts'] })
      .map((file) => readFileSync(join(root, directory, file), 'utf8'))
      .join('\n')
  const page = `${sourcesIn('web/embed')}\n${readFileSync(join(root, 'web', 'document.ts'), 'utf8')}`
  const words = new Set(`${page}\n${sourcesIn('contract')}`.match(/[\w-]+/g))
  const whole = new Set([...page.matchAll(/'([\w-]+(?:\.[\w-]+)+)'/g)].map(([, key]) => key))
  const holes = [...page.matchAll(/`([\w-]+\.(?:[\w.-]|\$\{[^`}]*\})*\$\{[^`]*?)`/g)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '(.+?)')}$`),
  )
  const isUsed = (key: string) =>
    whole.has(key) ||
    holes.some(
      (hole) =>
        hole
          .exec(key)
          ?.slice(1)
          .join('.')
          .split('.')
          .every((name) => words.has(name)) ?? false,
    )
  assert.deepEqual(
    Object.keys(english).filter((key) => !isUsed(key)),
    [],
    'texts that nothing shows',
  )
  const named = [...page.matchAll(/\bt(?:extOf)?\(\s*'([^']+)'/g)].map(([, key = '']) => key)
  assert.ok(named.length > 100)
  assert.deepEqual(
    named.filter((key) => !(key in english)),
    [],
    'texts that are not there',
  )
})

test('reasons and consents, which stay as they are written, read the same as messages', () => {
  for (const language of languages)
    for (const text of [...Object.values(reasonTexts[language]), ...Object.values(currentConsentTexts[language])])
      assert.equal(messageOf(text), text)
})

test('the shown consents equal the recorded ones, word for word', () => {
  const purposes: PagePurpose[] = ['bureau', 'data_sharing', 'key_facts', 'submission']
  for (const language of languages)
    for (const purpose of purposes) {
      const recorded = consentText(currentConsentVersion, purpose, language)
      assert.ok(recorded, `${purpose} in ${language}`)
      assert.equal(allIn(language)[`consent.${purpose}`] ?? recorded, recorded)
    }
})

test('a plural message has all forms of its language, with the number where it varies', () => {
  for (const language of languages) {
    const rules = new Intl.PluralRules(localeOf(language))
    assert.equal(
      new Intl.Locale(rules.resolvedOptions().locale).language,
      language,
      'the rules are those of the language',
    )
    for (const [key, message] of Object.entries(allIn(language)))
      if (typeof message !== 'string') {
        assert.deepEqual(Object.keys(message).sort(), rules.resolvedOptions().pluralCategories.toSorted(), key)
        assert.match(message.other, /\{count\}/, `${language}: ${key}`)
      }
    setLanguage(language, allIn(language))
    const counts = [1, 2, 24].map((count) => t('unit.months', { count }))
    assert.equal(new Set(counts).size, 3, counts.join())
    assert.notEqual(languageNames[language], '')
  }
})

test('the guide on adding a language names the reviewer of each language', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/how-to/add-a-language.md'), 'utf8')
  for (const language of languages) {
    const { english: name, nativeReader } = languageFacts[language]
    const read = nativeReader ? `${nativeReader.name}, ${nativeReader.on}` : 'not yet'
    assert.ok(page.includes(`| ${name} | \`${language}\` | ${read} |`), name)
  }
})

test('arguments are filled in, and plurals follow the language', () => {
  setLanguage('en', english)
  assert.equal(t('page.through', { host: 'Saathi' }), 'with Saathi')
  assert.equal(t('unit.months', { count: 1 }), '1 month')
  assert.equal(t('unit.months', { count: 24 }), '24 months')
  setLanguage('hi', allIn('hi'))
  assert.equal(t('unit.months', { count: 1 }), '1 महीना')
  assert.equal(t('unit.months', { count: 24 }), '24 महीने')
})

test('an argument’s value is not expanded again', () => {
  setLanguage('en', english)
  assert.equal(t('page.through', { host: '{host} $1' }), 'with {host} $1')
})

test('later texts are added; another language replaces all texts', () => {
  const { en, hi } = catalogues
  setLanguage('hi', {})
  setLanguage('en', { ...en.first })
  assert.equal(textOf('offers.until'), '')
  setLanguage('en', { ...en.later })
  assert.equal(textOf('page.title'), en.first['page.title'])
  assert.equal(textOf('offers.until'), en.later['offers.until'])
  setLanguage('hi', { ...hi.first })
  assert.equal(textOf('offers.until'), '')
})

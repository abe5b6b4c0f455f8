// Completeness and use of the text catalogues, and the page's lookup.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { messageOf } from '@lendloom/foundation/message-format'
import { languageFacts, languageNames, languages, localeOf } from '@lendloom/lending/language'
import { reasonTexts } from '@lendloom/lending/reason/reason'
import { assertTranslated, textsIn } from '@lendloom/tests/setup/translated'
import {
  consentText,
  currentConsentTexts,
  currentConsentVersion,
  type PagePurpose,
} from '@lendloom/wire/hosted/consent-text'
import { catalogues, textFilesOf } from './text/catalogues.ts'
import { type CatalogueMessage, type Language, setLanguage, t, textOf } from './text.ts'

const allTexts = (language: Language): Record<string, CatalogueMessage> =>
  Object.assign({}, ...Object.values(textFilesOf(language)))
const english = allTexts('en')

/** Texts without translatable words, which may equal English. */
const untranslated = ['loan.loan.line.of', 'loan.line.of', 'loan.loan.instalment', 'requests.receipts.emi']

for (const language of languages.filter((each) => each !== 'en'))
  test(`D1 §1: every text is translated to ${languageFacts[language].english}, with the placeholders of English`, () => {
    for (const [file, texts] of Object.entries(textFilesOf(language)))
      assertTranslated(language, textsIn(texts, file), {
        english: textsIn(textFilesOf('en')[file as 'page'], file),
        same: untranslated,
      })
  })

test('each text is in one file, is not empty, and has plurals if English has', () => {
  for (const language of languages) {
    const files = Object.values(textFilesOf(language)).map((texts) => Object.keys(texts))
    assert.equal(new Set(files.flat()).size, files.flat().length, `${language}: each key is in one file`)
    for (const [key, message] of Object.entries(allTexts(language))) {
      assert.equal(typeof message, typeof english[key], `${language}: ${key}`)
      for (const text of Object.values(textsIn(message, key))) assert.match(text, /\S/, `${language}: ${key}`)
    }
  }
})

/**
 * A key counts as used if a source of the page contains it, such as `'offers.until'`, or a template that matches it, such
 * as `field.${'name'}`. The inserted name must then occur in a source of the page or of the contract.
 */
test('every text is used by the page, and every used text exists', () => {
  const root = join(import.meta.dirname, '..', '..', '..')
  const sourcesIn = (directory: string) =>
    globSync('**/*.{ts,tsx}', { cwd: join(root, directory), exclude: ['text/**', '**/*.test.ts', '**/text-*.ts'] })
      .map((file) => readFileSync(join(root, directory, file), 'utf8'))
      .join('\n')
  const page = `${sourcesIn('apps/page/src')}\n${readFileSync(join(root, 'tools', 'web', 'document.ts'), 'utf8')}`
  const words = new Set(
    `${page}\n${['wire', 'lending'].map((name) => sourcesIn(`packages/${name}/src`)).join('\n')}`.match(/[\w-]+/g),
  )
  const literalKeys = new Set([...page.matchAll(/'([\w-]+(?:\.[\w-]+)+)'/g)].map(([, key]) => key))
  const templates = [...page.matchAll(/`([\w-]+\.(?:[\w.-]|\$\{[^`}]*\})*\$\{[^`]*?)`/g)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '(.+?)')}$`),
  )
  const isUsed = (key: string) =>
    literalKeys.has(key) ||
    templates.some(
      (hole) =>
        hole
          .exec(key)
          ?.slice(1)
          .join('.')
          .split(/[. ]/)
          .every((name) => words.has(name)) ?? false,
    )
  assert.deepEqual(
    Object.keys(english).filter((key) => !isUsed(key)),
    [],
    'unused texts',
  )
  const requestedKeys = [...page.matchAll(/\bt(?:extOf)?\(\s*'([^']+)'/g)].map(([, key = '']) => key)
  assert.ok(requestedKeys.length > 100)
  assert.deepEqual(
    requestedKeys.filter((key) => !(key in english)),
    [],
    'missing texts',
  )
})

test('reasons and consents contain no placeholder syntax', () => {
  for (const language of languages)
    for (const text of [...Object.values(reasonTexts[language]), ...Object.values(currentConsentTexts[language])])
      assert.equal(messageOf(text), text)
})

test('the shown consents equal the recorded ones', () => {
  const purposes: PagePurpose[] = ['bureau', 'data_sharing', 'key_facts', 'submission']
  for (const language of languages)
    for (const purpose of purposes) {
      const recorded = consentText(currentConsentVersion, purpose, language)
      assert.ok(recorded, `${purpose} in ${language}`)
      assert.equal(allTexts(language)[`consent.${purpose}`] ?? recorded, recorded)
    }
})

test('a plural message has all plural forms of its language', () => {
  for (const language of languages) {
    const rules = new Intl.PluralRules(localeOf(language))
    assert.equal(
      new Intl.Locale(rules.resolvedOptions().locale).language,
      language,
      'Intl has plural rules for the language',
    )
    for (const [key, message] of Object.entries(allTexts(language)))
      if (typeof message !== 'string') {
        assert.deepEqual(Object.keys(message).sort(), rules.resolvedOptions().pluralCategories.toSorted(), key)
        assert.match(message.other, /\{count\}/, `${language}: ${key}`)
      }
    setLanguage(language, allTexts(language))
    const counts = [1, 2, 24].map((count) => t('unit.months', { count }))
    assert.equal(new Set(counts).size, 3, counts.join())
    assert.notEqual(languageNames[language], '')
    assert.match(t('leave.interest', { count: 0 }), /0/, `${language}: the form of one may include zero`)
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

test('placeholders are replaced, and plurals follow the language', () => {
  setLanguage('en', english)
  assert.equal(t('offers.until', { when: 'Friday' }), 'Valid until Friday')
  assert.equal(t('unit.months', { count: 1 }), '1 month')
  assert.equal(t('unit.months', { count: 24 }), '24 months')
  setLanguage('hi', allTexts('hi'))
  assert.equal(t('unit.months', { count: 1 }), '1\u00a0महीना')
  assert.equal(t('unit.months', { count: 24 }), '24\u00a0महीने')
})

test('a placeholder inside a value is not replaced', () => {
  setLanguage('en', english)
  assert.equal(t('offers.until', { when: '{when} $1' }), 'Valid until {when} $1')
})

test('later texts are added, and a change of language replaces all texts', () => {
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

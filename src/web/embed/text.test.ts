// Both languages say the same things, and the page picks the right words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consentText, currentConsentVersion } from '#contract/hosted/consent-text.ts'
import * as enComplaints from './text/en/complaints.ts'
import * as enFunds from './text/en/funds.ts'
import * as enHelp from './text/en/help.ts'
import * as enLoan from './text/en/loan.ts'
import * as enOffers from './text/en/offers.ts'
import * as en from './text/en/page.ts'
import * as hiComplaints from './text/hi/complaints.ts'
import * as hiFunds from './text/hi/funds.ts'
import * as hiHelp from './text/hi/help.ts'
import * as hiLoan from './text/hi/loan.ts'
import * as hiOffers from './text/hi/offers.ts'
import * as hi from './text/hi/page.ts'
import { type Language, type Message, setLanguage, t, textOf } from './text.ts'

const all = (texts: typeof en | typeof hi): Record<string, Message> => ({
  ...texts.first,
  ...texts.later,
  ...(texts === en ? enLoan : hiLoan).loan,
  ...(texts === en ? enOffers : hiOffers).offers,
  ...(texts === en ? enFunds : hiFunds).funds,
  ...(texts === en ? enComplaints : hiComplaints).complaints,
  ...(texts === en ? enHelp : hiHelp).help,
})
const namesIn = (message: Message): string[] => {
  const text = typeof message === 'string' ? message : `${message.one} ${message.other}`
  return [...new Set(text.match(/\{\w+\}/g))].sort()
}

test('a text and its translation take the same values', () => {
  for (const [key, message] of Object.entries(all(en))) {
    const translated = all(hi)[key]!
    // What counts one thing may say "one" instead of the number.
    const optional = (names: string[]) => names.filter((name) => name !== '{count}')
    assert.deepEqual(optional(namesIn(translated)), optional(namesIn(message)), key)
  }
})

/** What is written the same in every language, and where the words are those of another one. */
const names =
  /\{\w+\}|Lendloom|JavaScript|ABCPE1234F|UDYAM-MH-18-0000001|asha@mail\.example|cms\.rbi\.org\.in|HDFC0000001|\b(?:APR|EMI|KFS|KYC|LTV|MB|PAN|PDF|IFSC|\d+K\d*)\b/g
const inAnother = ['page.language']

test('D1 §1: no English word is on the Hindi page', () => {
  for (const [key, message] of Object.entries(all(hi)).filter(([each]) => !inAnother.includes(each)))
    for (const text of typeof message === 'string' ? [message] : [message.one, message.other])
      assert.doesNotMatch(text.replace(names, ''), /[A-Za-z]/, key)
})

test('no text of either language is empty', () => {
  for (const texts of [en, hi])
    for (const [key, message] of Object.entries(all(texts)))
      for (const text of typeof message === 'string' ? [message] : [message.one, message.other])
        assert.match(text, /\S/, key)
})

test('the consents shown are those that are recorded, word for word', () => {
  for (const [language, texts] of [['en', en] as const, ['hi', hi] as const])
    for (const purpose of ['bureau', 'data_sharing', 'key_facts'] as const)
      assert.equal(all(texts)[`consent.${purpose}`], consentText(currentConsentVersion, purpose, language))
})

test('placeholders are filled in, plurals follow the language', () => {
  const inLanguage = (language: Language) => setLanguage(language, all(language === 'en' ? en : hi))
  inLanguage('en')
  assert.equal(t('page.through', { host: 'Saathi' }), 'with Saathi')
  assert.equal(t('unit.months', { count: 1 }), '1 month')
  assert.equal(t('unit.months', { count: 24 }), '24 months')
  inLanguage('hi')
  assert.equal(t('unit.months', { count: 1 }), '1 महीना')
  assert.equal(t('unit.months', { count: 24 }), '24 महीने')
})

test('what a value contains is not filled in again', () => {
  setLanguage('en', all(en))
  assert.equal(t('page.through', { host: '{host} $1' }), 'with {host} $1')
})

test('texts that come later are added; another language replaces them all', () => {
  setLanguage('hi', {})
  setLanguage('en', { ...en.first })
  assert.equal(textOf('offers.until'), '')
  setLanguage('en', { ...en.later })
  assert.equal(textOf('page.title'), en.first['page.title'])
  assert.equal(textOf('offers.until'), en.later['offers.until'])
  setLanguage('hi', { ...hi.first })
  assert.equal(textOf('offers.until'), '')
})

// The supported and rejected parts of ICU MessageFormat.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fill } from './message.ts'
import { messageOf, translator } from './message-format.ts'

test('adds the text around a plural to each of its forms, and keeps an apostrophe', () => {
  const message = messageOf("{name}'s {count, plural, one {file} other {# files}}")
  assert.deepEqual(message, { one: "{name}'s file", other: "{name}'s {count} files" })
  assert.equal(fill(message, 'en', { name: 'Asha', count: 1 }), "Asha's file")
  assert.equal(fill(message, 'en', { name: '{count}', count: 2 }), "{count}'s 2 files", 'placeholders in a value stay')
})

test('chooses the plural form of the language, else the last form', () => {
  const message = messageOf('{count, plural, one {#. ett} other {# andra}}')
  assert.deepEqual(
    [0, 1, 2].map((count) => fill(message, 'ar', { count })),
    ['0 andra', '1. ett', '2 andra'],
  )
})

test('rejects unsupported and unterminated messages', () => {
  for (const source of [
    '{kind, select, a {x} other {y}}',
    '{amount, number}',
    '{days, plural, one {#} other {#}}',
    '{count, plural, offset:1 one {#} other {#}}',
    '{count, plural, one {#}}',
    "it is '{quoted}'",
    '{name',
  ])
    assert.throws(() => messageOf(source), source)
})

test('a translator returns texts by key, and keeps the placeholder of a missing value', () => {
  const t = translator<'sent', { sent: 'to' }>({ sent: 'Sent to {to} on {day}' }, 'en')
  assert.equal(t('sent', { to: 'Kaveri' }), 'Sent to Kaveri on {day}')
})

test('a value that turns text around is isolated from the sentence', () => {
  const message = messageOf('{lender} asks for {amount} today')
  assert.equal(
    fill(message, 'en', { lender: 'Bank \u202eKNAB', amount: '₹500' }),
    '\u2068Bank KNAB\u2069 asks for ₹500 today',
  )
  assert.equal(fill(message, 'en', { lender: 'A\u2069\u202eB', amount: 5 }), '\u2068AB\u2069 asks for 5 today')
  assert.equal(fill(message, 'en', { lender: 'بنك', amount: 5 }), '\u2068بنك\u2069 asks for 5 today')
  assert.equal(fill(message, 'hi', { lender: 'क्\u200dष बैंक', amount: 5 }), 'क्\u200dष बैंक asks for 5 today')
})

// What translators may write in a message, and what of ICU MessageFormat is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fill } from './message.ts'
import { messageOf, translator } from './message-format.ts'

test('the text around a plural belongs to each of its forms, and an apostrophe stays', () => {
  const message = messageOf("{name}'s {count, plural, one {file} other {# files}}")
  assert.deepEqual(message, { one: "{name}'s file", other: "{name}'s {count} files" })
  assert.equal(fill(message, 'en', { name: 'Asha', count: 1 }), "Asha's file")
  assert.equal(fill(message, 'en', { name: '{count}', count: 2 }), "{count}'s 2 files", 'a value is not filled again')
})

test('a form that the rules of the language name is chosen, and the last one where there is none for it', () => {
  const message = messageOf('{count, plural, one {#. ett} other {# andra}}')
  assert.deepEqual(
    [0, 1, 2].map((count) => fill(message, 'ar', { count })),
    ['0 andra', '1. ett', '2 andra'],
  )
})

test('what is not a name or a plural by count is refused, and so is a message that does not end', () => {
  for (const source of [
    '{kind, select, a {x} other {y}}',
    '{amount, number}',
    '{days, plural, one {#} other {#}}',
    '{count, plural, offset:1 one {#} other {#}}',
    '{count, plural, one {#}}',
    "it is '{kept}'",
    '{name',
  ])
    assert.throws(() => messageOf(source), source)
})

test('a catalogue gives its texts by key; a value that was not given leaves its name', () => {
  const t = translator<'sent', { sent: 'to' }>({ sent: 'Sent to {to} on {day}' }, 'en')
  assert.equal(t('sent', { to: 'Kaveri' }), 'Sent to Kaveri on {day}')
})

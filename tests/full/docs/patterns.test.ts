// Regular expressions on external text must run in linear time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountPattern } from '@lendloom/partner/src/desk/parts/form-parts.ts'
import { storedIfscPattern } from '@lendloom/wire/identifier'
import { checkedPatterns, faultOf, patternsIn, uncheckedPatterns } from '#test/architecture/patterns.ts'
import { openSources, sourceOf } from '#test/architecture/sources.ts'

test('regular expressions take linear time; those already on the list are not checked again: node -C inside tests/architecture/patterns.ts', () => {
  const faults: string[] = []
  for (const pattern of uncheckedPatterns(openSources(), checkedPatterns())) {
    const fault = faultOf(pattern)
    if (fault !== null) faults.push(`${pattern}: ${fault}`)
  }
  assert.deepEqual(faults, [])
})

test('patterns in literals, constants and schemas are found, and a quadratic one is rejected', () => {
  const text = "const a = /\\s+$/g\nconst bPattern = '^b+$'\nconst C = { pattern: '^c*$' }\n"
  const found = patternsIn([sourceOf('packages/foundation/src/some.ts', text)])
  assert.deepEqual(found, ['/\\s+$/g', '/^b+$/u', '/^c*$/u'])
  assert.deepEqual(found.map(faultOf), ['2nd degree polynomial', null, null])
})

test('browsers can read the patterns of form fields, for which they use the flag v', () => {
  const attributes = openSources().flatMap(({ text }) =>
    [...text.matchAll(/ pattern="([^"$]+)"/g)].map((found) => found[1]!),
  )
  assert.ok(attributes.length > 5)
  for (const pattern of [...attributes, amountPattern, storedIfscPattern])
    assert.doesNotThrow(() => new RegExp(pattern, 'v'))
})

// Regular expressions on text from outside: none takes time that grows faster than the text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedPatterns, faultOf, patternsIn, uncheckedPatterns } from './architecture/patterns.ts'
import { openSources, sourceOf } from './architecture/sources.ts'

test('a regular expression takes linear time; those of the list are not checked again: node test/architecture/patterns.ts', () => {
  const faults: string[] = []
  for (const pattern of uncheckedPatterns(openSources(), checkedPatterns())) {
    const fault = faultOf(pattern)
    if (fault !== null) faults.push(`${pattern}: ${fault}`)
  }
  assert.deepEqual(faults, [])
})

test('a pattern of a literal, a constant and a schema is found, and one that is quadratic is refused', () => {
  const text = "const a = /\\s+$/g\nconst bPattern = '^b+$'\nconst C = { pattern: '^c*$' }\n"
  const found = patternsIn([sourceOf('src/kit/some.ts', text)])
  assert.deepEqual(found, ['/\\s+$/g', '/^b+$/u', '/^c*$/u'])
  assert.deepEqual(found.map(faultOf), ['2nd degree polynomial', null, null])
})

// The nesting limit of a JSON body; brackets inside strings do not count.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readJson } from './body.ts'

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce((deepest: number, inner) => Math.max(deepest, depthOf(inner)), 0)
    : 0

test('property: rejects exactly the bodies nested more than 64 levels deep', () => {
  const brackets = fc.stringMatching(/^[[\]{}"\\]{0,100}$/)
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 130 }),
      brackets,
      fc.array(brackets, { maxLength: 5 }),
      (levels, text, keys) => {
        let value: unknown = [text, keys.map((key) => ({ [key]: [] }))]
        for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { inside: value }
        const raw = Buffer.from(JSON.stringify(value))
        if (depthOf(value) > 64) assert.throws(() => readJson(raw), { kind: 'malformed' })
        else assert.deepEqual(readJson(raw), JSON.parse(raw.toString()))
      },
    ),
  )
})

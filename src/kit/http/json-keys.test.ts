// A key that stands twice in a JSON object, wherever it stands and however it is written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repeatedKey } from './body.ts'

const found = (text: string) => repeatedKey(text, JSON.parse(text))

test('the path of a repeated key is found, also inside of lists and behind escapes', () => {
  assert.equal(found('{"pan":"A","pan":"B"}'), 'pan')
  assert.equal(found('{"profile":{"pan" : "A", "p\\u0061n":"B"}}'), 'profile.pan')
  assert.equal(found('{"items":[{"a":1},{"a":{"b:":"x"},"c":[1,{"d":1,"d":2}]}]}'), 'items.1.c.1.d')
  assert.equal(found('[{"a":1,"a":1}]'), '0.a')
})

test('the same key in two objects, colons and braces inside of text are no repetition', () => {
  assert.equal(found('{"a":{"x":1},"b":{"x":1},"url":"https://x.example:1/{a}","\\"a\\"":":"}'), null)
  assert.equal(found('{"__proto__":1,"a":"\\\\","b":":"}'), null)
  assert.equal(found('":"'), null)
})

test('whatever is written from a value has no repeated key, and one that is put in is found', () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })
  fc.assert(
    fc.property(json, fc.nat(), (value, seed) => {
      const text = JSON.stringify(value)
      const keys = Object.keys(JSON.parse(text) as object)
      assert.equal(found(text), null)
      const key = keys[seed % keys.length]!
      assert.equal(found(`${text.slice(0, -1)},${JSON.stringify(key)}:null}`), key)
    }),
    { numRuns: 500 },
  )
})

// `repeatedKey` finds a key that a JSON object contains twice.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { readJson, repeatedKey } from './body.ts'

const repeatedIn = (text: string) => repeatedKey(text, JSON.parse(text))

test('repeatedKey returns the path of a repeated key, including in arrays and with escaped characters', () => {
  assert.equal(repeatedIn('{"pan":"A","pan":"B"}'), 'pan')
  assert.equal(repeatedIn('{"profile":{"pan" : "A", "p\\u0061n":"B"}}'), 'profile.pan')
  assert.equal(repeatedIn('{"items":[{"a":1},{"a":{"b:":"x"},"c":[1,{"d":1,"d":2}]}]}'), 'items.1.c.1.d')
  assert.equal(repeatedIn('[{"a":1,"a":1}]'), '0.a')
})

test('repeatedKey ignores equal keys of different objects, and colons and braces in strings', () => {
  assert.equal(repeatedIn('{"a":{"x":1},"b":{"x":1},"url":"https://x.example:1/{a}","\\"a\\"":":"}'), null)
  assert.equal(repeatedIn('{"__proto__":1,"a":"\\\\","b":":"}'), null)
  assert.equal(repeatedIn('":"'), null)
})

test('a repeated key of one escaped character is refused after V8 has learnt to read it as a backslash', () => {
  const read = (text: string) => readJson(Buffer.from(text))
  for (const learnt of ['{"a":1,"\\\\":2}', '{"\\\\":{"a":1}}']) assert.ok(JSON.parse(learnt))
  for (const text of ['{"a":1,"\\u0061":2}', '[{"a":1,"\\u0061" : {"b":1}}]'])
    assert.throws(() => read(text), /a is a repeated key/)
  assert.deepEqual(read('{"\\u20b9\\u20b9":["\\n","\\\\"]}'), { '₹₹': ['\n', '\\'] })
})

test('property: repeatedKey finds a key only after the key is repeated', () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })
  fc.assert(
    fc.property(json, fc.nat(), (value, seed) => {
      const text = JSON.stringify(value)
      const keys = Object.keys(JSON.parse(text) as object)
      assert.equal(repeatedIn(text), null)
      const key = keys[seed % keys.length]!
      assert.equal(repeatedIn(`${text.slice(0, -1)},${JSON.stringify(key)}:null}`), key)
    }),
    { numRuns: roundsOf(500) },
  )
})

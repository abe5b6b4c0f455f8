// The generated client matches the current API (D2 §4).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { platformApi, platformApis } from '#platform/apis.ts'
import { apiText, typeOf } from './generate.ts'

const document = platformApi(platformApis({ config: { SANDBOX: false } }), 'https://lendloom.example')

test('D2 §4: api.ts matches the OpenAPI document; npm run client regenerates it', () => {
  assert.equal(readFileSync(join(import.meta.dirname, 'api.ts'), 'utf8'), apiText(document))
})

test('JSON schemas are converted to TypeScript types', () => {
  assert.equal(typeOf({ type: ['string', 'null'] }), 'string | null')
  assert.equal(
    typeOf({ type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }),
    '(number | null)[]',
  )
  assert.equal(
    typeOf({ type: 'object', properties: { a: { type: 'boolean' }, b: { enum: ['x', 'y'] } }, required: ['a'] }),
    "{ a: boolean; b?: 'x' | 'y' }",
  )
  assert.equal(typeOf({ type: 'object', additionalProperties: false }), 'Record<string, never>')
})

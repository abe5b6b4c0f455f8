// The OpenAPI documents pass Redocly's recommended rules, and are small enough for generators.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { partnerDocument, platformDocument } from '../src/docs/openapi.ts'

const config = await createConfig({ extends: ['recommended'] })
const documents = { platform: platformDocument(), partner: partnerDocument() }

for (const [name, document] of Object.entries(documents)) {
  test(`the OpenAPI document of the ${name} passes the recommended rules without an error or a warning`, async () => {
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`),
      [],
    )
  })
}

test('a document that breaks a rule does not pass', async () => {
  const { components: _, ...broken } = documents.platform
  assert.notEqual((await lintFromString({ source: JSON.stringify(broken), config })).length, 0)
})

test('the document for integrators has at most 200 kB', () => {
  const bytes = Buffer.byteLength(JSON.stringify(documents.platform))
  assert.ok(bytes <= 200_000, `${bytes} bytes`)
})

// The OpenAPI documents pass Redocly's recommended rules, are small, and break no client of the last release.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { apiChanges, releasedDocument } from '../src/docs/api-changes.ts'
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

test('nothing in the API breaks clients of the last release', () => {
  const breaking = apiChanges(releasedDocument(), documents.platform).filter(({ isBreaking }) => isBreaking)
  assert.deepEqual(breaking, [])
})

test('finds a removed operation, a removed field of an answer and a new required field of a body', () => {
  const changed = JSON.parse(JSON.stringify(releasedDocument()))
  delete changed.paths['/api/lab/features'].get
  delete changed.components.schemas.OfferLimits.properties.leastAmount
  changed.components.schemas.LoanAmountRequest.properties.reason = { type: 'string' }
  changed.components.schemas.LoanAmountRequest.required.push('reason')
  const breaking = apiChanges(releasedDocument(), changed).filter(({ isBreaking }) => isBreaking)
  const texts = breaking.map(({ text }) => text).join('\n')
  assert.match(texts, /GET \/api\/lab\/features: \[Removed\] operation/)
  assert.match(texts, /loan-amount: .*reason/)
  assert.match(texts, /leastAmount/)
})

// The OpenAPI documents pass Redocly's recommended rules, are small, and break no client of the last release.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { apiChangelog, apiChanges, releasedDocument, releasedSections } from '../../../tools/docs/api-changes.ts'
import { partnerDocument, platformDocument } from '../../../tools/docs/openapi.ts'

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

test('the document for integrators refers to schemas by name instead of repeating them: it has at most 300 kB', () => {
  // An operation takes about 4 kB; with a copy of each schema wherever it is used, the document would have 680 kB.
  const bytes = Buffer.byteLength(JSON.stringify(documents.platform))
  assert.ok(bytes <= 300_000, `${bytes} bytes`)
})

test('nothing in the API breaks clients of the last release', () => {
  const breaking = apiChanges(releasedDocument(), documents.platform).filter(({ isBreaking }) => isBreaking)
  assert.deepEqual(breaking, [])
})

/** What changes for clients of the last release if its document, as plain JSON, is changed so. */
// biome-ignore lint/suspicious/noExplicitAny: the changes know the shape
const changesAfter = (change: (document: any) => void, before = releasedDocument(), at = new Date()) => {
  const changed = structuredClone(before)
  change(changed)
  return apiChanges(before, changed, at)
}
const brokenBy = (...args: Parameters<typeof changesAfter>) =>
  changesAfter(...args).filter(({ isBreaking }) => isBreaking)

test('a removed field of an update is breaking, a new one is not', () => {
  const removed = changesAfter(({ components: { schemas } }) => {
    delete schemas.LifecycleUpdate.properties.tenant_id
    schemas.LifecycleUpdate.required = schemas.LifecycleUpdate.required.filter((each: string) => each !== 'tenant_id')
  })
  assert.ok(
    removed.some(({ text }) => /^Lifecycle update: .*tenant_id/.test(text)),
    JSON.stringify(removed),
  )
  assert.ok(removed.every(({ isBreaking }) => isBreaking))
  const added = changesAfter(({ components: { schemas } }) => {
    schemas.LifecycleUpdate.properties.region = { type: 'string' }
  })
  assert.deepEqual(
    added.map(({ isBreaking }) => isBreaking),
    [false],
  )
})

test('a deprecation is listed, and the operation may be removed after its sunset', () => {
  const path = '/api/lab/features'
  const deprecate = ({ paths }: ReturnType<typeof releasedDocument>) =>
    Object.assign(paths[path]!.get!, { deprecated: true, 'x-sunset': '2027-12-01' })
  assert.match(changesAfter(deprecate)[0]!.text, /^GET \/api\/lab\/features: .*deprecated/)
  const deprecated = releasedDocument()
  deprecate(deprecated)
  for (const remove of [
    ({ paths }: typeof deprecated) => void delete paths[path]!.get,
    ({ paths }: typeof deprecated) => void delete paths[path],
  ]) {
    assert.equal(brokenBy(remove, deprecated, new Date('2027-12-02')).length, 0)
    assert.equal(brokenBy(remove, deprecated, new Date('2027-11-30')).length, 1)
    assert.equal(brokenBy(remove, releasedDocument(), new Date('2027-12-02')).length, 1)
  }
})

test('the changelog of the API keeps the sections of earlier releases', () => {
  const released = '## 0.2.0\n\n- One.\n\n## 0.1.0\n\nThe first release.'
  const text = apiChangelog(released)
  assert.equal(releasedSections(text), released)
  assert.equal(apiChangelog(releasedSections(text)), text)
})

test('finds a removed operation, a removed field of an answer and a new required field of a body', () => {
  const breaking = brokenBy(({ paths, components: { schemas } }) => {
    delete paths['/api/lab/features'].get
    delete schemas.OfferLimits.properties.leastAmount
    schemas.LoanAmountRequest.properties.reason = { type: 'string' }
    schemas.LoanAmountRequest.required.push('reason')
  })
  const texts = breaking.map(({ text }) => text).join('\n')
  assert.match(texts, /GET \/api\/lab\/features: \[Removed\] operation/)
  assert.match(texts, /loan-amount: .*reason/)
  assert.match(texts, /leastAmount/)
})

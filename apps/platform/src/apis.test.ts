// The API reference for integrators: every operation has texts, a group, and examples that match its schemas.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { platformApi } from '#platform/api/reference/openapi.ts'
import { groups, texts } from './api/reference/texts.ts'
import { platformApis } from './apis.ts'

interface Body {
  content?: { 'application/json'?: { schema: object; example?: unknown } }
}
interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  requestBody?: Body
  responses: Record<string, Body>
}

const document = JSON.parse(
  JSON.stringify(platformApi(platformApis({ config: { SANDBOX: true } } as never), 'https://lendloom.example')),
) as Record<'paths' | 'webhooks', Record<string, Record<string, Operation>>> & { components: object }
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
const webhooks = Object.values(document.webhooks).flatMap((methods) => Object.values(methods))
const bodies = ({ requestBody, responses }: Operation) =>
  [
    requestBody,
    ...Object.entries(responses).map(([status, body]) => (status.startsWith('2') ? body : undefined)),
  ].flatMap((body) => body?.content?.['application/json'] ?? [])

test('every operation has a summary, a description in sentences and a group', () => {
  for (const { operationId, summary, description, tags } of [...operations, ...webhooks]) {
    assert.match(summary, /^[A-Z].{10,}/, operationId)
    assert.match(description ?? '', /^[A-Z`].{20,}[.]$/, operationId)
    assert.ok(tags.length === 1 && groups.some(({ name }) => name === tags[0]), operationId)
  }
})

test('every request and response body has an example that matches its schema; webhooks share that of the last', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const operation of [...operations, ...webhooks.slice(-1)])
    for (const { schema, example } of bodies(operation)) {
      const { operationId = 'webhook' } = operation
      assert.notEqual(example, undefined, operationId)
      assert.ok(
        ajv.validate({ ...schema, components: document.components }, example),
        `${operationId}: ${ajv.errorsText()}`,
      )
    }
})

test('every text belongs to an existing operation', () => {
  const ids = operations.map(({ operationId }) => operationId)
  assert.deepEqual(
    Object.keys(texts).filter((id) => !ids.includes(id)),
    [],
  )
})

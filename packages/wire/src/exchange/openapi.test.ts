// The published document of the exchange: complete, and consistent with the programs' validation.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { pathsOf, withChange } from '@lendloom/tests/setup/exchange-change'
import { Ajv2020 } from 'ajv/dist/2020.js'
import {
  exampleDedupeReply,
  exampleDedupeRequest,
  exampleDocumentReply,
  exampleStatus,
} from '#wire/exchange/example/answer.ts'
import { exampleEvent } from '#wire/exchange/example/event.ts'
import { eventTypes, senderOf } from './envelope.ts'
import { refusedExchange } from './error.ts'
import { receiptOf } from './event-receipt.ts'
import { exchangeApi } from './openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads the properties that it expects
const api: any = JSON.parse(JSON.stringify(exchangeApi({ partnerUrl: 'https://partner.example' })))
// biome-ignore lint/suspicious/noExplicitAny: a test reads the properties that it expects
const operations: [string, any][] = [
  ['POST /dedupe', api.paths['/dedupe'].post],
  ['GET /status', api.paths['/status'].get],
  ['POST /documents', api.paths['/documents'].post],
  ['POST /events', api.paths['/events'].post],
  ['webhook', api.webhooks.partnerEvent.post],
]
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(api, 'api')
const compiled = new Map(
  Object.keys(api.components.schemas).map((name) => [name, ajv.compile({ $ref: `api#/components/schemas/${name}` })]),
)
const accepts = (name: string, value: unknown): boolean => compiled.get(name)!(value) as boolean

test('D3 §1: the document describes four interfaces of the partner and one of the platform', () => {
  assert.equal(api.openapi, '3.1.0')
  assert.deepEqual(Object.keys(api.paths).toSorted(), ['/dedupe', '/documents', '/events', '/status'])
  assert.match(api.webhooks.partnerEvent.post.description, /\/api\/partner\/webhook/)
})

test('D3 §5: each receiver has its own credential, and events are signed', () => {
  for (const [name, { security, parameters }] of operations) {
    assert.deepEqual(security, [{ [name === 'webhook' ? 'platformBearer' : 'partnerBearer']: [] }], name)
    const headers = parameters
      .filter((each: { in: string }) => each.in === 'header')
      .map((each: { name: string }) => each.name)
    const signed = ['X-Key-Id', 'X-Sent-At', 'X-Signature']
    const expected = {
      'GET /status': ['X-Request-Id'],
      'POST /dedupe': ['Idempotency-Key'],
      'POST /documents': ['Idempotency-Key'],
    }[name]
    assert.deepEqual(headers, expected ?? ['Idempotency-Key', ...signed], name)
  }
})

test('D3 §7: every operation documents its responses and errors', () => {
  const success = { 'POST /dedupe': ['200'], 'GET /status': ['200'], 'POST /documents': ['200', '201'] }
  for (const [name, { responses, operationId, summary }] of operations) {
    const statuses = Object.keys(responses)
    assert.deepEqual(
      statuses.filter((status) => status < '300'),
      success[name as keyof typeof success] ?? ['200', '202'],
      name,
    )
    for (const status of ['401', '403', '422', '429', 'default'])
      assert.ok(statuses.includes(status), `${name} ${status}`)
    for (const [status, { content }] of Object.entries(responses) as [
      string,
      { content: Record<string, { schema: { $ref: string } }> },
    ][])
      if (status > '399') assert.equal(content['application/json']!.schema.$ref, '#/components/schemas/Error')
    assert.ok(operationId && summary)
  }
})

test('every operation has a description, a tag, and an example', () => {
  const groups = api.tags.map(({ name }: { name: string }) => name)
  const schemaNamesIn = (value: unknown): string[] =>
    [...JSON.stringify(value).matchAll(/schemas\/(\w+)"/g)].map(([, name]) => name!)
  for (const [name, { summary, description, tags, requestBody, responses }] of operations) {
    assert.match(summary, /^[A-Z].{10,}/, name)
    assert.match(description, /^[A-Z][^§]{20,}[.]/, name)
    assert.ok(tags.length === 1 && groups.includes(tags[0]), name)
    const schemasWithExamples = schemaNamesIn([requestBody ?? null, responses]).filter(
      (schema) => api.components.schemas[schema].examples,
    )
    assert.ok(
      schemasWithExamples.some((schema) => schema !== 'Error'),
      name,
    )
  }
})

test('every reference resolves, and every schema is valid', () => {
  const known = new Set(Object.keys(api.components.schemas).map((name) => `#/components/schemas/${name}`))
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$ref') assert.ok(known.has(inner as string), `${inner}`)
      visit(inner)
    }
  }
  visit(api)
  for (const schema of Object.values(api.components.schemas)) assert.ok(ajv.validateSchema(schema as object))
})

test('D3 §6: the document’s schemas accept each complete event and reject each missing key', () => {
  for (const type of eventTypes) {
    const event = exampleEvent(type)
    const sender = senderOf(type)
    const sides = { PlatformEvent: sender !== 'partner', PartnerEvent: sender !== 'platform' }
    for (const [name, isTheirs] of Object.entries(sides))
      assert.equal(accepts(name, event), isTheirs, `${name} ${type}`)
    const name = sides.PlatformEvent ? 'PlatformEvent' : 'PartnerEvent'
    for (const path of pathsOf(event).filter((path) => !/\.\d+$|report_data\./.test(path)))
      assert.ok(!accepts(name, withChange(event, path, undefined)), `${type} without ${path}`)
  }
})

test('D3 §4: the document’s schemas accept the programs’ messages', () => {
  const eventId = '0190f5a0-0000-7000-8000-000000000001'
  const examples: [string, unknown][] = [
    ['DedupeRequest', exampleDedupeRequest()],
    ['DedupeReply', exampleDedupeReply()],
    ['DocumentReply', exampleDocumentReply()],
    ['Status', exampleStatus()],
    ['Receipt', receiptOf(eventId, { seen: 'first', receivedAt: new Date(0) }).body],
    ['Error', refusedExchange('bug', {}).body],
  ]
  for (const [name, value] of examples)
    assert.ok(accepts(name, value), `${name} ${JSON.stringify(compiled.get(name)!.errors)}`)
})

test('D3 §2.1: every field has its rule as a description', () => {
  const { applicant } = api.components.schemas.DedupeRequest.properties
  assert.equal(applicant.properties.pan.description, 'Must be the valid PAN of a person, such as ABCPE1234F.')
  assert.ok(!JSON.stringify(api).includes('x-says'))
})

test('every example of the document fits its own schema', () => {
  const { PlatformEvent: _, PartnerEvent: __, ...schemas } = api.components.schemas
  for (const [name, { examples }] of Object.entries<{ examples?: unknown[] }>(schemas))
    assert.ok(examples?.length === 1 && accepts(name, examples[0]), name)
})

test('D3 §5: the documented signature matches its secret, time and body', () => {
  const fieldOf = (name: string) => new RegExp(`^    ${name} +(.*)$`, 'm').exec(api.info.description)![1]!
  const mac = createHmac('sha256', fieldOf('secret'))
    .update(`${fieldOf('X-Sent-At')}\n${fieldOf('body')}`)
    .digest('hex')
  assert.equal(fieldOf('X-Signature'), `sha256=${mac}`)
})

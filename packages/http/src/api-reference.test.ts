// The reference page shows the OpenAPI document and escapes its text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referencePage } from './api-reference.ts'
import type { OpenApiDocument } from './openapi-document.ts'

const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1', description: 'What can be ordered.' },
  servers: [{ url: 'https://shop.example' }],
  tags: [{ name: 'Orders', description: 'To order, and to send papers.' }],
  paths: {
    '/orders/{id}': {
      put: {
        operationId: 'putOrder',
        summary: 'Change an order',
        description: 'Changes `notes` & <b>no more</b>.',
        tags: ['Orders'],
        security: [{ key: [] }],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', 'x-says': 'must be a UUID' } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                properties: {
                  notes: { anyOf: [{ type: 'string' }, { type: 'null' }] },
                  lines: { type: 'array', items: { properties: { size: { enum: ['S', 'L'] } }, required: ['size'] } },
                },
              },
              example: { notes: '<script>alert(1)</script>' },
            },
          },
        },
        responses: {
          200: {
            description: 'Done',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
        },
      },
    },
    '/papers': {
      post: {
        summary: 'Send a paper',
        tags: ['Orders'],
        requestBody: {
          content: { 'multipart/form-data': { schema: { $ref: '#/components/schemas/Paper' } } },
        },
        responses: { default: { description: 'Not taken' } },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'http', description: 'Your key' } },
    schemas: {
      Order: { properties: { id: { type: 'string' } }, required: ['id'] },
      Paper: { properties: { file: {} }, examples: [{ kind: 'BILL', file: 'bill.pdf' }] },
    },
  },
}
const page = String(
  referencePage(document, '/openapi.json', { links: [{ href: '/other', text: 'Elsewhere' }], mayTry: true }).body,
)

test('shows the path, fields and a sample call of an operation', () => {
  assert.match(page, /<a href="#putOrder">.*PUT.*\/orders\/\{id\}<\/span>/)
  assert.match(page, /<code>id<\/code> <span class="type">text, in the path<\/span><\/dt><dd>must be a UUID<\/dd>/)
  assert.match(page, /<code>notes<\/code> <span class="type">text, or null<\/span> <span class="optional">optional/)
  assert.match(page, /<code>lines\[\].size<\/code> <span class="type"><code>S<\/code>, <code>L<\/code><\/span><\/dt>/)
  assert.match(
    page,
    /curl https:\/\/shop.example\/orders\/ID \\\n {2}-X PUT \\\n {2}-H (&#39;|')Authorization: Bearer TOKEN/,
  )
  assert.match(page, /<a href="#schema-Order">Order<\/a>/)
})

test('the sample of a form has the fields of the example of the referenced schema', () => {
  assert.match(page, /-F (?:&#39;|')kind=BILL(?:&#39;|') \\\n {2}-F (?:&#39;|')file=@bill.pdf/)
})

test('shows a sample call in each language, and a form to send it only if `mayTry` is set', () => {
  assert.match(page, /<figure data-sample="node">[\s\S]*await fetch\(/)
  assert.match(page, /<figure data-sample="python">[\s\S]*urlopen/)
  assert.match(page, /data-call="{&quot;method&quot;:&quot;PUT&quot;,&quot;place&quot;:&quot;\/orders\/{id}&quot;/)
  const readOnly = referencePage(document, null)
  assert.ok(!String(readOnly.body).includes('class="try"'))
  assert.doesNotMatch(String(readOnly.headers?.['content-security-policy']), /connect-src/)
})

test('escapes the text of an example', () => {
  assert.ok(!page.includes('<script>'))
  assert.match(page, /&lt;script&gt;alert/)
})

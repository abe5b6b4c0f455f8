// The OpenAPI document is valid and complete, and contains the schemas with which the server validates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openapi } from './openapi.ts'
import { Closed, Nullable, OneOf, Type } from './schema.ts'
import { type Api, answer, type Route } from './server.ts'

const auth = { scheme: 'apiKey', check: () => null }
const open = { scheme: null, check: () => null }
const Order = Closed({ name: Type.String(), kind: Type.Optional(Nullable(OneOf(['a', 'b']))) })
const Failure = Closed({ error: Type.String() })
const common = { section: 'D1 §4', summary: 'Test operation', auth, handle: () => null }
const routes: Route<unknown>[] = [
  { ...common, method: 'POST', path: '/api/orders', body: Order, reply: { 201: Order, 200: Order } },
  {
    ...common,
    method: 'GET',
    path: '/api/orders/{orderId}/lines/{line}',
    params: Closed({ orderId: Type.String({ maxLength: 5 }), line: Type.String() }),
    query: Closed({ limit: Type.String(), cursor: Type.Optional(Type.String()) }),
  },
  { ...common, method: 'DELETE', path: '/api/orders/{orderId}', auth: open },
  { ...common, method: 'POST', path: '/api/files', accepts: 'raw' },
  { ...common, method: 'POST', path: '/api/again', body: Closed({ soon: Type.Optional(Type.Boolean()) }) },
  { ...common, method: 'GET', path: '/api/hidden', hidden: true },
]
const api: Api<unknown> = { prefix: '/api', routes, refuse: () => answer(500, null) }
const about = {
  title: 'Tests',
  version: '1',
  description: 'x',
  serverUrl: 'http://127.0.0.1:1',
  securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
  errors: { '/api': Failure },
  groups: [
    { name: 'All', description: 'x', paths: ['/'] },
    { name: 'Orders', description: 'y', paths: ['/api/orders'] },
  ],
  texts: { postApiOrders: { description: 'Orders it.', request: { name: 'a' }, answer: { name: 'b' } } },
  headers: {
    '/api': (method: string) =>
      method === 'POST' ? [{ name: 'X-Key', required: true, description: 'x', schema: Type.String() }] : [],
  },
}
// biome-ignore lint/suspicious/noExplicitAny: the assertions check the shape
const document = openapi([api], about) as any
// biome-ignore lint/suspicious/noExplicitAny: the assertions check the shape
const operations: [string, any][] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods as object).map((operation) => [path, operation] as [string, typeof operation]),
)

test('the document has a version, a licence and a server address', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.info.license.identifier, 'Apache-2.0')
  assert.deepEqual(document.servers, [{ url: 'http://127.0.0.1:1' }])
})

test('the document lists every route that is not hidden, with a unique operation id', () => {
  assert.deepEqual(
    operations.map(([, { operationId }]) => operationId),
    ['postApiOrders', 'getApiOrdersOrderIdLinesLine', 'deleteApiOrdersOrderId', 'postApiFiles', 'postApiAgain'],
  )
})

test('a body without required fields is optional', () => {
  const [, again] = operations.find(([path]) => path === '/api/again')!
  assert.equal(again.requestBody.required, false)
})

test('openapi throws when two routes have the same operation id', () => {
  const twins = ['/a-b', '/a/b'].map((path) => ({ ...common, method: 'GET' as const, path }))
  assert.throws(() => openapi([{ ...api, routes: twins }], about), /two routes have the operation id getAB/)
})

test('the document declares every path and query parameter', () => {
  for (const [path, { parameters = [] }] of operations) {
    const declared = parameters.filter((each: { in: string }) => each.in === 'path')
    assert.deepEqual(
      declared.map(({ name }: { name: string }) => name),
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    )
    assert.ok(declared.every(({ required }: { required: boolean }) => required))
  }
  const [, { parameters }] = operations[1]!
  assert.deepEqual(parameters[0], {
    name: 'orderId',
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: 5 },
  })
  assert.deepEqual(
    parameters.slice(2).map(({ name, in: place, required }: Record<string, unknown>) => [name, place, required]),
    [
      ['limit', 'query', true],
      ['cursor', 'query', false],
    ],
  )
})

test('the document declares the headers that the API requires for a method', () => {
  const headerNames = operations.map(([, { parameters = [] }]) =>
    parameters.filter((each: { in: string }) => each.in === 'header').map(({ name }: { name: string }) => name),
  )
  assert.deepEqual(headerNames, [['X-Key'], [], [], ['X-Key'], ['X-Key']])
})

test('an operation is in the group with the longest matching path prefix, and has its text and examples', () => {
  assert.deepEqual(document.tags, [
    { name: 'All', description: 'x' },
    { name: 'Orders', description: 'y' },
  ])
  const [order, file] = [operations[0]![1], operations[3]![1]]
  assert.deepEqual([order.tags, file.tags], [['Orders'], ['All']])
  assert.equal(order.description, 'Orders it.')
  assert.deepEqual(order.requestBody.content['application/json'].example, { name: 'a' })
  assert.deepEqual(order.responses[201].content['application/json'].example, { name: 'b' })
  assert.throws(() => openapi([api], { ...about, groups: [] }), /is in no group/)
})

test('the document declares bodies, responses, errors and security schemes', () => {
  const [, post] = operations[0]!
  assert.equal(post.requestBody.content['application/json'].schema, Order)
  assert.equal(post.requestBody.required, true)
  assert.deepEqual(Object.keys(post.responses), ['200', '201', 'default'])
  assert.equal(post.responses.default.content['application/json'].schema, Failure)
  assert.deepEqual(post.security, [{ apiKey: [] }])
  assert.ok(
    post.security.every((each: object) => Object.keys(each).every((name) => document.components.securitySchemes[name])),
  )
  assert.equal('security' in operations[2]![1], false)
  assert.deepEqual([post.requestBody.required, operations[4]![1].requestBody.required], [true, false])
  assert.deepEqual(operations[3]![1].requestBody, { required: true, content: { '*/*': {} } })
  for (const [, operation] of operations)
    assert.ok(operation.responses.default && operation.summary && operation.tags[0])
})

test('the document contains only valid JSON Schemas', () => {
  const plain = JSON.parse(JSON.stringify(document))
  const ajv = new Ajv2020({ strict: false })
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'schema') assert.ok(ajv.validateSchema(inner), JSON.stringify(inner))
      visit(inner)
    }
  }
  visit(plain)
})

// The OpenAPI document is valid and complete, and contains the schemas with which the server validates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds } from '@lendloom/foundation/refusal'
import { Closed, Nullable, OneOf, orNull, Type } from '@lendloom/foundation/schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openapi } from './openapi.ts'
import { type Api, answer, type Route } from './server.ts'

const auth = { scheme: 'apiKey', check: () => null }
const open = { scheme: null, check: () => null }
const Order = Closed({ name: Type.String(), kind: Type.Optional(Nullable(OneOf(['a', 'b']))) })
const Line = Closed({ article: Type.String() })
const Failure = Closed({ error: Type.String() })
const common = { section: 'D1 §4', summary: 'Test operation', auth, handle: () => null }
const routes: Route<unknown>[] = [
  {
    ...common,
    operationId: 'order',
    method: 'POST',
    path: '/api/orders',
    body: Order,
    reply: { 201: Order, 200: Order },
  },
  {
    ...common,
    operationId: 'getLine',
    method: 'GET',
    path: '/api/orders/{orderId}/lines/{line}',
    params: Closed({ orderId: Type.String({ maxLength: 5 }), line: Type.String() }),
    query: Closed({ limit: Type.String(), cursor: Type.Optional(Type.String()) }),
  },
  { ...common, operationId: 'cancelOrder', method: 'DELETE', path: '/api/orders/{orderId}', auth: open },
  { ...common, operationId: 'upload', method: 'POST', path: '/api/files', accepts: 'raw' },
  {
    ...common,
    operationId: 'orderAgain',
    method: 'POST',
    path: '/api/again',
    body: Closed({ soon: Type.Optional(Type.Boolean()), last: Type.Optional(orNull(Order)) }),
    reply: { 200: Closed({ lines: Type.Array(Line) }) },
  },
  { ...common, method: 'GET', path: '/api/hidden', hidden: true },
]
const api: Api<unknown> = { prefix: '/api', routes, refuse: () => answer(500, null) }
const about = {
  title: 'Tests',
  version: '1',
  description: 'x',
  serverUrl: 'http://127.0.0.1:1',
  securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
  refusals: {
    '/api': {
      prefix: '',
      schema: Failure,
      codes: Object.fromEntries(
        Object.keys(kinds).map((kind) => [kind, [kind === 'invalid' ? 400 : 409, 'CODE']]),
      ) as never,
    },
  },
  schemas: { Order, Line, Failure, Unused: Closed({ a: Type.String() }) },
  groups: [
    { name: 'All', description: 'x', paths: ['/'] },
    { name: 'Orders', description: 'y', paths: ['/api/orders'] },
  ],
  texts: { order: { description: 'Orders it.', request: { name: 'a' }, answer: { name: 'b' } } },
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
    ['order', 'getLine', 'cancelOrder', 'upload', 'orderAgain'],
  )
})

test('openapi throws when a route has no operation id, or that of another route', () => {
  const twins = ['/a', '/b'].map((path) => ({ ...common, operationId: 'get', method: 'GET' as const, path }))
  assert.throws(() => openapi([{ ...api, routes: twins }], about), /two routes have the operation id get/)
  const nameless = { ...common, method: 'GET' as const, path: '/a' }
  assert.throws(() => openapi([{ ...api, routes: [nameless] }], about), /the operation id of GET \/a/)
})

test('named schemas are components, once each, and bodies without a name have that of their operation', () => {
  const { schemas } = document.components
  assert.deepEqual(Object.keys(schemas), ['Failure', 'Line', 'OrderAgainRequest', 'OrderAgainResponse', 'Order'].sort())
  assert.deepEqual(schemas.OrderAgainRequest.properties.last, {
    anyOf: [{ $ref: '#/components/schemas/Order' }, { type: 'null' }],
  })
  assert.deepEqual(schemas.OrderAgainResponse.properties.lines.items, { $ref: '#/components/schemas/Line' })
  const Twin = Closed({ ...Order.properties })
  const route = {
    ...common,
    operationId: 'order',
    method: 'POST',
    path: '/api/orders',
    body: Twin,
    reply: { 200: Order },
  } as const
  const twins = openapi([{ ...api, routes: [route] }], { ...about, schemas: { Order, Twin } })
  assert.deepEqual(Object.keys(twins.components?.schemas ?? {}), ['Conflict', 'Order', 'Twin'])
  const clash = { ...about, schemas: { ...about.schemas, OrderAgainRequest: Closed({ other: Type.String() }) } }
  assert.throws(() => openapi([api], clash), /two schemas have the name OrderAgainRequest/)
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
    parameters
      .slice(2)
      .map(({ name, in: place, required }: Record<string, unknown>) => ({ name, in: place, required })),
    [
      { name: 'limit', in: 'query', required: true },
      { name: 'cursor', in: 'query', required: false },
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
  const order = operations[0]![1]
  const file = operations[3]![1]
  assert.deepEqual(order.tags, ['Orders'])
  assert.deepEqual(file.tags, ['All'])
  assert.equal(order.description, 'Orders it.')
  assert.deepEqual(order.requestBody.content['application/json'].example, { name: 'a' })
  assert.deepEqual(order.responses[201].content['application/json'].example, { name: 'b' })
  assert.throws(() => openapi([api], { ...about, groups: [] }), /is in no group/)
})

test('the document declares bodies, responses, refusals and security schemes', () => {
  const [, post] = operations[0]!
  const order = { $ref: '#/components/schemas/Order' }
  assert.deepEqual(post.requestBody.content['application/json'].schema, order)
  assert.equal(post.requestBody.required, true)
  assert.deepEqual(Object.keys(post.responses), ['200', '201', '400', '409'])
  assert.deepEqual(post.responses[201].content['application/json'].schema, order)
  assert.deepEqual(post.responses[409], { $ref: '#/components/responses/Conflict' })
  const { Conflict } = document.components.responses
  assert.deepEqual(Conflict.content['application/json'].schema, { $ref: '#/components/schemas/Failure' })
  assert.match(Conflict.description, /^`CODE`: the request cannot be parsed/)
  assert.deepEqual(post.security, [{ apiKey: [] }])
  assert.ok(
    post.security.every((each: object) => Object.keys(each).every((name) => document.components.securitySchemes[name])),
  )
  assert.deepEqual(operations[2]![1].security, [])
  assert.equal(post.requestBody.required, true)
  assert.equal(operations[4]![1].requestBody.required, false)
  assert.deepEqual(operations[3]![1].requestBody, { required: true, content: { '*/*': {} } })
  for (const [, operation] of operations) assert.ok(operation.responses[409] && operation.summary && operation.tags[0])
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

// A deprecated route over real HTTP: every answer announces its end, and the OpenAPI document says it too.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Log } from '@lendloom/foundation/log'
import { Refusal } from '@lendloom/foundation/refusal'
import { deprecationHeaders } from './deprecation.ts'
import { openapi } from './openapi.ts'
import { type Api, answer, type Route, serve } from './server.ts'

const log = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Log
const deprecated = {
  since: '2026-12-01',
  sunset: '2028-01-01',
  replacement: 'listLoans',
  link: 'https://lendloom.example/docs/loans',
}
const common = { method: 'GET', section: 'test', summary: 'List credits', handle: () => ({ items: [] }) } as const
const auth = {
  scheme: 'key',
  check({ headers }: { headers: Record<string, unknown> }) {
    if (headers.authorization === undefined) throw new Refusal('bad-api-key', 'the key is missing')
    return null
  },
}
const routes: Route<null>[] = [
  { ...common, path: '/credits', operationId: 'listCredits', auth, deprecated },
  { ...common, path: '/loans', operationId: 'listLoans', auth },
  { ...common, method: 'POST', path: '/credits', operationId: 'addCredit', auth, deprecated, maxBytes: 10 },
]
const api: Api<null> = {
  prefix: '/',
  routes,
  refuse: (refusal) => answer(refusal === 'bug' ? 500 : 401, { refused: true }),
}
const server = await serve({ apis: [api], ctx: null, clock: () => new Date(), log, host: '127.0.0.1', port: 0 })
after(() => server.stop())
const announced = async (path: string, headers: Record<string, string> = { authorization: 'key' }) => {
  const answered = await fetch(server.url + path, { headers })
  return [answered.status, ...['deprecation', 'sunset', 'link'].map((name) => answered.headers.get(name))]
}

test('RFC 9745, RFC 8594: every answer of a deprecated route has the headers, also a refusal; those of other routes do not', async () => {
  const headers = [
    '@1796083200',
    'Sat, 01 Jan 2028 00:00:00 GMT',
    '<https://lendloom.example/docs/loans>; rel="deprecation"; type="text/html"',
  ]
  assert.deepEqual(await announced('/credits'), [200, ...headers])
  assert.deepEqual(await announced('/credits', {}), [401, ...headers])
  assert.deepEqual(await announced('/loans'), [200, null, null, null])
  const tooLong = { method: 'POST', body: '"more than ten"', headers: { 'content-type': 'application/json' } }
  const refused = await fetch(`${server.url}/credits`, tooLong)
  assert.equal(refused.ok, false)
  assert.equal(refused.headers.get('deprecation'), headers[0], 'before the body is read')
  assert.equal((await fetch(`${server.url}/credits`, { method: 'HEAD' })).headers.get('deprecation'), headers[0])
})

test('the OpenAPI document marks a deprecated operation with its sunset and replacement', () => {
  const about = { title: 'T', version: '1', description: 'd', serverUrl: server.url, securitySchemes: {} }
  const groups = [{ name: 'All', description: 'd', paths: ['/'] }]
  const texts = { listCredits: { description: 'Lists them.' } }
  const { paths } = openapi([api], { ...about, groups, texts })
  const { description, deprecated: isMarked, ...operation } = paths['/credits']!.get!
  assert.equal(
    description,
    'Deprecated since 2026-12-01, removed no earlier than 2028-01-01: use `listLoans`. Lists them.',
  )
  assert.equal(isMarked, true)
  assert.equal(operation['x-sunset'], '2028-01-01')
  assert.equal(operation['x-replacement'], 'listLoans')
  assert.equal('deprecated' in paths['/loans']!.get!, false)
})

test('a deprecation that leaves clients less than a year, or has a day that does not exist, is refused at the start', () => {
  for (const sunset of ['2027-11-30', '2026-01-01', '2027-13-01', '2028-02-30', ''])
    assert.throws(
      () => deprecationHeaders({ ...deprecated, sunset }),
      /at least 365 days later|invalid|existing day/,
      sunset,
    )
  assert.ok(deprecationHeaders({ ...deprecated, sunset: '2027-12-01' }))
})

// The Postman collection: every operation, defined variables, and scripts that match the example responses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { platformApi, platformApis } from './apis.ts'
import { platformCollection } from './postman.ts'

const config = { SANDBOX: true }
const document = platformApi(platformApis({ config }), 'https://lendloom.example')
const collection = platformCollection(document)
const items = collection.item.flatMap(({ item }) => item)

test('the collection has every operation once, in its group', () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} {{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  const requests = items.map(({ request }) => `${request.method} ${request.url.raw.replace(/\?.*/, '')}`)
  assert.deepEqual(requests.toSorted(), operations.toSorted())
  assert.deepEqual(
    collection.item.map(({ name }) => name),
    document.tags.map(({ name }) => name),
  )
})

test('every variable is defined and none contains a credential', () => {
  const defined = new Set(collection.variable.map(({ key }) => key))
  for (const { name, request } of items)
    for (const [, variable = ''] of JSON.stringify(request).matchAll(/\{\{([^}]+)\}\}/g))
      assert.ok(variable === '$guid' || defined.has(variable), `${name}: ${variable}`)
  const filled = collection.variable.filter(({ value }) => value !== '')
  assert.deepEqual(filled, [{ key: 'baseUrl', value: 'https://lendloom.example' }])
})

test('D2 §5: every value that a script stores is in the example response', () => {
  let scripts = 0
  for (const { name, event = [], response } of items)
    for (const { script } of event) {
      const stored: string[] = []
      const answer = response[0] as { code: number; body: string }
      const pm = {
        response: { code: answer.code, json: () => JSON.parse(answer.body) },
        collectionVariables: { set: (key: string) => void stored.push(key) },
      }
      runInNewContext(script.exec.join('\n'), { pm })
      const expected = [...script.exec.join('\n').matchAll(/^keep\('(\w+)'/gm)].map(([, key]) => key)
      // A borrower without an active journey has no journeyID.
      assert.deepEqual(
        stored,
        expected.filter((key) => key !== 'journeyID' || stored.includes(key)),
        name,
      )
      scripts++
    }
  assert.ok(scripts >= 7, `${scripts} scripts`)
})

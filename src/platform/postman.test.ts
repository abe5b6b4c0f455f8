// The Postman collection: its operations, variables and scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { platformApi, platformApis } from './apis.ts'
import { platformCollection } from './postman.ts'

const config = { SANDBOX: true }
const document = platformApi(platformApis({ config }), 'https://lendloom.example')
const collection = platformCollection(document)
const items = collection.item.flatMap(({ item }) => item)

test('the collection has every operation once, in groups by tag', () => {
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

test('every variable is defined, and only the base URL has a value', () => {
  const defined = new Set(collection.variable.map(({ key }) => key))
  for (const { name, request } of items)
    for (const [, variable = ''] of JSON.stringify(request).matchAll(/\{\{([^}]+)\}\}/g))
      assert.ok(variable === '$guid' || defined.has(variable), `${name}: ${variable}`)
  const variablesWithValue = collection.variable.filter(({ value }) => value !== '')
  assert.deepEqual(variablesWithValue, [{ key: 'baseUrl', value: 'https://lendloom.example' }])
})

test('D2 §5: scripts store only values that the example response contains', () => {
  let scriptCount = 0
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
      scriptCount++
    }
  assert.ok(scriptCount >= 7, `${scriptCount} scripts`)
})

// Runs the served Postman collection as Postman does, from the API key to a borrower's journey.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import type { PostmanCollection } from '#kit/http/postman.ts'
import { newApplicant } from '#test/setup/borrower.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const { platformUrl, tenant } = await sharedPrograms()
const read = (path: string, headers: Record<string, string> = {}) => fetch(platformUrl + path, { headers })
const collection = (await (await read('/postman.json')).json()) as PostmanCollection

const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
variables.set('apiKey', tenant.apiKey)
const fillVariables = (text: string): string =>
  text.replace(/\{\{(\$?\w+)\}\}/g, (_, name: string) =>
    name === '$guid' ? crypto.randomUUID() : variables.get(name)!,
  )
const collectionVariables = {
  get: (name: string) => variables.get(name),
  set: (name: string, value: string) => void variables.set(name, value),
}

interface ScriptRequest {
  url: string
  method: string
  header: Record<string, string>
  body: { raw: string }
}

/** Runs the group's script, sends a request of the collection, and runs the request's script. */
async function send(name: string, body?: object): Promise<number> {
  const group = collection.item.find(({ item }) => item.some((each) => each.name === name))!
  const { request, event = [] } = group.item.find((each) => each.name === name)!
  const path = request.url.path.map((part) => fillVariables(part.replace(/^:(\w+)/, '{{$1}}'))).join('/')
  const scriptRequests: Promise<void>[] = []
  const sendRequest = ({ url, method, header, body }: ScriptRequest, done: (error: null, answer: object) => void) => {
    const response = fetch(url, { method, headers: header, body: body.raw })
    scriptRequests.push(
      response.then(async (answer) => {
        const json = await answer.json()
        done(null, { code: answer.status, json: () => json })
      }),
    )
  }
  const scriptContext = {
    collectionVariables,
    sendRequest,
    variables: { replaceIn: fillVariables },
    request: { url: { getPath: () => `/${path}` } },
  }
  for (const { script } of group.event ?? []) runInNewContext(script.exec.join('\n'), { pm: scriptContext })
  await Promise.all(scriptRequests)
  const { bearer } = request.auth as { bearer: { value: string }[] }
  const answer = await fetch(`${platformUrl}/${path}`, {
    method: request.method,
    headers: {
      authorization: `Bearer ${fillVariables(bearer[0]!.value)}`,
      ...Object.fromEntries(
        request.header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, fillVariables(value)]),
      ),
    },
    ...(request.body && { body: body ? JSON.stringify(body) : request.body.raw }),
  })
  const json = await answer.json()
  const response = { code: answer.status, json: () => json }
  for (const { script } of event) runInNewContext(script.exec.join('\n'), { pm: { response, collectionVariables } })
  return answer.status
}

const nameOf = (method: string, path: string): string =>
  collection.item
    .flatMap(({ item }) => item)
    .find(({ request }) => request.method === method && request.url.raw === `{{baseUrl}}${path}`)!.name

test('D2 §5: the collection goes from API key to journey and renews the session before it expires', async () => {
  const { borrowerProviderID, profile } = newApplicant()
  const sessionRequest = { borrowerExternalID: borrowerProviderID, profile: { contactNumber: profile.contactNumber } }
  assert.equal(await send(nameOf('POST', '/api/v1/headless/sessions'), sessionRequest), 201)
  const begin = nameOf('POST', '/api/v1/headless/journeys')
  assert.equal(await send(begin, { type: 'PERSONAL_LOAN' }), 201)
  assert.match(variables.get('journeyID')!, /^[0-9a-f-]{36}$/)
  const state = nameOf('GET', '/api/v1/headless/journeys/:journeyID/state')
  assert.equal(await send(state), 200)
  const first = variables.get('sessionToken')
  variables.set('sessionExpiresAt', new Date(Date.now() + 1000).toISOString())
  assert.equal(await send(state), 200)
  assert.notEqual(variables.get('sessionToken'), first, 'the script renewed the session')
})

test('the documents have stable, versioned URLs with caching headers and CORS', async () => {
  const answer = await read('/openapi.json', { origin: 'https://tool.example' })
  const document = (await answer.json()) as { info: { version: string }; openapi: string }
  const { version } = document.info
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.equal(answer.headers.get('x-lendloom-api-version'), version)
  assert.match(answer.headers.get('cache-control')!, /public, max-age=300/)
  const etag = answer.headers.get('etag')!
  for (const candidate of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const unchanged = await read('/openapi.json', { 'if-none-match': candidate })
    assert.deepEqual([unchanged.status, unchanged.headers.get('etag'), await unchanged.text()], [304, etag, ''])
  }
  assert.equal((await read('/openapi.json', { 'if-none-match': '"other"' })).status, 200)
  const versioned = await read(`/openapi/${version}.json`)
  assert.deepEqual([versioned.headers.get('etag'), await versioned.json()], [etag, document])
  assert.equal((await read('/openapi/2020-01-01.json')).status, 404)
  const postman = await read('/postman.json')
  assert.equal(postman.headers.get('access-control-allow-origin'), '*')
  assert.notEqual(postman.headers.get('etag'), etag)
  assert.match(await (await read('/docs')).text(), /href="\/postman\.json"/)
})

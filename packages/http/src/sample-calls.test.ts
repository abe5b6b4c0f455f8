// Sample code of API calls in every language.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ExampleCall, sampleOf } from './sample-calls.ts'

const base = { baseUrl: 'https://lend.example', token: 'sk_test_1', scheme: 'apiKey', headers: [] }

test('a curl sample escapes quotes and contains placeholders without braces', () => {
  const call: ExampleCall = {
    ...base,
    method: 'POST',
    path: '/api/lab/webhook-endpoints/{endpointID}',
    headers: ['Idempotency-Key'],
    body: { name: "Asha's app" },
  }
  assert.equal(
    sampleOf('curl', call),
    `curl https://lend.example/api/lab/webhook-endpoints/ENDPOINT_ID \\
  -X POST \\
  -H 'Authorization: Bearer sk_test_1' \\
  -H 'Idempotency-Key: once-for-each-act' \\
  -H 'Content-Type: application/json' \\
  -d '{
  "name": "Asha'\\''s app"
}'`,
  )
})

test('a sample calls the operation’s method of our server packages', () => {
  const session: ExampleCall = { ...base, method: 'POST', path: '/api/lab/sessions', body: { borrowerProviderID: '1' } }
  assert.match(
    sampleOf('node', { ...session, operationId: 'createSession' }),
    /from '@lendloom\/server'[\s\S]*apiKey: 'sk_test_1'[\s\S]*createSession\(\{/,
  )
  assert.match(
    sampleOf('python', { ...session, operationId: 'createSession' }),
    /^from lendloom import Client[\s\S]*create_session\(\{/,
  )
  const features: ExampleCall = { ...base, method: 'GET', path: '/api/lab/features', body: undefined }
  assert.match(sampleOf('node', features), /client\.call\('GET', '\/api\/lab\/features'\)$/)
  const body = { consent: true, note: 'null and true', other: null }
  const call: ExampleCall = {
    ...base,
    scheme: 'sessionToken',
    method: 'PUT',
    path: '/p',
    headers: ['Idempotency-Key'],
    body,
  }
  assert.match(
    sampleOf('python', { ...call, operationId: 'submitProfile' }),
    /borrower\.submit_profile\(\{\s+"consent": True,\s+"note": "null and true",\s+"other": None/,
  )
  const offer = { ...call, operationId: 'selectOffer', scheme: 'sessionToken', path: '/journeys/{journeyID}/proceed' }
  assert.match(
    sampleOf('node', offer),
    /client\.borrower\(\{ tokens \}\)[\s\S]*await borrower\.selectOffer\(\{\n {2}params: \{ journeyID: 'JOURNEY_ID' \},\n {2}body: \{/,
  )
  assert.match(sampleOf('python', offer), /borrower\.select_offer\("JOURNEY_ID", \{/)
  const exchange = { ...call, scheme: 'partnerBearer' }
  assert.match(
    sampleOf('node', exchange),
    /await fetch\('https:\/\/lend\.example\/p'[\s\S]*'Idempotency-Key'[\s\S]*"other": null/,
  )
  assert.match(sampleOf('python', exchange), /urlopen\(request\)/)
  const remove = { ...features, operationId: 'deleteWebhookEndpoint', path: '/api/lab/webhook-endpoints/{id}' }
  assert.match(sampleOf('node', remove), /client\.deleteWebhookEndpoint\(\{\n {2}params: \{ id: 'ID' \},\n\}\)$/)
})

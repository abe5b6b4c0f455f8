// The samples of the API reference call the methods of our server packages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenApiDocument, Operation } from '@lendloom/http/openapi-document'
import { withPackageSamples } from './package-samples.ts'

const operation = (operationId: string, scheme: string, body?: unknown): Operation => ({
  operationId,
  summary: '',
  tags: [],
  security: [{ [scheme]: [] }],
  ...(body !== undefined && { requestBody: { content: { 'application/json': { example: body } } } }),
  responses: {},
})

function samplesOf(path: string, given: Operation): { node: string; python: string } {
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: { title: 'x', version: '1', description: '' },
    servers: [{ url: 'https://lend.example' }],
    tags: [],
    paths: { [path]: { post: given } },
  }
  const [node, python] = withPackageSamples(document).paths[path]!.post!['x-codeSamples']!
  return { node: node!.source, python: python!.source }
}

test('D1 §2.1: a session is created by the method of each package', () => {
  const { node, python } = samplesOf('/api/lab/sessions', operation('createSession', 'apiKey', { a: true }))
  assert.match(node, /from '@lendloom\/server'[\s\S]*baseUrl: 'https:\/\/lend\.example'[\s\S]*createSession\(\{/)
  assert.match(python, /^from lendloom import Client[\s\S]*create_session\(\{\n {2}"a": True\n\}\)/)
})

test('D2 §3: a borrower’s call has the token pair, the parameters of the path, and the body', () => {
  const body = { note: 'null and true', other: null }
  const { node, python } = samplesOf('/journeys/{journeyID}/proceed', operation('selectOffer', 'sessionToken', body))
  assert.match(
    node,
    /client\.borrower\(\{ tokens \}\)[\s\S]*await borrower\.selectOffer\(\{\n {2}params: \{ journeyID: 'JOURNEY_ID' \},\n {2}body: \{/,
  )
  assert.match(python, /borrower\.select_offer\("JOURNEY_ID", \{\s+"note": "null and true",\s+"other": None/)
})

test('D1 §6: a call without a body has only its parameters', () => {
  const { node, python } = samplesOf('/webhook-endpoints/{id}', operation('deleteWebhookEndpoint', 'apiKey'))
  assert.match(node, /client\.deleteWebhookEndpoint\(\{\n {2}params: \{ id: 'ID' \},\n\}\)$/)
  assert.match(python, /client\.delete_webhook_endpoint\("ID"\)/)
})

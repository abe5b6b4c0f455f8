// How the proof `fuzz` judges answers by the published schemas, and how it makes a failing request smaller.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../proofs/api/operations.ts'
import type { Draft } from '../proofs/fuzz/draft.ts'
import { faultOf } from '../proofs/fuzz/judge.ts'
import { shrink } from '../proofs/fuzz/shrink.ts'

const operation = operations.find(({ name }) => name === 'platform POST /api/lab/webhook-endpoints')
if (!operation) throw new Error('the operation exists')
const draftOf = (value: unknown): Draft => ({
  operation,
  method: 'POST',
  params: {},
  query: [],
  headers: [],
  body: { kind: 'json', value },
})
const reply = (status: number, body: unknown, ms = 1) => {
  const headers = { 'content-type': 'application/json' }
  return { status, headers, ms, body: Buffer.from(JSON.stringify(body)) }
}
const refusal = { code: 'VALIDATION_FAILED', message: 'no', retryable: false, details: {} }
const envelope = { requestID: 'r', correlationID: 'c', timestamp: 't', data: null, error: refusal }
const valid = { url: 'https://app.example/hook' }

test('D2 §7: a failure, an accepted fault, a slow or undocumented answer is a fault, a documented refusal is not', () => {
  assert.equal(faultOf(draftOf(valid), reply(400, envelope)), null)
  assert.equal(faultOf(draftOf(valid), reply(500, envelope))?.kind, 'status 500')
  assert.equal(faultOf(draftOf(valid), reply(0, null))?.kind, 'no answer')
  assert.equal(faultOf(draftOf(valid), reply(400, envelope, 2500))?.kind, 'slow')
  assert.equal(faultOf(draftOf(valid), reply(400, { error: 'no' }))?.kind, 'refusal breaks its schema')
  assert.equal(faultOf(draftOf(valid), reply(400, { ...envelope, error: null }))?.kind, 'refusal breaks its schema')
  assert.equal(faultOf(draftOf({ url: 7 }), reply(201, {}))?.kind, 'accepted although invalid')
  assert.equal(faultOf(draftOf({ ...valid, surprise: 1 }), reply(201, {}))?.kind, 'accepted although invalid')
  assert.equal(faultOf(draftOf(valid), reply(201, {}))?.kind, 'answer breaks its schema')
  assert.equal(faultOf(draftOf(valid), reply(202, {}))?.kind, 'undocumented status 202')
})

test('a failing request is reduced to the field that makes it fail', async () => {
  const fault = { kind: 'status 500', detail: '' }
  const draft: Draft = { ...draftOf({ a: 1, b: { c: 2, d: 3 }, e: [4] }), query: [['x', 'y']], headers: [['x-a', 'b']] }
  const smallest = await shrink(draft, fault, async ({ body }) =>
    body.kind === 'json' && JSON.stringify(body.value).includes('"d"') ? fault : null,
  )
  assert.deepEqual(smallest.query, [])
  assert.deepEqual(smallest.headers, [])
  assert.deepEqual(smallest.body, { kind: 'json', value: { b: { d: 3 } } })
})

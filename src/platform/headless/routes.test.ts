// Every row of D2 §4 is a route, and what is ours beside them is known.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base } from './route.ts'
import { headlessDoor } from './routes.ts'

const journey = '/journeys/{journeyID}'
const offer = `${journey}/offers/{offerID}`
const aaSession = `${journey}/aa/sessions/{aaSessionID}`

/** D2 §4, row by row. */
const rows = [
  'POST /sessions',
  'POST /sessions/refresh',
  'GET /journeys',
  'POST /journeys',
  `GET ${journey}`,
  `GET ${journey}/state`,
  `PATCH ${journey}/resume`,
  `GET ${journey}/profile`,
  `PUT ${journey}/profile`,
  `POST ${journey}/profile/submit`,
  `GET ${journey}/offers`,
  `GET ${offer}`,
  `POST ${offer}/proceed`,
  `POST ${offer}/reject`,
  `POST ${offer}/loan-amount`,
  `GET ${offer}/steps`,
  `GET ${offer}/steps/kyc`,
  `GET ${offer}/steps/kyc/status`,
  `GET ${offer}/steps/bank-mandate`,
  `GET ${offer}/steps/e-mandate`,
  `GET ${offer}/steps/loan-agreement`,
  `POST ${offer}/steps/bank-mandate`,
  `GET ${journey}/aa/sessions`,
  `POST ${journey}/aa/sessions`,
  `GET ${aaSession}`,
  `POST ${aaSession}/redirect`,
  `POST ${aaSession}/complete`,
  `POST ${aaSession}/reconcile`,
  `POST ${journey}/post-disbursal/status`,
  `POST ${journey}/post-disbursal/foreclosure`,
  `POST ${journey}/post-disbursal/pre-part-payment`,
  `POST ${journey}/post-disbursal/missed-emi-payment`,
]
const ours = [`GET ${journey}/operations/{operationID}`]

test('D2 §4: all thirty-two routes are there, under their prefix', () => {
  const routes = headlessDoor.routes.map(({ method, path }) => `${method} ${path.slice(base.length)}`)
  assert.equal(rows.length, 32)
  assert.deepEqual(routes.sort(), [...rows, ...ours].sort())
  for (const { path } of headlessDoor.routes) assert.ok(path.startsWith(`${base}/`), path)
})

test('D2 §4: every write has a schema for its body and one for each of its answers', () => {
  for (const { method, path, body, reply } of headlessDoor.routes) {
    if (method !== 'GET') assert.ok(body, path)
    assert.ok(Object.keys(reply ?? {}).length > 0, path)
  }
})

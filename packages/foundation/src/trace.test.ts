// The trace of a request, and the form of its ids.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCorrelationId, isTraceparent, runInTrace, trace } from './trace.ts'

test('concurrent requests have separate traces', async () => {
  const traceIds = await Promise.all(
    ['a', 'b', 'c'].map((correlationId) =>
      runInTrace({ correlationId }, async () => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
        return trace()?.correlationId
      }),
    ),
  )
  assert.deepEqual(traceIds, ['a', 'b', 'c'])
  assert.equal(trace(), undefined)
  assert.equal(
    runInTrace(undefined, () => trace()),
    undefined,
  )
})

test('D2 §9: a correlation id is 1 to 128 visible ASCII characters', () => {
  for (const id of ['a', '!~', 'x'.repeat(128)]) assert.ok(isCorrelationId(id), id)
  for (const id of ['', 'a b', 'a\n', 'é', '\x7f', 'x'.repeat(129)]) assert.ok(!isCorrelationId(id), JSON.stringify(id))
})

test('D2 §9: a traceparent has the format of W3C Trace Context', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parent = '00f067aa0ba902b7'
  assert.ok(isTraceparent(`00-${traceId}-${parent}-01`))
  const wrong = [
    '',
    `00-${traceId}-${parent}`,
    `00-${traceId}-${parent}-01-x`,
    `ff-${traceId}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parent}-01`,
    `00-${traceId}-${parent}-01\n`,
  ]
  for (const text of wrong) assert.ok(!isTraceparent(text), JSON.stringify(text))
})

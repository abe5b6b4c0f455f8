// Classification of messages that the SDK receives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clampHeight, keyOf, messageIn } from './message.ts'

const update = (status: string, id = 'j1') => ({ tenant_id: 't', borrower: { journey: { id, status } } })

test('D1 §6.5: messages without borrower.journey.status are ignored', () => {
  for (const data of [
    null,
    'STARTED',
    7,
    {},
    { borrower: {} },
    { borrower: { journey: {} } },
    { borrower: { journey: { status: 1 } } },
  ])
    assert.equal(messageIn(data), null)
  assert.deepEqual(messageIn(update('STARTED')), update('STARTED'))
})

test('a control message has the prefix `lab.` and no borrower', () => {
  assert.deepEqual(messageIn({ type: 'lab.ready' }), { type: 'lab.ready' })
  assert.equal(messageIn({ type: 'webpackOk' }), null)
  assert.equal(messageIn({ type: 'lab.ready', borrower: {} }), null)
})

test('D1 §6.4: updates have the same key if journey and status are equal', () => {
  const key = (status: string, id?: string) => keyOf(update(status, id) as never)
  assert.equal(key('STARTED'), key('STARTED'))
  assert.notEqual(key('STARTED'), key('PROFILED'))
  assert.notEqual(key('STARTED'), key('STARTED', 'j2'))
})

test('the height is clamped to 200 to 5000 pixels', () => {
  assert.deepEqual([100, 640.2, 90_000, Number.NaN].map(clampHeight), [200, 641, 5000, 200])
})

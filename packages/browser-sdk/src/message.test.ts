// Classification of messages that the SDK receives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameHeight, keyOf, messageIn } from './message.ts'

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

test('messages with invalid fields are ignored', () => {
  for (const height of [Number.NaN, Number.POSITIVE_INFINITY, '7', null, undefined])
    assert.equal(messageIn({ type: 'lab.resize', height }), null)
  for (const top of [Number.POSITIVE_INFINITY, undefined]) assert.equal(messageIn({ type: 'lab.scroll', top }), null)
  for (const url of ['javascript:alert(1)', 'intent:x', '', undefined])
    assert.equal(messageIn({ type: 'lab.open', url }), null)
  const open = { type: 'lab.open', url: 'https://lender.example/kyc' }
  assert.deepEqual(messageIn(open), open)
})

test('a frame has the height of its content, from 200 pixels to a height that browsers can lay out', () => {
  assert.deepEqual([-5, 0, 640.2, 12_000, 100_000, 100_001, 1e9].map(frameHeight), [
    200,
    200,
    641,
    12_000,
    100_000,
    null,
    null,
  ])
})

// The platform understands lenders' answers to a submitted form in all formats that lenders use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fieldErrorsIn, submissionResultOf } from './submit-form.ts'

test('FIS12 §7.7: an answer with a submission id means that the form is accepted', () => {
  const body = JSON.stringify({ success: true, submission_id: 's-1' })
  assert.deepEqual(submissionResultOf(200, body), { outcome: 'accepted', submissionId: 's-1' })
})

test('FIS12 §7.7: a retryable status counts as unreached, any other answer without a submission id as refused', () => {
  for (const status of [408, 429, 500, 503]) assert.equal(submissionResultOf(status, '{}').outcome, 'unreached')
  for (const [status, body] of [
    [200, JSON.stringify({ success: false })],
    [200, JSON.stringify({ success: true })],
    [200, 'thanks!'],
    [302, ''],
    [404, 'gone'],
  ] as const)
    assert.deepEqual(submissionResultOf(status, body), { outcome: 'refused', fields: [] })
})

test('FIS12 §7.7: reads field errors in all formats that lenders use', () => {
  const expected = [{ path: 'pan', message: 'is unknown' }]
  for (const answer of [
    { errors: [{ field: 'pan', message: 'is unknown' }] },
    { fields: [{ path: 'pan', message: 'is unknown' }] },
    { errors: { pan: 'is unknown' } },
    { error: { details: { fields: [{ name: 'pan', error: 'is unknown' }] } } },
  ])
    assert.deepEqual(fieldErrorsIn(answer), expected)
})

test('FIS12 §7.7: any answer has an outcome and causes no error', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), fc.jsonValue(), (status, value) => {
      assert.ok(
        ['accepted', 'refused', 'unreached'].includes(submissionResultOf(status, JSON.stringify(value)).outcome),
      )
    }),
  )
})

// The outcome that each status of a form means.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formOutcome, formStatuses } from './form-status.ts'

test('FIS12 §7.7: only a known status has an outcome', () => {
  assert.deepEqual(
    formStatuses.map((status) => `${status} ${formOutcome(status)}`),
    [
      'PENDING waiting',
      'SUCCESS success',
      'APPROVED success',
      'COMPLETED success',
      'OFFLINE_PENDING waiting',
      'REJECTED failure',
      'EXPIRED failure',
    ],
  )
  assert.equal(formOutcome('DONE'), null)
})

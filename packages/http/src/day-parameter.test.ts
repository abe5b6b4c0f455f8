// Days in requests: only existing days are accepted, at any length of the month.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireDay, startOfDay } from './day-parameter.ts'

test('an existing day is accepted and begins at midnight in India', () => {
  assert.equal(requireDay('from', '2028-02-29'), '2028-02-29')
  assert.equal(startOfDay('from', '2026-11-21').toISOString(), '2026-11-20T18:30:00.000Z')
})

test('a day that does not exist is refused at its field', () => {
  for (const text of ['1001-16-44', '2026-02-29', '2026-02-30', '2026-13-01', '2026-1-01', '21-11-2026', '', 'today'])
    assert.throws(() => requireDay('from', text), { message: /^from must be an existing day/ }, text)
})

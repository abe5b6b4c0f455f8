// Which kinds of identifier a search text of the console could be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchCandidatesOf } from './search-candidates.ts'

test('console: a mobile number is found however a person writes it, and no other number is taken for one', () => {
  for (const text of [
    '9876543210',
    '09876543210',
    '0 98765 43210',
    '+91 98765-43210',
    '00919876543210',
    ' 919876543210 ',
  ])
    assert.deepEqual(searchCandidatesOf(text)[0], { kind: 'mobile', value: '9876543210' }, text)
  for (const text of ['5876543210', '987654321', '098765432109', '00987654321'])
    assert.ok(!searchCandidatesOf(text).some(({ kind }) => kind === 'mobile'), text)
})

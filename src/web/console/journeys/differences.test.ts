// The differences between two updates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { differences } from './differences.ts'

test('what was added, changed and taken out is told by its path', () => {
  const before = { status: 'STARTED', borrower: { pan: null, tags: [] }, offers: [{ id: 1 }], gone: true }
  const after = { status: 'OFFERED', borrower: { pan: null, tags: ['x'] }, offers: [{ id: 1 }, { id: 2 }] }
  assert.deepEqual(differences(before, after), [
    { path: 'status', before: '"STARTED"', after: '"OFFERED"' },
    { path: 'borrower.tags[0]', before: null, after: '"x"' },
    { path: 'offers[1].id', before: null, after: '2' },
    { path: 'borrower.tags', before: '[]', after: null },
    { path: 'gone', before: 'true', after: null },
  ])
})

test('property: a document does not differ from itself, and a change is there both ways', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      assert.deepEqual(differences(one, one), [])
      assert.equal(differences(one, other).length, differences(other, one).length)
    }),
  )
})

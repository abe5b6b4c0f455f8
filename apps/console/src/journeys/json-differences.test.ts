// The differences between two updates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { differences } from './json-differences.ts'

test('added, changed and removed values are reported by path', () => {
  const before = { status: 'STARTED', borrower: { pan: null, tags: [] }, gone: true }
  const after = { status: 'OFFERED', borrower: { pan: null, tags: ['x'] } }
  assert.deepEqual(differences(before, after), [
    { path: 'status', before: '"STARTED"', after: '"OFFERED"', item: null },
    { path: 'borrower.tags[0]', before: null, after: '"x"', item: null },
    { path: 'borrower.tags', before: '[]', after: null, item: null },
    { path: 'gone', before: 'true', after: null, item: null },
  ])
})

test('list items with an id are compared by id, and reported by name', () => {
  const kaveri = { id: 'k', lender_name: 'Kaveri Bank' }
  const tulsi = { id: 't', lender_name: 'Tulsi Credit' }
  const before = {
    lenders: [tulsi],
    offers: [
      { id: 'o1', accepted: false },
      { id: 'o2', accepted: false },
    ],
  }
  const after = { lenders: [kaveri, tulsi], offers: [{ id: 'o2', accepted: true }] }
  assert.deepEqual(
    differences(before, after).map(({ path, item, before: old, after: now }) => ({
      path,
      kind: item?.kind,
      name: item?.name,
      isAdded: old === null,
      isRemoved: now === null,
    })),
    [
      { path: 'lenders[Kaveri Bank]', kind: 'lender', name: 'Kaveri Bank', isAdded: true, isRemoved: false },
      { path: 'offers[o2].accepted', kind: undefined, name: undefined, isAdded: false, isRemoved: false },
      { path: 'offers[o1]', kind: 'offer', name: 'o1', isAdded: false, isRemoved: true },
    ],
  )
  assert.equal(differences({ lenders: [] }, { lenders: [kaveri] })[0]?.item?.name, 'Kaveri Bank')
})

test('property: a document equals itself, and differences are symmetric', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      assert.deepEqual(differences(a, a), [])
      assert.equal(differences(a, b).length, differences(b, a).length)
    }),
  )
})

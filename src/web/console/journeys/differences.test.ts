// The differences between two updates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { differences } from './differences.ts'

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
    differences(before, after).map(({ path, item, before: old, after: now }) => [
      path,
      item?.kind,
      item?.name,
      old === null,
      now === null,
    ]),
    [
      ['lenders[Kaveri Bank]', 'lender', 'Kaveri Bank', true, false],
      ['offers[o2].accepted', undefined, undefined, false, false],
      ['offers[o1]', 'offer', 'o1', false, true],
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

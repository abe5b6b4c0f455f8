// What of wrong input survives a reload.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputToKeep } from './refused-input.ts'

const open = { session: 'st_1' }
const aadhaar = '234567890124'

test('D1 §2.1: half a PAN is kept for a reload, but neither an empty field nor a pasted page', () => {
  assert.deepEqual(inputToKeep({ pan: 'ABCPE12', panName: '', city: 'x'.repeat(1001) }, open), { pan: 'ABCPE12' })
})

test('D3 §2.1: an Aadhaar number is never kept, however its digits are written', () => {
  for (const pan of [
    aadhaar,
    '2345 6789 0124',
    '2345-6789-0124',
    '2345–6789–0124',
    '2 3 4 5 6 7 8 9 0 1 2 4',
    '२३४५ ६७८९ ०१२४',
    `My number: ${aadhaar}.`,
    `${aadhaar}7`,
  ])
    assert.deepEqual(inputToKeep({ pan, panName: 'A'.repeat(300) }, open), { panName: 'A'.repeat(300) }, pan)
  assert.deepEqual(inputToKeep({ pan: '234567890125' }, open), { pan: '234567890125' }, 'another number')
})

test('nothing is kept after the session has ended', () => {
  assert.equal(inputToKeep({ pan: 'ABCPE12' }, { language: 'hi' }), null)
  assert.deepEqual(inputToKeep({ pan: 'ABCPE12' }, { bootstrap: { token: 'bt_1', key: 'k' } }), { pan: 'ABCPE12' })
})

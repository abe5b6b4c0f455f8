// The text and the link of an audit entry.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailText, pathOf } from './words.ts'

const subject = '01a1ffa0-0000-7000-8000-000000000001'

test('details are formatted as text without empty values', () => {
  assert.equal(detailText({ kind: 'WORDS', files: 0 }), 'An answer')
  assert.equal(
    detailText({ kind: 'RESOLUTION', outcome: 'NOT_UPHELD', files: 2 }),
    'The resolution, Outcome: not upheld, 2 files',
  )
  assert.equal(detailText({ reason: 'he asks', fields: 'pan,mobile' }), '“he asks”, Fields: pan,mobile')
  assert.equal(detailText({ isShared: true, assigneeId: '' }), 'Is shared: yes')
})

test('an entry links to its complaint or journey', () => {
  assert.deepEqual(pathOf({ act: 'COMPLAINT_ANSWERED', subject, detail: {} }), ['grievances', subject])
  assert.deepEqual(pathOf({ act: 'NOTE_ADDED', subject, detail: {} }), ['journeys', subject])
  const revealed = { act: 'PERSONAL_DATA_REVEALED', subject }
  assert.deepEqual(pathOf({ ...revealed, detail: { fields: 'pan' } }), ['journeys', subject])
  assert.deepEqual(pathOf({ ...revealed, detail: { fields: 'complaint' } }), ['grievances', subject])
  assert.equal(pathOf({ act: 'SIGNED_IN', subject, detail: {} }), null)
})

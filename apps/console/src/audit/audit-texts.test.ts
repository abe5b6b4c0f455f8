// The text and the link of an audit entry.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actName, detailText, pathOf } from './audit-texts.ts'

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
  assert.deepEqual(pathOf({ act: 'COMPLAINT_ANSWERED', subject, detail: {} }), ['complaints', subject])
  assert.deepEqual(pathOf({ act: 'NOTE_ADDED', subject, detail: {} }), ['journeys', subject])
  assert.deepEqual(pathOf({ act: 'TRANSCRIPT_EXPORTED', subject, detail: {} }), ['journeys', subject])
  const revealed = { act: 'PERSONAL_DATA_REVEALED', subject }
  assert.deepEqual(pathOf({ ...revealed, detail: { fields: 'pan' } }), ['journeys', subject])
  assert.deepEqual(pathOf({ ...revealed, detail: { fields: 'complaint' } }), ['complaints', subject])
  assert.equal(pathOf({ act: 'SIGNED_IN', subject, detail: {} }), null)
})

test('an act on personal data has a plain name and links to the journey that it names, not to its borrower', () => {
  const journeyId = '01a1ffa0-0000-7000-8000-000000000002'
  for (const act of ['ERASURE_APPROVED', 'HOLD_RELEASED', 'NOMINEE_RECORDED', 'DATA_EXPORTED']) {
    assert.deepEqual(pathOf({ act, subject, detail: { journeyId } }), ['journeys', journeyId, 'personal-data'])
    assert.equal(pathOf({ act, subject, detail: {} }), null)
  }
  assert.equal(pathOf({ act: 'DATA_ERASED_BY_PERIOD', subject: null, detail: { journeys: 2 } }), null)
  assert.equal(detailText({ erased: 1, left: 0, journeyId }), 'Erased: 1, Left: 0, Journey 01a1ffa0…0002')
  assert.equal(actName('KEY_ROLLED'), 'Key replaced', 'the word of the screen of keys')
  assert.deepEqual(['ERASURE_REFUSED', 'HOLD_PLACED'].map(actName), ['Erasure refused', 'Legal hold placed'])
})

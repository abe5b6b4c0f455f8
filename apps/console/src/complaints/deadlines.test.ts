// The state of each deadline.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateWords } from './complaint-texts.ts'
import { clockOf, dueText } from './deadlines.ts'

const day = (dayOfMonth: number) => `2026-11-${String(dayOfMonth).padStart(2, '0')}T10:00:00.000Z`
const newComplaint = {
  firstAnsweredAt: null,
  firstAnswerDueAt: day(4),
  resolvedAt: null,
  resolutionDueAt: day(16),
  limitAt: day(30),
  ombudsmanAt: null,
  closedAt: null,
  dueAt: day(4),
  exitEndsAt: null,
}
const states = (change: object, now = day(3)) => clockOf({ ...newComplaint, ...change }, now).map(({ state }) => state)

test('D3 §1: a cancellation has the day on which it is closed unpaid instead of a resolution', () => {
  const clock = clockOf({ ...newComplaint, firstAnsweredAt: day(2), dueAt: day(8), exitEndsAt: day(8) }, day(3))
  assert.deepEqual(clock.map(({ name, state, at }) => ({ name, state, at })).slice(0, 2), [
    { name: 'First answer', state: 'met', at: day(2) },
    { name: 'Closed if unpaid', state: 'next', at: day(8) },
  ])
})

test('D3 §1: each deadline is met, late, missed, next or later', () => {
  assert.deepEqual(states({}), ['next', 'later', 'later'])
  assert.deepEqual(states({ firstAnsweredAt: day(2), dueAt: day(16) }), ['met', 'next', 'later'])
  const unresolved = { firstAnsweredAt: day(5), dueAt: day(16) }
  assert.deepEqual(states(unresolved, day(6)), ['late', 'next', 'later'])
  assert.deepEqual(states(unresolved, day(17)), ['late', 'missed', 'later'], 'what is missed is to be done next')
  assert.deepEqual(states({}, day(17)), ['missed', 'missed', 'later'])
  const withNotice = { ...unresolved, ombudsmanAt: '2026-11-30T10:00:01.000Z' }
  assert.deepEqual(states(withNotice, day(30)), ['late', 'missed', 'missed', 'later'])
  const resolved = { ...withNotice, resolvedAt: '2026-12-02T10:00:00.000Z', dueAt: null }
  assert.deepEqual(states(resolved), ['late', 'late', 'missed', 'later'])
  const onTime = { firstAnsweredAt: day(2), resolvedAt: day(9), closedAt: day(10), dueAt: null }
  assert.deepEqual(states(onTime), ['met', 'met', 'met'], 'nothing is said of the ombudsman')
  const objected = { firstAnsweredAt: day(2), ombudsmanAt: day(9), dueAt: day(16) }
  assert.deepEqual(
    states(objected),
    ['met', 'next', 'later', 'later'],
    'the limit is not missed, because the notice after an objection is earlier',
  )
})

test('D3 §1: the days until a deadline are days of the calendar in India', () => {
  const at = new Date('2026-12-05T12:00:00.000Z')
  const textOf = (dueAt: string, overdue = false) => dueText({ dueAt, overdue }, at).replace(/\s/g, ' ')
  assert.equal(textOf('2026-12-08T06:00:00.000Z'), 'in 3 days, 8 Dec')
  assert.equal(textOf('2026-12-05T18:29:00.000Z'), 'Due today')
  assert.equal(textOf('2026-12-05T18:31:00.000Z'), 'in 1 day, 6 Dec')
  assert.equal(textOf('2026-12-05T06:00:00.000Z', true), 'Overdue today')
  assert.equal(textOf('2026-12-03T18:00:00.000Z', true), '2 days overdue')
})

test('D3 §1: a complaint whose answer is overdue is called unanswered, not acknowledged', () => {
  const wordsOf = (status: Parameters<typeof stateWords>[0]['status'], overdue: boolean) =>
    stateWords({ status, overdue })
  assert.deepEqual(wordsOf('ACKNOWLEDGED', false), ['info', 'Acknowledged'])
  assert.deepEqual(wordsOf('ACKNOWLEDGED', true), ['bad', 'Not answered'])
  assert.deepEqual(wordsOf('IN_PROGRESS', true), ['info', 'In progress'])
})

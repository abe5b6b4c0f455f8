// The notice of colleagues' actions while an officer writes an answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeSince } from './colleague-action.ts'

type Entry = Parameters<typeof changeSince>[0][number]

const entry = (entryId: string, change: Partial<Entry>): Entry => ({
  entryId,
  author: 'OFFICER',
  kind: 'WORDS',
  code: null,
  person: 'Neha Joshi',
  values: {},
  ...change,
})
const noticeFor = (...thread: ReturnType<typeof entry>[]) =>
  changeSince(thread, new Set(['a']), 'Farah Khan', ({ code }) => (code === 'CLOSED' ? 'Closed' : ''))?.text

test('the notice names the most important new action of a colleague', () => {
  const resolved = entry('b', { kind: 'RESOLUTION' })
  assert.equal(noticeFor(entry('a', {}), resolved, entry('c', { kind: 'NOTE' })), 'Neha Joshi resolved the complaint')
  assert.equal(noticeFor(entry('b', { author: 'BORROWER', person: null })), 'The borrower wrote')
  assert.equal(noticeFor(entry('b', { kind: 'EVENT', code: 'CLOSED', author: 'SYSTEM' })), 'Closed (Neha Joshi)')
  assert.equal(noticeFor(entry('a', {}), entry('b', { person: 'Farah Khan' })), undefined)
})

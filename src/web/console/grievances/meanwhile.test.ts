// What somebody who writes is told of what others did meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeSince } from './meanwhile.ts'

const entry = (entryId: string, more: object) => ({
  ...({ entryId, author: 'OFFICER', kind: 'WORDS', code: null, person: 'Neha Joshi', values: {} } as const),
  ...more,
})
const told = (...thread: ReturnType<typeof entry>[]) =>
  changeSince(thread, new Set(['a']), 'Farah Khan', ({ code }) => (code === 'CLOSED' ? 'Closed' : ''))?.text

test('one sentence says who did what; what one did oneself, or has seen, is not told', () => {
  const resolved = entry('b', { kind: 'RESOLUTION' })
  assert.equal(told(entry('a', {}), resolved, entry('c', { kind: 'NOTE' })), 'Neha Joshi resolved the complaint')
  assert.equal(told(entry('b', { author: 'BORROWER', person: null })), 'The borrower wrote')
  assert.equal(told(entry('b', { kind: 'EVENT', code: 'CLOSED', author: 'SYSTEM' })), 'Closed (Neha Joshi)')
  assert.equal(told(entry('a', {}), entry('b', { person: 'Farah Khan' })), undefined)
})

// Retry schedules: pauses, their end, and Retry-After.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doublingPauses, nextTryAt, pauseMs, pauseSeconds, retryAfter, schedule } from './schedule.ts'

const at = new Date('2026-03-01T10:00:00Z')
const after = (seconds: number) => new Date(at.getTime() + seconds * 1000)

test('pauseMs returns the pauses in order, then null or the last one again', () => {
  const finite = schedule(['PT1M', 'PT5M'], 'give up')
  assert.deepEqual(
    [1, 2, 3].map((attempt) => pauseMs(finite, attempt)),
    [60_000, 300_000, null],
  )
  assert.throws(() => pauseSeconds(finite, 3), RangeError)
  const repeating = schedule(['PT10S', 'PT6H'], 'repeat')
  assert.deepEqual(
    [0, 1, 2, 3, 99].map((attempt) => pauseSeconds(repeating, attempt)),
    [10, 10, 21_600, 21_600, 21_600],
  )
})

test('doublingPauses ends with exactly the longest pause', () => {
  assert.deepEqual(doublingPauses(2, 300).pauses, [
    'PT2S',
    'PT4S',
    'PT8S',
    'PT16S',
    'PT32S',
    'PT64S',
    'PT128S',
    'PT256S',
    'PT5M',
  ])
  assert.deepEqual(doublingPauses(1, 8).pauses, ['PT1S', 'PT2S', 'PT4S', 'PT8S'])
  assert.deepEqual(doublingPauses(5, 5).pauses, ['PT5S'])
})

test('schedule rejects an invalid duration and an empty repeating schedule', () => {
  assert.throws(() => schedule(['5 minutes'], 'give up'), /"5 minutes" is not an ISO 8601 duration/)
  assert.throws(() => schedule([], 'repeat'), RangeError)
})

test('nextTryAt respects a later Retry-After up to a day, and scales the pauses', () => {
  const minutes = schedule(['PT1M'], 'give up')
  const next = (retryAfter: Date | null, scale?: number) =>
    nextTryAt(minutes, { attempt: 1, at, retryAfter, ...(scale !== undefined && { scale }) })
  assert.deepEqual(next(null), after(60))
  assert.deepEqual(next(after(30)), after(60))
  assert.deepEqual(next(after(90)), after(90))
  assert.deepEqual(next(after(900_000)), after(86_400))
  assert.deepEqual(next(null, 0.5), after(30))
  assert.equal(nextTryAt(minutes, { attempt: 2, at, retryAfter: after(90) }), null)
})

const secondsUntil = (date: Date | null) => date && (date.getTime() - at.getTime()) / 1000

test('RFC 9110 §10.2.3: reads Retry-After in seconds or as a date, and ignores anything else', () => {
  assert.equal(secondsUntil(retryAfter('120', at)), 120)
  assert.equal(secondsUntil(retryAfter(' 0 ', at)), 0)
  assert.equal(secondsUntil(retryAfter('Sun, 01 Mar 2026 10:02:00 GMT', at)), 120)
  for (const invalid of ['', 'soon', '-5', '1.5', '2026-03-01', '99999999999', undefined, ['1', '2']])
    assert.equal(retryAfter(invalid, at), null, String(invalid))
})

// The concurrency limit of a destination follows the receiver's latency, and failures pause the destination.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doublingPauses } from '@lendloom/foundation/schedule'
import fc from 'fast-check'
import {
  beginAttempt,
  type Destination,
  endAttempt,
  freeSlots,
  isEvictable,
  isReady,
  newDestination,
  shouldReadBacklog,
} from './destination.ts'

const policyInUse = { maxInFlight: 64, pauseSchedule: doublingPauses(5, 60) }

const newTestDestination = () => newDestination('tenant', 'destination')
const slots = (one: Destination, now = 0, isCrowded = false, policy = policyInUse) =>
  freeSlots(one, now, isCrowded, policy)

const failDestination = (one = newTestDestination(), times = 4, now = 0) => {
  for (let i = 0; i < times; i++) beginAttempt(one, now)
  for (let i = 0; i < times; i++) endAttempt(one, { tookMs: 10, now: now + 10, succeeded: false, policy: policyInUse })
  return one
}

/** Runs rounds in which every slot is used, and returns the number of slots afterwards. */
function runRounds(
  one: Destination,
  count: number,
  tookMs: (inFlight: number) => number,
  policy = policyInUse,
): number {
  for (let round = 0; round < count; round++) {
    const slotCount = slots(one, 0, false, policy)
    for (let i = 0; i < slotCount; i++) beginAttempt(one, 0)
    for (let i = 0; i < slotCount; i++) endAttempt(one, { tookMs: tookMs(slotCount), now: 0, succeeded: true, policy })
  }
  return slots(one, 0, false, policy)
}

test('a new destination has four slots, or one slot when the worker is near its limit', () => {
  const one = newTestDestination()
  assert.equal(slots(one), 4)
  assert.equal(slots(one, 0, true), 1)
  beginAttempt(one, 0)
  assert.equal(slots(one), 3)
  assert.equal(slots(one, 0, true), 0)
})

test('the concurrency limit grows up to the setting while latency stays the same and messages wait', () => {
  assert.equal(
    runRounds({ ...newTestDestination(), hasMore: true }, 10, () => 200),
    64,
  )
  assert.equal(
    runRounds({ ...newTestDestination(), hasMore: true }, 10, () => 200, { ...policyInUse, maxInFlight: 20 }),
    20,
  )
  assert.equal(
    runRounds(newTestDestination(), 10, () => 200),
    4,
    'no message waits',
  )
  assert.equal(
    runRounds(newTestDestination(), 1, () => 200, { ...policyInUse, maxInFlight: 1 }),
    1,
  )
})

test('the concurrency limit falls when latency rises under load, and grows again when latency falls', () => {
  const one = { ...newTestDestination(), hasMore: true }
  // The receiver processes ten requests at once and queues the rest.
  const overloaded = (inFlight: number) => 100 * Math.max(1, inFlight / 10)
  for (let i = 0; i < 20; i++) assert.ok(runRounds(one, 5, overloaded) <= 24, `${slots(one)} in flight`)
  assert.ok(runRounds(one, 20, () => 100) > 24)
})

test('a lasting change of latency becomes the baseline latency', () => {
  const one = { ...newTestDestination(), hasMore: true }
  runRounds(one, 10, () => 10)
  assert.equal(
    runRounds(one, 300, () => 300),
    64,
  )
})

test('a failure halves the concurrency limit to at least four, and allows only the attempts left before a pause', () => {
  const one = { ...newTestDestination(), hasMore: true }
  runRounds(one, 10, () => 10)
  for (let i = 0; i < 2; i++) beginAttempt(one, 0)
  endAttempt(one, { tookMs: 10, now: 0, succeeded: false, policy: policyInUse })
  assert.equal(slots(one), 2)
  endAttempt(one, { tookMs: 10, now: 0, succeeded: true, policy: policyInUse })
  assert.equal(slots(one), 33)
  assert.equal(Math.floor(failDestination(one, 20).concurrencyLimit), 4)
})

test('four failures in a row pause a destination, and each failed single try doubles the pause up to a minute', () => {
  const one = failDestination()
  const pauses: number[] = []
  for (let now = 10; pauses.length < 6; ) {
    assert.equal(slots(one, now), 0)
    pauses.push((one.pausedUntil - now) / 1000)
    now = one.pausedUntil
    assert.equal(slots(one, now), 1)
    beginAttempt(one, now)
    assert.equal(slots(one, now), 0)
    endAttempt(one, { tookMs: 10, now: now + 10, succeeded: false, policy: policyInUse })
    now += 10
  }
  assert.deepEqual(pauses, [5, 10, 20, 40, 60, 60])
})

test('concurrent failures pause a destination once', () => {
  assert.equal(failDestination(newTestDestination(), 8).pausedUntil, 5010)
})

test('one success resumes a paused destination', () => {
  const one = failDestination()
  beginAttempt(one, 6000)
  endAttempt(one, { tookMs: 20, now: 6020, succeeded: true, policy: policyInUse })
  assert.equal(slots(one, 6020), 4)
})

test('evicts a destination ten minutes after its last message, unless messages wait or are in flight', () => {
  const one = failDestination()
  assert.ok(!isEvictable(one, 600_000))
  assert.ok(isEvictable(one, 606_000))
  assert.ok(!isEvictable({ ...one, hasMore: true }, 606_000))
  beginAttempt(one, 0)
  assert.ok(!isEvictable(one, 606_000))
})

test('property: requests in flight never exceed the setting, and slots never fall below the minimum', () => {
  const answer = fc.record({
    tookMs: fc.integer({ min: 0, max: 20_000 }),
    succeeded: fc.boolean(),
    hasMore: fc.boolean(),
    pauseMs: fc.integer({ min: 0, max: 70_000 }),
  })
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 300 }), fc.integer({ min: 1, max: 100 }), (answers, maxInFlight) => {
      const one = newTestDestination()
      const policy = { ...policyInUse, maxInFlight }
      let now = 0
      for (const { tookMs, succeeded, hasMore, pauseMs } of answers) {
        now += pauseMs
        one.hasMore = hasMore
        for (let free = slots(one, now, false, policy); free > 0; free--) beginAttempt(one, now)
        assert.ok(one.inFlight <= maxInFlight)
        if (one.inFlight > 0) endAttempt(one, { tookMs, now, succeeded, policy })
        if (now >= one.pausedUntil && one.failures === 0)
          assert.ok(slots(one, now, false, policy) + one.inFlight >= Math.min(4, maxInFlight))
        assert.ok(one.pausedUntil <= now + 60_000)
        if (shouldReadBacklog(one, now, false, policy) || isReady(one, now, policy))
          assert.ok(slots(one, now, false, policy) > 0)
        // Messages are read again at the latest when the last attempt has ended.
        if (hasMore && one.inFlight === 0 && now >= one.pausedUntil) assert.ok(isReady(one, now, policy))
      }
    }),
  )
})

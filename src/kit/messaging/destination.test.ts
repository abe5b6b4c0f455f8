// One destination: how much it takes, how its width follows its latency, when it closes, and how a single success opens it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { doubling } from '#kit/runtime/schedule.ts'
import {
  begin,
  type Destination,
  end,
  freeSlots,
  isForgettable,
  isReady,
  newDestination,
  wantsMore,
} from './destination.ts'

const live = { mostInFlight: 64, pauseSchedule: doubling(5, 60) }

const fresh = () => newDestination('tenant', 'destination')
const slots = (one: Destination, now = 0, crowded = false, policy = live) => freeSlots(one, now, crowded, policy)

const failed = (one = fresh(), times = 4, now = 0) => {
  for (let i = 0; i < times; i++) begin(one, now)
  for (let i = 0; i < times; i++) end(one, { tookMs: 10, now: now + 10, succeeded: false, policy: live })
  return one
}

/** The given number of rounds in which every slot is used and every answer takes so long. */
function rounds(one: Destination, count: number, tookMs: (inFlight: number) => number, policy = live): number {
  for (let round = 0; round < count; round++) {
    const width = slots(one, 0, false, policy)
    for (let i = 0; i < width; i++) begin(one, 0)
    for (let i = 0; i < width; i++) end(one, { tookMs: tookMs(width), now: 0, succeeded: true, policy })
  }
  return slots(one, 0, false, policy)
}

test('a destination begins with four tries in flight, one when the worker is crowded', () => {
  const one = fresh()
  assert.equal(slots(one), 4)
  assert.equal(slots(one, 0, true), 1)
  begin(one, 0)
  assert.equal(slots(one), 3)
  assert.equal(slots(one, 0, true), 0)
})

test('one that answers as quickly under more gets more while others wait, up to the setting', () => {
  assert.equal(
    rounds({ ...fresh(), hasMore: true }, 10, () => 200),
    64,
  )
  assert.equal(
    rounds({ ...fresh(), hasMore: true }, 10, () => 200, { ...live, mostInFlight: 20 }),
    20,
  )
  assert.equal(
    rounds(fresh(), 10, () => 200),
    4,
    'nobody waits',
  )
  assert.equal(
    rounds(fresh(), 1, () => 200, { ...live, mostInFlight: 1 }),
    1,
  )
})

test('one that becomes slower under more gets fewer, and more again when it is quick again', () => {
  const one = { ...fresh(), hasMore: true }
  // It works at ten requests at a time: whatever is more waits there.
  const overloaded = (inFlight: number) => 100 * Math.max(1, inFlight / 10)
  for (let i = 0; i < 20; i++) assert.ok(rounds(one, 5, overloaded) <= 24, `${slots(one)} in flight`)
  assert.ok(rounds(one, 20, () => 100) > 24)
})

test('a latency that changes for good is the usual one after a while', () => {
  const one = { ...fresh(), hasMore: true }
  rounds(one, 10, () => 10)
  assert.equal(
    rounds(one, 300, () => 300),
    64,
  )
})

test('a failure halves the width, never below four, and until a success no more begin than would close it', () => {
  const one = { ...fresh(), hasMore: true }
  rounds(one, 10, () => 10)
  for (let i = 0; i < 2; i++) begin(one, 0)
  end(one, { tookMs: 10, now: 0, succeeded: false, policy: live })
  assert.equal(slots(one), 2)
  end(one, { tookMs: 10, now: 0, succeeded: true, policy: live })
  assert.equal(slots(one), 33)
  assert.equal(Math.floor(failed(one, 20).width), 4)
})

test('four failures in a row close a destination; then one try at a time, each failure doubling the pause up to a minute', () => {
  const one = failed()
  const pauses: number[] = []
  for (let now = 10; pauses.length < 6; ) {
    assert.equal(slots(one, now), 0)
    pauses.push((one.pausedUntil - now) / 1000)
    now = one.pausedUntil
    assert.equal(slots(one, now), 1)
    begin(one, now)
    assert.equal(slots(one, now), 0)
    end(one, { tookMs: 10, now: now + 10, succeeded: false, policy: live })
    now += 10
  }
  assert.deepEqual(pauses, [5, 10, 20, 40, 60, 60])
})

test('tries that fail together close a destination once', () => {
  assert.equal(failed(fresh(), 8).pausedUntil, 5010)
})

test('one success opens a closed destination', () => {
  const one = failed()
  begin(one, 6000)
  end(one, { tookMs: 20, now: 6020, succeeded: true, policy: live })
  assert.equal(slots(one, 6020), 4)
})

test('a destination is forgotten ten minutes after its last message, not while anything waits or is in flight', () => {
  const one = failed()
  assert.ok(!isForgettable(one, 600_000))
  assert.ok(isForgettable(one, 606_000))
  assert.ok(!isForgettable({ ...one, hasMore: true }, 606_000))
  begin(one, 0)
  assert.ok(!isForgettable(one, 606_000))
})

test('whatever is answered in whatever order: never more in flight than the setting, never fewer slots than the least', () => {
  const answer = fc.record({
    tookMs: fc.integer({ min: 0, max: 20_000 }),
    succeeded: fc.boolean(),
    hasMore: fc.boolean(),
    passes: fc.integer({ min: 0, max: 70_000 }),
  })
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 300 }), fc.integer({ min: 1, max: 100 }), (answers, mostInFlight) => {
      const [one, policy] = [fresh(), { ...live, mostInFlight }]
      let now = 0
      for (const { tookMs, succeeded, hasMore, passes } of answers) {
        now += passes
        one.hasMore = hasMore
        for (let free = slots(one, now, false, policy); free > 0; free--) begin(one, now)
        assert.ok(one.inFlight <= mostInFlight)
        if (one.inFlight > 0) end(one, { tookMs, now, succeeded, policy })
        if (now >= one.pausedUntil && one.failures === 0)
          assert.ok(slots(one, now, false, policy) + one.inFlight >= Math.min(4, mostInFlight))
        assert.ok(one.pausedUntil <= now + 60_000)
        if (wantsMore(one, now, false, policy) || isReady(one, now, policy))
          assert.ok(slots(one, now, false, policy) > 0)
        // Whatever waits is looked for again at the latest when the last try has ended.
        if (hasMore && one.inFlight === 0 && now >= one.pausedUntil) assert.ok(isReady(one, now, policy))
      }
    }),
  )
})

// One destination's lane: how much it takes, when it closes, how a single success opens it, and how a backlog spreads out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { begin, comeBack, end, isIdle, newLane, room } from './lane.ts'
import { live } from './manner.ts'

const failed = (lane = newLane(), times = 4, now = 0) => {
  for (let i = 0; i < times; i++) begin(lane, now)
  for (let i = 0; i < times; i++) end(lane, now, now + 10, false, live)
  return lane
}

test('a destination has at most four tries in flight, one when the worker is crowded', () => {
  const lane = newLane()
  assert.equal(room(lane, 0, false), 4)
  assert.equal(room(lane, 0, true), 1)
  begin(lane, 0)
  assert.equal(room(lane, 0, false), 3)
  assert.equal(room(lane, 0, true), 0)
})

test('four failures in a row close a lane; then one try at a time, each failure doubling the pause up to a minute', () => {
  const lane = failed()
  const pauses: number[] = []
  for (let now = 10; pauses.length < 6; ) {
    assert.equal(room(lane, now, false), 0)
    pauses.push((lane.closedUntil - now) / 1000)
    now = lane.closedUntil
    assert.equal(room(lane, now, false), 1)
    begin(lane, now)
    assert.equal(room(lane, now, false), 0)
    end(lane, now, now + 10, false, live)
    now += 10
  }
  assert.deepEqual(pauses, [5, 10, 20, 40, 60, 60])
})

test('tries that fail together close a lane once', () => {
  const lane = failed(newLane(), 8)
  assert.equal(lane.closedUntil, 5010)
})

test('one success opens a closed lane', () => {
  const lane = failed()
  begin(lane, 6000)
  end(lane, 6000, 6020, true, live)
  assert.equal(room(lane, 6020, false), 4)
  assert.ok(isIdle(lane, 6020))
})

test('what is sent away comes back neither at once nor later than a minute, and later ones not before earlier ones', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 0, max: 10_000 }), (count, waited) => {
      const lane = newLane()
      for (let i = 0; i < 4; i++) begin(lane, 0)
      const times = Array.from({ length: count }, () => comeBack(lane, waited, live))
      assert.ok(times.every((time) => time >= waited + 50 && time <= waited + 60_000))
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      )
    }),
  )
})

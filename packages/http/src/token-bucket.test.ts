// A token bucket enforces exactly its limit, even if the clock is set back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { Buckets, draw, fullBucket, isFull, type Limit } from './token-bucket.ts'

const limit: Limit = { perSecond: 5, burst: 20 }

test('D2 §8: a bucket allows the burst at once, and then the rate per second', () => {
  const bucket = fullBucket(limit, 0)
  const allowed = (at: number, times: number) =>
    Array.from({ length: times }, () => draw(bucket, limit, at)).filter((drawn) => drawn.allowed).length
  assert.equal(allowed(0, 25), 20)
  assert.equal(allowed(199, 5), 0)
  assert.equal(allowed(200, 5), 1)
  assert.equal(allowed(1200, 50), 5)
  assert.equal(allowed(1_000_000, 50), 20)
})

test('draw reports the remaining tokens, and the seconds until the next token and until the bucket is full', () => {
  const bucket = fullBucket(limit, 0)
  const first = draw(bucket, limit, 0)
  assert.deepEqual(first, { allowed: true, left: 19, secondsUntilFull: 0.2, secondsUntilNext: 0 })
  for (let i = 0; i < 19; i++) draw(bucket, limit, 0)
  const refused = draw(bucket, limit, 0)
  assert.deepEqual(refused, { allowed: false, left: 0, secondsUntilFull: 4, secondsUntilNext: 0.2 })
  assert.ok(!isFull(bucket, limit, 3999))
  assert.ok(isFull(bucket, limit, 4001))
})

test('a clock that is set back neither adds tokens nor stops the refill', () => {
  const bucket = fullBucket(limit, 1_000_000)
  for (let i = 0; i < 20; i++) draw(bucket, limit, 1_000_000)
  assert.equal(draw(bucket, limit, 0).allowed, false)
  assert.equal(draw(bucket, limit, 200).allowed, true)
})

test('full buckets of idle callers are evicted, and other buckets are kept', () => {
  const buckets = new Buckets()
  for (let i = 0; i < 20; i++) buckets.draw('busy', limit, 0)
  for (let i = 0; i < 10_000; i++) {
    buckets.draw(`one-time caller ${i}`, limit, i * 10)
    buckets.draw('busy', limit, i * 10)
    assert.ok(buckets.size <= 3_101, `${buckets.size} are stored`)
  }
  assert.equal(buckets.draw('busy', limit, 99_990).left, 0)
  buckets.draw('another', limit, 200_000)
  assert.equal(buckets.size, 1)
})

test('the memory of all buckets is limited, and recently used buckets are kept', () => {
  const buckets = new Buckets()
  const name = (i: number) => `${'x'.repeat(5000)} ${i}`
  for (let i = 0; i < 4000; i++) {
    buckets.draw(name(i), limit, 1)
    buckets.draw('busy', limit, 1)
  }
  assert.ok(buckets.bytes <= 16 << 20, `${buckets.bytes} bytes`)
  assert.equal(buckets.draw('busy', limit, 1).allowed, false)
})

test('property: a bucket allows at most burst + rate × time requests, and a request after the reported wait', () => {
  const rules = fc.record({ perSecond: fc.integer({ min: 1, max: 200 }), burst: fc.integer({ min: 1, max: 300 }) })
  fc.assert(
    fc.property(rules, fc.array(fc.nat(400), { minLength: 1, maxLength: 200 }), (rule, pauses) => {
      const bucket = fullBucket(rule, 0)
      const passed: number[] = []
      let now = 0
      for (const pause of pauses) {
        now += pause
        const { allowed, secondsUntilNext } = draw(bucket, rule, now)
        if (allowed) passed.push(now)
        else {
          now += Math.ceil(secondsUntilNext * 1000)
          assert.ok(draw(bucket, rule, now).allowed)
          passed.push(now)
        }
      }
      for (const [i, from] of passed.entries())
        for (const [n, to] of passed.slice(i).entries())
          assert.ok(n + 1 <= rule.burst + ((to - from) / 1000) * rule.perSecond + 1e-6)
    }),
    { numRuns: roundsOf(60), examples: [[{ perSecond: 5, burst: 1 }, [0, 16]]] },
  )
})

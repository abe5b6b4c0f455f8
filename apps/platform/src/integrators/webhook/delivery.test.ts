// Schedule, Retry-After and URL rules of deliveries, without a clock or a network.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseMs } from '@lendloom/foundation/schedule'
import fc from 'fast-check'
import { nextTry } from './delivery.ts'
import { callbackFaults, livePolicy, sandboxPolicy, urlFault } from './delivery-policy.ts'

const at = new Date('2026-03-01T10:00:00Z')
const seconds = (date: Date | null) => date && (date.getTime() - at.getTime()) / 1000

test('D1 §6: retries follow after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  const waits = Array.from({ length: 10 }, (_, i) =>
    seconds(nextTry(livePolicy, { attempt: i + 1, at, retryAfter: null, random: 0 })),
  )
  assert.deepEqual(waits, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null])
  const sandboxWaits = Array.from({ length: 6 }, (_, i) =>
    seconds(nextTry(sandboxPolicy, { attempt: i + 1, at, retryAfter: null, random: 0 })),
  )
  assert.deepEqual(sandboxWaits, [1, 2, 4, 8, 16, null])
})

test('D1 §6: a retry is at most a tenth later than scheduled, or follows a longer Retry-After of up to a day', () => {
  const retryAfter = fc.option(fc.integer({ min: -1000, max: 200_000 }), { nil: null })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      retryAfter,
      (attempt, random, requested) => {
        const requestedAt = requested === null ? null : new Date(at.getTime() + requested * 1000)
        const wait = seconds(nextTry(livePolicy, { attempt, at, retryAfter: requestedAt, random }))!
        const minSeconds = pauseMs(livePolicy.schedule, attempt)! / 1000
        const grantedSeconds = Math.min(requested ?? 0, 86_400)
        assert.ok(
          wait >= Math.max(minSeconds, grantedSeconds) && wait <= Math.max(minSeconds * 1.1, grantedSeconds) + 0.001,
        )
      },
    ),
  )
})

test('D1 §6: allows http and loopback addresses only in the sandbox, and never private addresses', () => {
  assert.equal(urlFault('https://hooks.example.com/x', livePolicy, 'url'), null)
  assert.deepEqual(urlFault('http://hooks.example.com/x', livePolicy, 'url'), {
    path: 'url',
    message: 'cannot be called: it is not an https address',
  })
  assert.equal(urlFault('http://127.0.0.1:9000/x', sandboxPolicy, 'url'), null)
  assert.equal(urlFault('http://hooks.example.com/x', sandboxPolicy, 'url'), null)
  for (const policy of [livePolicy, sandboxPolicy])
    for (const url of [
      'https://10.0.0.1/',
      'https://[fd00::1]/',
      'https://169.254.169.254/latest',
      'ftp://example.com',
      'x',
    ])
      assert.match(urlFault(url, policy, 'url')?.message ?? '', /cannot be called/, url)
  assert.match(urlFault('https://127.0.0.1/', livePolicy, 'url')?.message ?? '', /a private address/)
})

test('D1 §6: rejects an unreachable callbackUrl by field name', () => {
  for (const url of [undefined, 'https://hooks.example.com/x']) assert.deepEqual(callbackFaults(url, livePolicy), [])
  assert.deepEqual(
    callbackFaults('http://127.0.0.1/', livePolicy).map(({ path }) => path),
    ['callbackUrl'],
  )
})

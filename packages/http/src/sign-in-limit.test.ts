// Sign-in attempts are limited per name, per network and overall.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { networkOf, type SignInAttempt, signInLimiter } from './sign-in-limit.ts'

test('sign-in attempts are limited per network and overall, except attempts of known devices', () => {
  const limiter = signInLimiter()
  const at = new Date()
  const isAllowed = (attempt: Partial<SignInAttempt>) => {
    try {
      limiter.limit({ email: `${Math.random()}@x.example`, address: null, device: null, ...attempt }, at)
      return true
    } catch (error) {
      assert.ok(error instanceof Refusal && error.kind === 'rate-limited' && error.details.retryAfterSeconds! > 0)
      return false
    }
  }
  const countAllowed = (count: number, attempt: (i: number) => Partial<SignInAttempt>) =>
    Array.from({ length: count }, (_, i) => isAllowed(attempt(i))).filter(Boolean).length
  assert.equal(
    countAllowed(150, (i) => ({ address: `2001:db8::${i.toString(16)}` })),
    30,
    'the limit of one network',
  )
  assert.equal(
    countAllowed(150, (i) => ({ address: `198.51.100.${i}` })),
    30,
    'the overall limit is 60, of which the first network used 30',
  )
  assert.ok(isAllowed({ address: '198.51.100.200', device: Buffer.from('known') }))
})

test('networkOf returns the whole IPv4 address, or the first half of an IPv6 address', () => {
  for (const [address, network] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])
    assert.equal(networkOf(address!), network)
})

// How often somebody may try to sign in, by whom and from where.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from './refusal.ts'
import { networkOf, type SignInAttempt, signInLimiter } from './sign-in-limit.ts'

test('of many tries to sign in at once most are refused', () => {
  const limiter = signInLimiter()
  const at = new Date()
  const allowed = (trying: Partial<SignInAttempt>) => {
    try {
      limiter.limit({ email: `${Math.random()}@x.example`, address: null, device: null, ...trying }, at)
      return true
    } catch (error) {
      assert.ok(error instanceof Refusal && error.kind === 'rate-limited' && error.details.retryAfterSeconds! > 0)
      return false
    }
  }
  const many = (count: number, trying: (i: number) => Partial<SignInAttempt>) =>
    Array.from({ length: count }, (_, i) => allowed(trying(i))).filter(Boolean).length
  assert.equal(
    many(150, (i) => ({ address: `2001:db8::${i.toString(16)}` })),
    30,
    'of one address, or one network',
  )
  assert.equal(
    many(150, (i) => ({ address: `198.51.100.${i}` })),
    30,
    'overall, what the first one left',
  )
  assert.ok(allowed({ address: '198.51.100.200', device: Buffer.from('known') }))
})

test('an address is known by its network: an IPv4 address, half of an IPv6 one', () => {
  for (const [address, network] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])
    assert.equal(networkOf(address!), network)
})

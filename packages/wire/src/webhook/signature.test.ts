// Standard Webhooks 1.0.0: the published vector, two secrets at once, and everything that must be refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import fc from 'fast-check'
import { secretOf, sign, toleranceSeconds, verify } from './signature.ts'

// The vector that the Standard Webhooks libraries share.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const at = new Date(1_614_265_330_000)
const body = Buffer.from('{"test": 2432232314}')

const later = (seconds: number): Date => new Date(at.getTime() + seconds * 1000)
const isRefused = (error: unknown): boolean => error instanceof Refusal && error.kind === 'bad-credential'

test('D1 §6: the published vector of Standard Webhooks is signed and verified', () => {
  const headers = sign([secret], id, at, body)
  assert.deepEqual(headers, {
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
  verify(secret, headers, body, at)
  verify('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', headers, body, at)
})

test('D1 §6: during a rotation, each of the two secrets verifies a message', () => {
  const [old, fresh, otherParty] = [1, 2, 3].map((fill) => secretOf(Buffer.alloc(32, fill))) as [string, string, string]
  const headers = sign([fresh, old], id, at, body)
  assert.equal(headers['webhook-signature']!.split(' ').length, 2)
  verify(old, headers, body, at)
  verify(fresh, headers, body, at)
  assert.throws(() => verify(otherParty, headers, body, at), isRefused)
})

test('D1 §6: an old, future-dated or changed message is rejected', () => {
  const headers = sign([secret], id, at, body)
  verify(secret, headers, body, later(toleranceSeconds))
  verify(secret, headers, body, later(-toleranceSeconds))
  assert.throws(() => verify(secret, headers, body, later(toleranceSeconds + 1)), isRefused)
  assert.throws(() => verify(secret, headers, body, later(-toleranceSeconds - 1)), isRefused)
  assert.throws(() => verify(secret, { ...headers, 'webhook-id': 'msg_other' }, body, at), isRefused)
  assert.throws(() => verify(secret, { ...headers, 'webhook-timestamp': '1614265331' }, body, at), isRefused)
  assert.throws(() => verify(secret, headers, Buffer.from('{"test":2432232314}'), at), isRefused)
})

test('D1 §6: a missing, duplicate or unreadable header is rejected', () => {
  const headers = sign([secret], id, at, body)
  for (const name of Object.keys(headers)) {
    assert.throws(() => verify(secret, { ...headers, [name]: undefined }, body, at), isRefused, name)
    assert.throws(() => verify(secret, { ...headers, [name]: [headers[name]!, 'x'] }, body, at), isRefused, name)
  }
  for (const wrong of ['', 'v1', 'v1,', 'v1,AAAA', 'v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='])
    assert.throws(() => verify(secret, { ...headers, 'webhook-signature': wrong }, body, at), isRefused, wrong)
  for (const wrong of ['', 'now', '1e9', '-5', '1614265330.5'])
    assert.throws(() => verify(secret, { ...headers, 'webhook-timestamp': wrong }, body, at), isRefused, wrong)
})

test('signatures of other versions are ignored', () => {
  const headers = sign([secret], id, at, body)
  verify(secret, { ...headers, 'webhook-signature': `v1a,abc ${headers['webhook-signature']} v3,x` }, body, at)
})

test('a secret has 24 to 64 bytes', () => {
  assert.throws(() => secretOf(Buffer.alloc(23)), /24 to 64 bytes/)
  assert.throws(() => secretOf(Buffer.alloc(65)), /24 to 64 bytes/)
  assert.throws(() => sign(['whsec_c2hvcnQ='], id, at, body), /24 to 64 bytes/)
  assert.throws(() => sign(['whsec_not base64 at all, but long enough'], id, at, body), /base64/)
})

test('a signature verifies only with its own secret', () => {
  const bytes = (least: number, most: number) => fc.uint8Array({ minLength: least, maxLength: most })
  fc.assert(
    fc.property(bytes(32, 32), bytes(32, 32), bytes(0, 500), (ownSecret, otherSecret, content) => {
      const headers = sign([secretOf(ownSecret)], id, at, content)
      verify(secretOf(ownSecret), headers, content, at)
      if (Buffer.compare(ownSecret, otherSecret) !== 0)
        assert.throws(() => verify(secretOf(otherSecret), headers, content, at), isRefused)
    }),
  )
})

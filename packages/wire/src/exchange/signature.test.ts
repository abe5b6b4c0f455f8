// Signatures of the exchange: published vectors, and forgeries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import fc from 'fast-check'
import { requireSignature, sign, signedHeaders, toleranceSeconds, verify } from './signature.ts'
import published from './vectors.json' with { type: 'json' }

const { secrets, vectors } = published

for (const { name, now, key_id, sent_at, body, signature, outcome } of vectors) {
  test(`D3 §5.2: vector: ${name}`, () => {
    const raw = Buffer.from(body)
    const found = verify({ secrets, keyId: key_id, sentAt: sent_at, signature, raw, at: new Date(now) })
    assert.equal(found, outcome)
    if (outcome === null)
      assert.equal(sign({ secret: secrets[key_id as keyof typeof secrets], sentAt: Number(sent_at), raw }), signature)
  })
}

const at = new Date('2026-11-20T10:00:00.400Z')
const raw = Buffer.from('{"a":1}')
const headersNow = () => signedHeaders({ keyId: 'key-2026-11', secret: secrets['key-2026-11'], at, raw })
const isRefused = (error: unknown): boolean => error instanceof Refusal && error.kind === 'bad-credential'

test('D3 §5.2: each try is signed with its own time, and is valid at that time', () => {
  const later = new Date(at.getTime() + 60_000)
  const laterHeaders = signedHeaders({ keyId: 'key-2026-11', secret: secrets['key-2026-11'], at: later, raw })
  assert.notEqual(headersNow()['x-signature'], laterHeaders['x-signature'])
  requireSignature(secrets, headersNow(), raw, at)
  requireSignature(secrets, laterHeaders, raw, later)
})

test('D3 §5.2: a missing or duplicate header is refused', () => {
  for (const name of Object.keys(headersNow())) {
    assert.throws(() => requireSignature(secrets, { ...headersNow(), [name]: undefined }, raw, at), isRefused, name)
    assert.throws(() => requireSignature(secrets, { ...headersNow(), [name]: ['a', 'b'] }, raw, at), isRefused, name)
  }
})

test('D3 §5.2: inherited property names select no key', () => {
  for (const keyId of ['constructor', '__proto__', 'toString', ''])
    assert.throws(() => requireSignature(secrets, { ...headersNow(), 'x-key-id': keyId }, raw, at), isRefused, keyId)
})

test('D3 §5.2: property: any change of bytes, time or key is refused', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 400 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (body, position, flip) => {
        const secret = secrets['key-2026-11']
        const headers = signedHeaders({ keyId: 'key-2026-11', secret, at, raw: body })
        requireSignature(secrets, headers, body, at)
        const changedBody = Uint8Array.from(body)
        changedBody[position % body.length]! ^= flip
        assert.throws(() => requireSignature(secrets, headers, changedBody, at), isRefused)
        assert.throws(() => requireSignature(secrets, { ...headers, 'x-key-id': 'key-2026-12' }, body, at), isRefused)
        const otherTime = String(Number(headers['x-sent-at']) + (position % toleranceSeconds) + 1)
        assert.throws(() => requireSignature(secrets, { ...headers, 'x-sent-at': otherTime }, body, at), isRefused)
      },
    ),
  )
})

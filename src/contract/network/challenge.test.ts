// The cryptography with which a subscriber proves its identity to the registry.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readHtml } from '#kit/http/html.ts'
import {
  decryptChallenge,
  encryptChallenge,
  encryptionKeysFrom,
  sitePage,
  siteSignature,
  verifySiteSignature,
} from './challenge.ts'
import { signingKeysFrom } from './signing.ts'

const ours = encryptionKeysFrom(Buffer.alloc(32, 1))
const registry = encryptionKeysFrom(Buffer.alloc(32, 2))

test('FIS12 §6.2: the encryption keys have the formats of the registry', () => {
  assert.match(ours.publicKey, /^MCowBQYDK2VuAyEA/)
  assert.equal(ours.publicKey.length, 60)
  assert.match(ours.privateKey, /^MC4CAQAwBQYDK2VuBCIEI/)
})

test('FIS12 §6.2: only the right key decrypts a challenge', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (plain) => {
      const challenge = encryptChallenge(plain, registry.privateKey, ours.publicKey)
      assert.equal(decryptChallenge(challenge, ours.privateKey, registry.publicKey), plain)
    }),
    { numRuns: 50 },
  )
  const challenge = encryptChallenge('a secret of the registry', registry.privateKey, ours.publicKey)
  const otherParty = encryptionKeysFrom(Buffer.alloc(32, 3))
  assert.throws(() => decryptChallenge(challenge, otherParty.privateKey, registry.publicKey))
})

test('FIS12 §6.2: the challenge is AES-256-ECB under the raw X25519 secret', () => {
  const block = Buffer.from(
    encryptChallenge('sixteen bytes ok sixteen bytes ok'.slice(0, 32), registry.privateKey, ours.publicKey),
    'base64',
  )
  assert.equal(block.length, 48)
  assert.deepEqual(
    encryptChallenge('same', registry.privateKey, ours.publicKey),
    encryptChallenge('same', ours.privateKey, registry.publicKey),
  )
})

test('FIS12 §6.2: the site page contains a signature over the request id', () => {
  const { privateKey, publicKey } = signingKeysFrom(Buffer.alloc(32, 4))
  const signature = siteSignature('req-1', privateKey)
  const [meta] = readHtml(sitePage(signature)).all('meta')
  assert.deepEqual(meta?.attributes, { name: 'ondc-site-verification', content: signature })
  assert.ok(verifySiteSignature('req-1', signature, publicKey))
  assert.ok(!verifySiteSignature('req-2', signature, publicKey))
  assert.ok(!verifySiteSignature('req-1', 'AAAA', publicKey))
})

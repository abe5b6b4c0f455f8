// The cryptography with which a subscriber proves its identity to the registry.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from '@lendloom/http/html'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import {
  decryptChallenge,
  encryptChallenge,
  encryptionKeysFrom,
  sitePage,
  siteSignature,
  verifySiteSignature,
} from './challenge.ts'
import { signingKeysFrom } from './signing.ts'

const ourKeys = encryptionKeysFrom(Buffer.alloc(32, 1))
const registryKeys = encryptionKeysFrom(Buffer.alloc(32, 2))

test('FIS12 §6.2: the encryption keys have the formats of the registry', () => {
  assert.match(ourKeys.publicKey, /^MCowBQYDK2VuAyEA/)
  assert.equal(ourKeys.publicKey.length, 60)
  assert.match(ourKeys.privateKey, /^MC4CAQAwBQYDK2VuBCIEI/)
})

test('FIS12 §6.2: only the key of the subscriber decrypts a challenge', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (plaintext) => {
      const challenge = encryptChallenge(plaintext, registryKeys.privateKey, ourKeys.publicKey)
      assert.equal(decryptChallenge(challenge, ourKeys.privateKey, registryKeys.publicKey), plaintext)
    }),
    { numRuns: roundsOf(50) },
  )
  const challenge = encryptChallenge('a secret of the registry', registryKeys.privateKey, ourKeys.publicKey)
  const otherParty = encryptionKeysFrom(Buffer.alloc(32, 3))
  assert.throws(() => decryptChallenge(challenge, otherParty.privateKey, registryKeys.publicKey))
})

test('FIS12 §6.2: the challenge is encrypted with AES-256-ECB under the raw X25519 secret', () => {
  const encrypted = Buffer.from(encryptChallenge('x'.repeat(32), registryKeys.privateKey, ourKeys.publicKey), 'base64')
  assert.equal(encrypted.length, 32 + 16, 'the text and a block of padding')
  assert.equal(
    encryptChallenge('same', registryKeys.privateKey, ourKeys.publicKey),
    encryptChallenge('same', ourKeys.privateKey, registryKeys.publicKey),
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

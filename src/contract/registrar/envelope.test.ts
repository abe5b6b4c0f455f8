// The envelope of MF Central: encrypted as it does it, opened by its key and with its signature alone.
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import { newSigner } from '#kit/crypto/jws.ts'
import { decrypted, decryptedFromAddress, encrypted, encryptedForAddress, enveloped, opened } from './envelope.ts'

const key = { secret: 'a shared secret', iv: 'globalaesvectors' }
const content = { clientRefNo: 'r-1', pan: 'ABCPE1234F', mobile: '+919876543210' }

test('FIS12 §10.1: the key is half of the digest as text, and both alphabets of Base64 are read', () => {
  // Made with OpenSSL: the first 32 hexadecimal digits of the SHA-256 of the secret are the key.
  const known = 'FiXjlokGH3u5q3qplQ2WfQ=='
  const text = encrypted({ a: 1 }, key)
  assert.equal(text, known)
  const standard = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  assert.deepEqual(decrypted(standard, key), { a: 1 })
  assert.equal(decrypted(text, { ...key, secret: 'another' }), null)
  assert.equal(decrypted('', key), null)
})

test('FIS12 §10.1: what is opened bears the signature of the key that it names', async () => {
  const signer = newSigner('k-1')
  const theirs = createPublicKey(signer.privateKey)
  const { signature, request } = await enveloped(content, key, signer)
  const keyOf = (kid: string) => (kid === 'k-1' ? theirs : undefined)
  assert.deepEqual(await opened(request, signature, key, keyOf), content)
  assert.equal(await opened(`${request}A`, signature, key, keyOf), null)
  assert.equal(await opened(request, signature, key, () => undefined), null)
  assert.equal(await opened(request, (await enveloped(content, key, newSigner('k-1'))).signature, key, keyOf), null)
})

test('FIS12 §10.1: an address is another one each time, and opened by its key alone', () => {
  const urlKey = 'k'.repeat(32)
  const text = encryptedForAddress(content, urlKey)
  assert.notEqual(text, encryptedForAddress(content, urlKey))
  assert.match(text, /^[0-9a-f]{32}:[0-9a-f]+$/)
  assert.deepEqual(decryptedFromAddress(text, urlKey), content)
  assert.equal(decryptedFromAddress(text, 'x'.repeat(32)), null)
  assert.equal(decryptedFromAddress('00', urlKey), null)
  assert.equal(decryptedFromAddress('', urlKey), null)
})

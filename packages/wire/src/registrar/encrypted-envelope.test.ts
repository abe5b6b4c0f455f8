// MF Central's envelope: encryption, decryption, and verification of the signature.
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import { newSigner } from '@lendloom/seal/jws'
import {
  decryptContent,
  decryptFromAddress,
  encryptContent,
  encryptForAddress,
  signedRequest,
  verifyAndDecrypt,
} from './encrypted-envelope.ts'

const key = { secret: 'a shared secret', iv: 'globalaesvectors' }
const content = { clientRefNo: 'r-1', pan: 'ABCPE1234F', mobile: '+919876543210' }

test('FIS12 §10.1: encryption equals OpenSSL’s, and both Base64 alphabets are accepted', () => {
  // Computed with OpenSSL; the key is the first 32 hexadecimal digits of the secret's SHA-256.
  const known = 'FiXjlokGH3u5q3qplQ2WfQ=='
  const text = encryptContent({ a: 1 }, key)
  assert.equal(text, known)
  const standard = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  assert.deepEqual(decryptContent(standard, key), { a: 1 })
  assert.equal(decryptContent(text, { ...key, secret: 'another' }), null)
  assert.equal(decryptContent('', key), null)
})

test('FIS12 §10.1: content is decrypted only with the signature of the named key', async () => {
  const signer = newSigner('k-1')
  const theirs = createPublicKey(signer.privateKey)
  const { signature, request } = await signedRequest(content, key, signer)
  const keyOf = (kid: string) => (kid === 'k-1' ? theirs : undefined)
  assert.deepEqual(await verifyAndDecrypt(request, signature, key, keyOf), content)
  assert.equal(await verifyAndDecrypt(`${request}A`, signature, key, keyOf), null)
  assert.equal(await verifyAndDecrypt(request, signature, key, () => undefined), null)
  assert.equal(
    await verifyAndDecrypt(request, (await signedRequest(content, key, newSigner('k-1'))).signature, key, keyOf),
    null,
  )
})

test('FIS12 §10.1: an encrypted address differs each time, and only its key decrypts it', () => {
  const urlKey = 'k'.repeat(32)
  const text = encryptForAddress(content, urlKey)
  assert.notEqual(text, encryptForAddress(content, urlKey))
  assert.match(text, /^[0-9a-f]{32}:[0-9a-f]+$/)
  assert.deepEqual(decryptFromAddress(text, urlKey), content)
  assert.equal(decryptFromAddress(text, 'x'.repeat(32)), null)
  assert.equal(decryptFromAddress('00', urlKey), null)
  assert.equal(decryptFromAddress('', urlKey), null)
})

// Signatures and data of the account-aggregator network, and the published key exchange.
import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  compactJws,
  detachedSignature,
  isSignedBy,
  keyFromJwk,
  kidOf,
  newSigner,
  openCompactJws,
  publicJwk,
} from '@lendloom/seal/jws'
import { HandleRequest, readSigned, signedBody } from './consent-api.ts'
import { decryptData, encryptData, keyMaterialOf, newEphemeral, sessionOf } from './data-encryption.ts'

const signer = newSigner('k1')
const key = keyFromJwk(publicJwk(signer))!
const keyOf = (kid: string) => (kid === 'k1' ? key : undefined)
const raw = '{"ver":"2.0.0", "txnid":"a"}'

test('FIS12 §7.8: a detached signature covers exactly these bytes, RS256 and unencoded', async () => {
  const signature = await detachedSignature(raw, signer)
  assert.equal(kidOf(signature), 'k1')
  assert.ok(await isSignedBy(raw, signature, keyOf))
  assert.ok(await isSignedBy(Buffer.from(raw), signature, keyOf))
  assert.ok(!(await isSignedBy(JSON.stringify(JSON.parse(raw)), signature, keyOf)), 're-serialized')
  assert.ok(!(await isSignedBy(raw, signature, () => undefined)), 'an unknown key')
  const [head, , end] = signature.split('.') as [string, string, string]
  for (const wrong of [undefined, '', head, `${head}.x.${end}`, `${head}..`, `${head}..${end}.`, `x..${end}`])
    assert.ok(!(await isSignedBy(raw, wrong, keyOf)), String(wrong))
  const withHeader = (header: object) => `${Buffer.from(JSON.stringify(header)).toString('base64url')}..${end}`
  for (const header of [{ alg: 'none', kid: 'k1', b64: false, crit: ['b64'] }, { alg: 'RS256', kid: 'k1' }, []])
    assert.ok(!(await isSignedBy(raw, withHeader(header), keyOf)), JSON.stringify(header))
})

test('FIS12 §7.8: a compact signature returns the signed content, or null', async () => {
  const text = await compactJws({ consentMode: 'STORE' }, signer)
  assert.deepEqual(await openCompactJws(text, keyOf), { consentMode: 'STORE' })
  const [head, , end] = text.split('.')
  const other = Buffer.from('{"consentMode":"VIEW"}').toString('base64url')
  for (const wrong of [`${head}.${other}.${end}`, `${text}.x`, await detachedSignature(raw, signer), '', 'a.b.c'])
    assert.equal(await openCompactJws(wrong, keyOf), null)
  assert.equal(
    await openCompactJws(await compactJws({}, newSigner('k1')), keyOf),
    null,
    'signed by another key with the same key id',
  )
})

test('FIS12 §7.8: only RSA keys of sufficient length are accepted', () => {
  const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  assert.equal(keyFromJwk(jwk), null)
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
  assert.equal(keyFromJwk(short), null)
  assert.equal(keyFromJwk({ kty: 'RSA' }), null)
})

test('FIS12 §7.8: a body is accepted only with a valid signature, schema and version', async () => {
  const { body, signature } = await signedBody({ ConsentHandle: 'h' }, { txnId: 't', at: new Date(0) }, signer)
  const bytes = Buffer.from(body)
  assert.equal('value' in (await readSigned(HandleRequest, bytes, signature, keyOf)), true)
  assert.deepEqual(await readSigned(HandleRequest, Buffer.from(`${body} `), signature, keyOf), { fault: 'not signed' })
  const read = async (text: string) =>
    readSigned(HandleRequest, Buffer.from(text), await detachedSignature(text, signer), keyOf)
  assert.deepEqual(await read('{'), { fault: 'not readable' })
  assert.deepEqual(await read(body.replace('"ConsentHandle":"h"', '"x":1')), {
    fault: 'not readable',
    at: 'ConsentHandle',
  })
  assert.deepEqual(await read(body.replace('2.0.0', '1.1.2')), { fault: 'of another version' })
})

test('FIS12 §7.8: the key exchange yields the published key, the same on both sides', () => {
  const { dataExchange: vector } = JSON.parse(
    readFileSync(new URL('./fixtures/redirection.json', import.meta.url), 'utf8'),
  )
  const pkcs8 = Buffer.concat([
    Buffer.from('302e020100300506032b656e04220420', 'hex'),
    Buffer.from(vector.ourPrivateHex, 'hex'),
  ])
  const spki = Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), Buffer.from(vector.peerPublicHex, 'hex')])
  const ours = {
    privateKey: createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }),
    nonce: Buffer.from(vector.yourNonce, 'base64'),
  }
  const peer = {
    DHPublicKey: { expiry: '', Parameters: '', KeyValue: spki.toString('base64') },
    Nonce: vector.remoteNonce,
  }
  const session = sessionOf(ours, peer)
  assert.equal(session.key.toString('hex'), vector.sessionKeyHex)
  assert.equal(encryptData(session, vector.plaintext), vector.encrypted)
  assert.equal(decryptData(session, vector.encrypted), vector.plaintext)
  assert.throws(() => decryptData(session, `A${vector.encrypted.slice(1)}`))

  const lender = newEphemeral()
  const bank = newEphemeral()
  const expiry = new Date(0)
  const sent = encryptData(sessionOf(bank, keyMaterialOf(lender, expiry)), 'statement')
  assert.equal(decryptData(sessionOf(lender, keyMaterialOf(bank, expiry)), sent), 'statement')
  assert.throws(() =>
    sessionOf(lender, {
      ...peer,
      DHPublicKey: {
        ...peer.DHPublicKey,
        KeyValue: createPublicKey(signer.privateKey).export({ format: 'der', type: 'spki' }).toString('base64'),
      },
    }),
  )
})

// Verifies the network's published signature, and rejects each kind of invalid signature.

import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import { cacheBytes } from '@lendloom/foundation/cache'
import { secondsAfter } from '@lendloom/foundation/clock'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import {
  checkClaim,
  claimedKeyOf,
  digestOf,
  rawVerificationKey,
  readSignature,
  signatureHeader,
  signingKey,
  signingKeysFrom,
  verificationKey,
  verifySignature,
} from './signing.ts'

const vector = {
  privateKey: 'lP3sHA+9gileOkXYJXh4Jg8tK0gEEMbf9yCPnFpbldhrAY+NErqL9WD+Vav7TE5tyVXGXBle9ONZi2W7o144eQ==',
  publicKey: 'awGPjRK6i/Vg/lWr+0xObclVxlwZXvTjWYtlu6NeOHk=',
  at: new Date(1641287875_000),
  digest: 'b6lf6lRgOweajukcvcLsagQ2T60+85kRh/Rd2bdS+TG/5ALebOEgDJfyCrre/1+BMu5nA94o4DT3pTFXuUg7sw==',
  signature: 'cjbhP0PFyrlSCNszJM1F/YmHDVAWsZqJUPzojnE/7TJU3fJ/rmIlgaUHEr5E0/2PIyf0tpSnWtT6cyNNlpmoAQ==',
  body: '{"context":{"domain":"nic2004:60212","country":"IND","city":"Kochi","action":"search","core_version":"0.9.1","bap_id":"bap.stayhalo.in","bap_uri":"https://8f9f-49-207-209-131.ngrok.io/protocol/","transaction_id":"e6d9f908-1d26-4ff3-a6d1-3af3d3721054","message_id":"a2fe6d52-9fe4-4d1a-9d0b-dccb8b48522d","timestamp":"2022-01-04T09:17:55.971Z","ttl":"P1M"},"message":{"intent":{"fulfillment":{"start":{"location":{"gps":"10.108768, 76.347517"}},"end":{"location":{"gps":"10.102997, 76.353480"}}}}}}',
}
const owner = { subscriberId: 'buyer.lendloom.example', uniqueKeyId: 'k-1' }
const signer = { ...owner, privateKey: vector.privateKey }
const header = signatureHeader(vector.body, { ...signer, at: vector.at, lifeSeconds: 3600 })
const faultOf = (result: { ok: boolean; fault?: string }) => (result.ok ? 'none' : result.fault)

test('FIS12 §5: signing the published vector yields its digest and signature', () => {
  assert.equal(digestOf(vector.body), vector.digest)
  assert.equal(
    header,
    `Signature keyId="buyer.lendloom.example|k-1|ed25519",algorithm="ed25519",created="1641287875",expires="1641291475",headers="(created) (expires) digest",signature="${vector.signature}"`,
  )
})

test('FIS12 §5: the published signature is valid, even with its parameters in another order', () => {
  const arrival = { at: secondsAfter(vector.at, 60), sender: owner.subscriberId }
  const reordered = `Signature signature="${vector.signature}", headers="(created) (expires) digest", expires="1641291475", created="1641287875", algorithm="ed25519", keyId="buyer.lendloom.example|k-1|ed25519"`
  for (const text of [header, reordered])
    assert.ok(verifySignature(Buffer.from(vector.body), vector.publicKey, { ...arrival, header: text }).ok)
  assert.deepEqual(claimedKeyOf(reordered), owner)
})

test('FIS12 §5: the scheme is in any case, times have quotes or none, and the algorithm is that of the key', () => {
  const variants = [
    header.replace('Signature', 'signature'),
    header.replace('created="1641287875"', 'created=1641287875').replace('expires="1641291475"', 'expires=1641291475'),
    header.replace('algorithm="ed25519",', ''),
  ]
  const arrival = { at: secondsAfter(vector.at, 60), sender: owner.subscriberId }
  for (const text of variants)
    assert.ok(verifySignature(Buffer.from(vector.body), vector.publicKey, { ...arrival, header: text }).ok, text)
})

test('the cache of keys evicts unused keys above two megabytes', () => {
  const at = vector.at
  for (let i = 0; i < 1500; i++) {
    const publicKey = Buffer.alloc(32, `key ${i}`).toString('base64')
    assert.equal(faultOf(verifySignature('', publicKey, { at, header })), 'bad-signature')
  }
  const bytes = cacheBytes().get('network-keys')!
  assert.ok(bytes > 1 << 20 && bytes <= 2 << 20, `${bytes} bytes`)
})

test('FIS12 §5 step 1: a missing header is reported as absent, and an unreadable header as malformed', () => {
  assert.equal(faultOf(readSignature(undefined)), 'absent')
  const malformed = [
    'Bearer abc',
    'Signature ',
    'Signature keyId="a|b|ed25519"',
    header.replace('keyId="buyer', 'keyId=buyer').replace('ed25519",', 'ed25519,'),
    header.replace('created="1641287875"', 'created=-1'),
    `${header},created=1641287876`,
    header.replace('algorithm=', 'algorithms='),
    header.replace('created="1641287875"', 'created="soon"'),
    header.replace('|k-1|', '|'),
    header.replace('|k-1|', '||'),
    `${header},nonce="1"`,
    header.replace('algorithm="ed25519"', 'created="1641287875"'),
  ]
  for (const text of malformed) assert.equal(faultOf(readSignature(text)), 'malformed', text)
  assert.equal(claimedKeyOf('Signature nothing'), null)
})

test('FIS12 §5 step 2: another algorithm or list of signed headers is rejected', () => {
  for (const text of [header.replace('algorithm="ed25519"', 'algorithm="hs256"'), header.replace('|ed25519"', '|rsa"')])
    assert.equal(faultOf(readSignature(text)), 'wrong-algorithm', text)
  for (const list of ['(created) digest', 'digest (created) (expires)', '(created) (expires) digest host', ''])
    assert.equal(
      faultOf(readSignature(header.replace('(created) (expires) digest', list))),
      'wrong-headers',
      `headers="${list}"`,
    )
})

test('FIS12 §5 step 2: spaces in the list of signed headers are ignored', () => {
  for (const list of [' (created)(expires)digest', '(created)(expires)digest', '(created)  (expires)\tdigest ']) {
    const text = header.replace('(created) (expires) digest', list)
    const arrival = { header: text, at: vector.at, sender: owner.subscriberId }
    assert.equal(faultOf(verifySignature(vector.body, vector.publicKey, arrival)), 'none', `headers="${list}"`)
  }
})

test('FIS12 §5 step 3: created and expires are checked with the allowed clock skew, by default a minute', () => {
  const at = (seconds: number) => faultOf(checkClaim({ header, at: secondsAfter(vector.at, seconds) }))
  assert.deepEqual([-61, -60, 0, 3660, 3661].map(at), ['not-yet-valid', 'none', 'none', 'none', 'expired'])
  const faultWithoutSkew = (seconds: number) =>
    faultOf(checkClaim({ header, at: secondsAfter(vector.at, seconds), skewSeconds: 0 }))
  assert.deepEqual([-1, 0, 3600, 3601].map(faultWithoutSkew), ['not-yet-valid', 'none', 'none', 'expired'])
  const reversed = signatureHeader(vector.body, { ...signer, at: vector.at, lifeSeconds: 0 })
  assert.equal(faultOf(checkClaim({ header: reversed, at: vector.at })), 'expired')
})

test('FIS12 §5 step 3: a signature is valid for at most a day', () => {
  const faultWithLife = (lifeSeconds: number) =>
    faultOf(
      checkClaim({ header: signatureHeader(vector.body, { ...signer, at: vector.at, lifeSeconds }), at: vector.at }),
    )
  assert.deepEqual([86_400, 86_401].map(faultWithLife), ['none', 'valid-too-long'])
})

test('FIS12 §5 step 4: the signer must be the party of the context', () => {
  const claim = checkClaim({ header, at: vector.at, sender: 'lender.example' })
  assert.equal(faultOf(claim), 'wrong-sender')
})

test('FIS12 §5 step 6: a changed body, key or signature is rejected', () => {
  const at = vector.at
  const other = signingKeysFrom(Buffer.alloc(32, 7))
  const check = (body: string, key: string, text: string) => faultOf(verifySignature(body, key, { header: text, at }))
  assert.equal(check(`${vector.body} `, vector.publicKey, header), 'bad-signature')
  assert.equal(check(vector.body, other.publicKey, header), 'bad-signature')
  assert.equal(check(vector.body, vector.publicKey, header.replace('signature="c', 'signature="d')), 'bad-signature')
  assert.equal(check(vector.body, vector.publicKey, header.replace(vector.signature, 'AAAA')), 'bad-signature')
  assert.equal(
    check(vector.body, vector.publicKey, header.replace('created="1641287875"', 'created="1641287874"')),
    'bad-signature',
  )
})

test('FIS12 §5: a signature is invalid after one bit of the text is flipped', () => {
  const seed = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(seed, fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (random, text, position) => {
      const keys = signingKeysFrom(random)
      const body = Buffer.from(text)
      const signed = signatureHeader(body, { ...owner, privateKey: keys.privateKey, at: vector.at })
      assert.ok(verifySignature(body, keys.publicKey, { header: signed, at: vector.at }).ok)
      body[position % body.length]! ^= 1
      assert.ok(!verifySignature(body, keys.publicKey, { header: signed, at: vector.at }).ok)
    }),
    { numRuns: roundsOf(50) },
  )
})

test('FIS12 §5, Keys: only the 64-byte key and its 32-byte seed are accepted, as the same key', () => {
  const seed = Buffer.from(vector.privateKey, 'base64').subarray(0, 32)
  assert.deepEqual(signingKeysFrom(seed), { privateKey: vector.privateKey, publicKey: vector.publicKey })
  const fromSeed = createPublicKey(signingKey(seed.toString('base64'))).export({ format: 'jwk' })
  assert.deepEqual(verificationKey(vector.publicKey).export({ format: 'jwk' }), fromSeed)
  assert.throws(() => signingKey('AAAA'), /32 or 64 bytes/)
  assert.throws(() => verificationKey(vector.privateKey), /32 bytes/)
})

test('FIS12 §6.1: a signing key is read as its 32 bytes and as their SPKI; another text stays as it is', () => {
  const spki = verificationKey(vector.publicKey).export({ format: 'der', type: 'spki' }).toString('base64')
  assert.match(spki, /^MCowBQYDK2VwAyEA/)
  const otherKind = spki.replace('K2Vw', 'K2Vu')
  assert.deepEqual([spki, vector.publicKey, otherKind, 'soon'].map(rawVerificationKey), [
    vector.publicKey,
    vector.publicKey,
    otherKind,
    'soon',
  ])
})

// The seal: opens only unchanged values, with their key and context; and digests.

import assert from 'node:assert/strict'
import { createCipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { DamagedValue, derivationOf, keyIdIn, newSealKey, sealWith } from './seal.ts'
import { sealedColumn } from './sealed-column.ts'

const key1 = newSealKey('k1')
const key2 = newSealKey('k2')
const seal = sealWith(key1)

test('property: a sealed value opens to the same bytes, and is different each time', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (plain, context) => {
      const sealed = seal.bytes(plain, context)
      assert.deepEqual(seal.open(sealed, context), Buffer.from(plain))
      assert.notDeepEqual(seal.bytes(plain, context), sealed)
    }),
  )
})

test('property: seals and opens JSON unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(seal.openJson(seal.json(value, 'x'), 'x'), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('a sealed value does not open with another context', () => {
  const sealed = seal.json({ pan: 'ABCPE1234F' }, 'person:t1:j1')
  for (const otherContext of ['person:t1:j2', 'person:t2:j1', 'person:t1:j1 ', ''])
    assert.throws(() => seal.open(sealed, otherContext))
})

test('property: a sealed value with a changed bit or missing bytes does not open', () => {
  const sealed = seal.bytes(Buffer.from('some text'), 'here')
  const bit = fc.nat(sealed.length * 8 - 1)
  fc.assert(
    fc.property(bit, (at) => {
      const changed = Buffer.from(sealed)
      changed[at >> 3]! ^= 1 << (at & 7)
      assert.throws(() => seal.open(changed, 'here'))
    }),
    { numRuns: roundsOf(400) },
  )
  for (let length = 0; length < sealed.length; length++)
    assert.throws(() => seal.open(sealed.subarray(0, length), 'here'), `cut to ${length}`)
})

test('the error of a value that does not open names its column and row', () => {
  const columns = [
    sealedColumn('profile.profile_sealed', 'tenant_id journey_id', 'profile:{tenant_id}:{journey_id}'),
    sealedColumn('case_lead.lead_sealed', 'case_ref', 'case_lead {case_ref}'),
    sealedColumn('job.payload.answers', 'tenant_id job_id', 'network_form:{tenant_id}:{payload.formKey}'),
    sealedColumn('pledge.offered_sealed', 'conversation_id', 'pledge/{conversation_id}'),
    sealedColumn('pledge.chosen_sealed', 'conversation_id', 'pledge/{conversation_id}'),
  ]
  const sealOfColumns = sealWith(key1, '', columns)
  for (const [context, column] of [
    ['profile:t:j', 'profile.profile_sealed'],
    ['case_lead CASE-1', 'case_lead.lead_sealed'],
    ['network_form:t:k', 'job.payload.answers'],
    ['pledge/c', 'pledge.offered_sealed or pledge.chosen_sealed'],
    ['profile_sealed', 'an unknown column'],
  ] as const) {
    const sealed = sealOfColumns.bytes(Buffer.from('x'), context)
    sealed[sealed.length - 1]! ^= 1
    assert.throws(
      () => sealOfColumns.open(sealed, context),
      (error) => {
        assert.ok(error instanceof DamagedValue)
        assert.equal(error.place, column)
        assert.equal(error.context, context)
        assert.ok(error.message.includes(column) && error.message.includes('fails its authentication'))
        return true
      },
    )
  }
})

test('an empty value cannot be forged by cutting the tag short', () => {
  const sealed = seal.bytes(Buffer.alloc(0), 'here')
  for (const cut of [1, 3, 4, 8, 12]) assert.throws(() => seal.open(sealed.subarray(0, sealed.length - cut), 'here'))
})

test('D1 §6.6: the first key seals, and values of older keys still open', () => {
  const oldValue = seal.bytes(Buffer.from('old'), 'x')
  const rotated = sealWith(`${key2},${key1}`)
  assert.equal(rotated.open(oldValue, 'x').toString(), 'old')
  const newValue = rotated.bytes(Buffer.from('new'), 'x')
  assert.throws(() => seal.open(newValue, 'x'), /under key "k2", which LENDLOOM_KEYS does not hold/)
  assert.equal(sealWith(key2).open(newValue, 'x').toString(), 'new')
  assert.throws(() => sealWith(key2).open(oldValue, 'x'), /under key "k1"/)
})

test('D1 §6.6: digests stay the same after a rotation and differ under another key', () => {
  const digest = seal.digest('9800000001', 'mobile')
  assert.equal(digest.length, 32)
  assert.deepEqual(sealWith(key1).digest('9800000001', 'mobile'), digest)
  assert.deepEqual(sealWith(`${key2},${key1}`).digest('9800000001', 'mobile'), digest)
  assert.notDeepEqual(sealWith(key2).digest('9800000001', 'mobile'), digest)
})

test('D1 §6.6: a key marked `open` is used neither for sealing nor for digests', () => {
  const prepared = sealWith(`${key1},${key2}:open`)
  assert.equal(prepared.open(sealWith(`${key2},${key1}:open`).bytes(Buffer.from('new'), 'x'), 'x').toString(), 'new')
  assert.equal(seal.open(prepared.bytes(Buffer.from('old'), 'x'), 'x').toString(), 'old')
  assert.deepEqual(prepared.digest('9800000001', 'mobile'), seal.digest('9800000001', 'mobile'))
  assert.throws(() => sealWith(`${key1}:open`), /must hold a key that seals/)
})

test('D1 §6.6: a separate digest key keeps digests when its sealing key is removed', () => {
  assert.deepEqual(sealWith(key2, key1).digest('9800000001', 'mobile'), seal.digest('9800000001', 'mobile'))
  assert.throws(() => sealWith(key2, key1).open(seal.bytes(Buffer.from('old'), 'x'), 'x'), /under key "k1"/)
  for (const wrong of ['k1', `${key1}:open`, key1.slice(6)])
    assert.throws(
      () => sealWith(key2, wrong),
      (error: Error) => /LENDLOOM_DIGEST_KEY/.test(error.message) && !error.message.includes(key1.slice(3)),
    )
})

test('a digest is stable across versions, because look-ups of stored rows depend on it', () => {
  const fixed = sealWith(`k1:${Buffer.alloc(32, 7).toString('base64')}`)
  assert.equal(
    fixed.digest('9800000001', 'mobile').toString('hex'),
    '1cf5de883c7a4e8bcaf7553d8210719581cb22ff33e7f90ce9f98093059f8893',
  )
})

test('property: digests of different values or purposes differ', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      if (a !== b) assert.notDeepEqual(seal.digest(a, 'p'), seal.digest(b, 'p'))
      assert.notDeepEqual(seal.digest(a, 'p'), seal.digest(a, 'q'))
    }),
  )
})

test('rejects invalid keys without repeating them', () => {
  const short = `k1:${Buffer.alloc(16).toString('base64')}`
  for (const keys of [
    '',
    'k1',
    'k1:',
    short,
    `${key1},`,
    `K1:${key1.slice(3)}`,
    key1.replace(':', ';'),
    `${key1},${key1}`,
  ])
    assert.throws(
      () => sealWith(keys),
      (error: Error) => /LENDLOOM_KEYS/.test(error.message) && !error.message.includes(key1.slice(3)),
    )
})

test('throws on bytes that are not a sealed value', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), Buffer.alloc(100), Buffer.of(1), Buffer.of(1, 200)])
    assert.throws(() => seal.open(bytes, 'x'))
})

test('XAES-256-GCM: a derived key seals the published vectors', () => {
  // From the specification at c2sp.org/XAES-256-GCM, without and with additional data.
  const nonce = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWX')
  for (const [byte, aad, ciphertext] of [
    [1, '', 'ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271'],
    [3, 'c2sp.org/XAES-256-GCM', '986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d'],
  ] as const) {
    const { key, iv } = derivationOf(createSecretKey(Buffer.alloc(32, byte)))(nonce)
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(aad))
    const body = Buffer.concat([cipher.update('XAES-256-GCM'), cipher.final()])
    assert.equal(Buffer.concat([body, cipher.getAuthTag()]).toString('hex'), ciphertext)
  }
})

test('a large value is compressed, and a changed format byte is refused', () => {
  const plain = Buffer.from(
    JSON.stringify({ rows: Array.from({ length: 200 }, (_, i) => ({ number: i, status: 'NOT-PAID' })) }),
  )
  const sealed = seal.bytes(plain, 'x')
  assert.ok(sealed.length < plain.length / 3, `${sealed.length} of ${plain.length}`)
  assert.deepEqual(seal.open(sealed, 'x'), plain)
  for (const format of [0, 1, 2, 3, 5, 6, 255]) {
    const changed = Buffer.from(sealed)
    changed[0] = format
    assert.throws(() => seal.open(changed, 'x'), DamagedValue)
  }
})

test('a value is compressed with the names of the dictionary; a small or random one is not compressed', () => {
  const plain = JSON.stringify({
    tenant_id: '1',
    application_id: '2',
    borrower: { id: '3', provider_id: '4', profile: {} },
  })
  const padded = plain.padEnd(350)
  assert.ok(seal.bytes(Buffer.from(padded), 'x').length < 110)
  const bytes = Buffer.from(padded)
  for (const context of ['x', 'y']) assert.equal(seal.open(seal.bytes(bytes, context), context).toString(), padded)
  for (const whole of [Buffer.alloc(349), randomBytes(4096)]) {
    const sealed = seal.bytes(whole, 'x')
    assert.equal(sealed[0], 2)
    assert.equal(sealed.length, whole.length + 44)
    assert.deepEqual(seal.open(sealed, 'x'), whole)
  }
})

test('values of each compressed format open in every version, because they are stored', () => {
  const fixed = sealWith(`k1:v2:${Buffer.alloc(32, 7).toString('base64')}`)
  const stored = {
    3: 'AwJrMVqbiZlNWG6XJh0ihzoC8ln8XEqcojqSLVFdUdsbq48zXUtgl/ca8CwfJfwbL9qMFovWhu/J7nBzAD5Ngh6Syi6SZOBhnmzQSN/+AG+eNXybzBnc7cqXr9zP12mRtfcsTSwgVj57H9IVZClIq+6vdG9lDxcnCSAIPA1+kWR6p3GLAf8bWz8x8V6GhrpfTNqJYhQY',
    4: 'BAJrMT8s4GUnWQvbXPAkLM4fK5hcAAEP2OBRpchRRbphpA6bT2D2/N+Tlg7f4i1eZCyD9lL0oSY2tHFfxg1VO/dlGGK1pwYH',
    5: 'BQJrMdyG+uWCto0iNEFLUXRlXJtpHdr3yzrF42o71qpyTZ9yCPrX/swyvzBZ3f7RzgsbISFwjcqMyh5T9opgmx3wRvHDWbQr6sw12sbnG6HLtElFFdfdUT0LrfS8QQ==',
  }
  for (const [format, text] of Object.entries(stored)) {
    const sealed = Buffer.from(text, 'base64')
    assert.equal(sealed[0], Number(format))
    assert.equal(fixed.isCurrent(sealed), true)
    assert.equal(keyIdIn(sealed), 'k1')
  }
  assert.deepEqual(fixed.openJson(Buffer.from(stored[3], 'base64'), 'x'), {
    context: { domain: 'ONDC:FIS12', action: 'on_search' },
    list: Array.from({ length: 100 }, (_, i) => i % 10),
  })
  const personal = { panName: null, dob: null, gender: null, personalemail: null }
  assert.deepEqual(fixed.openJson(Buffer.from(stored[4], 'base64'), 'x'), {
    tenant_id: 't',
    application_id: 'a',
    borrower: { id: 'b', provider_id: 'p', profile: { personal } },
  })
  const list = Array.from({ length: 100 }, (_, i) => i % 10)
  assert.deepEqual(fixed.openJson(Buffer.from(stored[5], 'base64'), 'x'), {
    tenant_id: 't',
    application_id: 'a',
    borrower: { id: 'b', provider_id: 'p', profile: { personal, list } },
  })
})

test('the dictionaries are those that stored values need', () => {
  const digests = {
    'dictionary-1.txt': '12eea5db8519ea47b098d3e5f340f4bc5c4c1b03b1d0d2425f52b7e35063b066',
    'dictionary-2.txt': 'c6d4ad7381b952609c9419cc9501b98caebaff8ebba0a937455e13a63afbd8bd',
  }
  for (const [name, expected] of Object.entries(digests)) {
    const text = readFileSync(new URL(name, import.meta.url))
    assert.equal(createHash('sha256').update(text).digest('hex'), expected)
  }
})

test('a key of version 0.1.0 opens and seals as before, and a value of it is current under it alone', () => {
  const old = key1.replace(':v2', '')
  const sealed = sealWith(old).bytes(Buffer.from('a'.repeat(5000)), 'x')
  assert.equal(sealed[0], 1)
  assert.equal(seal.open(sealed, 'x').length, 5000)
  assert.equal(sealWith(old).isCurrent(sealed), true)
  assert.equal(seal.isCurrent(sealed), false)
  assert.deepEqual(sealWith(old).digest('1', 'x'), seal.digest('1', 'x'))
  assert.equal(seal.isCurrent(seal.bytes(Buffer.alloc(9000), 'x')), true)
  assert.equal(keyIdIn(sealed), 'k1')
})

// The seal: opens only in its own place, under its own key, untouched; digests meet only for equal values.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sealedColumn } from '#kit/crypto/sealed-column.ts'
import { DamagedValue, newSealKey, sealWith } from './seal.ts'

const [one, two] = [newSealKey('k1'), newSealKey('k2')]
const seal = sealWith(one)

test('property: what is sealed opens to the same bytes, and never looks the same twice', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (plain, context) => {
      const sealed = seal.bytes(plain, context)
      assert.deepEqual(seal.open(sealed, context), Buffer.from(plain))
      assert.notDeepEqual(seal.bytes(plain, context), sealed)
    }),
  )
})

test('property: JSON comes back as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(seal.openJson(seal.json(value, 'x'), 'x'), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('a sealed value that was moved to another place does not open', () => {
  const sealed = seal.json({ pan: 'ABCPE1234F' }, 'person:t1:j1')
  for (const place of ['person:t1:j2', 'person:t2:j1', 'person:t1:j1 ', ''])
    assert.throws(() => seal.open(sealed, place))
})

test('property: a sealed value of which any bit was changed, or that was cut anywhere, does not open', () => {
  const sealed = seal.bytes(Buffer.from('some text'), 'here')
  const bit = fc.nat(sealed.length * 8 - 1)
  fc.assert(
    fc.property(bit, (at) => {
      const changed = Buffer.from(sealed)
      changed[at >> 3]! ^= 1 << (at & 7)
      assert.throws(() => seal.open(changed, 'here'))
    }),
    { numRuns: 400 },
  )
  for (let length = 0; length < sealed.length; length++)
    assert.throws(() => seal.open(sealed.subarray(0, length), 'here'), `cut to ${length}`)
})

test('a value that does not open is named by its table, column and row', () => {
  const columns = [
    sealedColumn('profile.profile_sealed', 'tenant_id journey_id', 'profile:{tenant_id}:{journey_id}'),
    sealedColumn('case_lead.lead_sealed', 'case_ref', 'case_lead {case_ref}'),
    sealedColumn('job.payload.answers', 'tenant_id job_id', 'network_form:{tenant_id}:{payload.formKey}'),
    sealedColumn('pledge.offered_sealed', 'conversation_id', 'pledge/{conversation_id}'),
    sealedColumn('pledge.chosen_sealed', 'conversation_id', 'pledge/{conversation_id}'),
  ]
  const named = sealWith(one, '', columns)
  for (const [context, place] of [
    ['profile:t:j', 'profile.profile_sealed'],
    ['case_lead CASE-1', 'case_lead.lead_sealed'],
    ['network_form:t:k', 'job.payload.answers'],
    ['pledge/c', 'pledge.offered_sealed or pledge.chosen_sealed'],
    ['profile_sealed', 'an unknown column'],
  ] as const) {
    const sealed = named.bytes(Buffer.from('x'), context)
    sealed[sealed.length - 1]! ^= 1
    assert.throws(
      () => named.open(sealed, context),
      (error) => {
        assert.ok(error instanceof DamagedValue)
        assert.deepEqual([error.place, error.context], [place, context])
        assert.ok(error.message.includes(place) && error.message.includes('fails its authentication'))
        return true
      },
    )
  }
})

test('an empty value cannot be forged by cutting the tag short', () => {
  const sealed = seal.bytes(Buffer.alloc(0), 'here')
  for (const cut of [1, 3, 4, 8, 12]) assert.throws(() => seal.open(sealed.subarray(0, sealed.length - cut), 'here'))
})

test('D1 §6.6: keys are rotated by putting the new one first; what the old one sealed still opens', () => {
  const old = seal.bytes(Buffer.from('old'), 'x')
  const rotated = sealWith(`${two},${one}`)
  assert.equal(rotated.open(old, 'x').toString(), 'old')
  const fresh = rotated.bytes(Buffer.from('new'), 'x')
  assert.throws(() => seal.open(fresh, 'x'), /under key "k2", which LENDLOOM_KEYS does not hold/)
  assert.equal(sealWith(two).open(fresh, 'x').toString(), 'new')
  assert.throws(() => sealWith(two).open(old, 'x'), /under key "k1"/)
})

test('D1 §6.6: digests are the same after a rotation, in every process, and nowhere without the key', () => {
  const digest = seal.digest('9800000001', 'mobile')
  assert.equal(digest.length, 32)
  assert.deepEqual(sealWith(one).digest('9800000001', 'mobile'), digest)
  assert.deepEqual(sealWith(`${two},${one}`).digest('9800000001', 'mobile'), digest)
  assert.notDeepEqual(sealWith(two).digest('9800000001', 'mobile'), digest)
})

test('D1 §6.6: a key that only opens seals nothing and is in no digest, so every process can have it first', () => {
  const prepared = sealWith(`${one},${two}:open`)
  assert.equal(prepared.open(sealWith(`${two},${one}:open`).bytes(Buffer.from('new'), 'x'), 'x').toString(), 'new')
  assert.equal(seal.open(prepared.bytes(Buffer.from('old'), 'x'), 'x').toString(), 'old')
  assert.deepEqual(prepared.digest('9800000001', 'mobile'), seal.digest('9800000001', 'mobile'))
  assert.throws(() => sealWith(`${one}:open`), /must hold a key that seals/)
})

test('D1 §6.6: the digest key is a setting of its own, and stays when the key that it was is gone', () => {
  assert.deepEqual(sealWith(two, one).digest('9800000001', 'mobile'), seal.digest('9800000001', 'mobile'))
  assert.throws(() => sealWith(two, one).open(seal.bytes(Buffer.from('old'), 'x'), 'x'), /under key "k1"/)
  for (const wrong of ['k1', `${one}:open`, one.slice(3)])
    assert.throws(
      () => sealWith(two, wrong),
      (error: Error) => /LENDLOOM_DIGEST_KEY/.test(error.message) && !error.message.includes(one.slice(3)),
    )
})

test('a digest stays what it is from version to version: look-ups of stored rows depend on it', () => {
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

test('keys that are none are refused at start, without being repeated', () => {
  const short = `k1:${Buffer.alloc(16).toString('base64')}`
  for (const keys of ['', 'k1', 'k1:', short, `${one},`, `K1:${one.slice(3)}`, one.replace(':', ';'), `${one},${one}`])
    assert.throws(
      () => sealWith(keys),
      (error: Error) => /LENDLOOM_KEYS/.test(error.message) && !error.message.includes(one.slice(3)),
    )
})

test('what is no sealed value at all is an error, not an answer', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), Buffer.alloc(100), Buffer.of(1), Buffer.of(1, 200)])
    assert.throws(() => seal.open(bytes, 'x'))
})

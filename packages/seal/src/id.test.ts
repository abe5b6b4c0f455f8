// Identifiers: order in time, form, buckets, and base62.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUuid } from '@lendloom/foundation/uuid'
import fc from 'fast-check'
import {
  base62,
  bucketOf,
  bucketOfNames,
  buckets,
  formatUuid,
  fromBase62,
  randomDigits,
  uuidBytes,
  uuidv4,
  uuidv7,
} from './id.ts'

test('a UUID of version 7 is valid, contains its instant, and is unique', () => {
  const at = Date.UTC(2026, 10, 1)
  const id = uuidv7(at)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), at)
  assert.equal(new Set(Array.from({ length: 10_000 }, () => uuidv7(at))).size, 10_000)
})

test('property: UUIDs of version 7 sort by their instants', () => {
  const instant = fc.integer({ min: 0, max: 2 ** 45 })
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      if (a !== b) assert.equal(uuidv7(a) < uuidv7(b), a < b)
    }),
  )
})

test('property: UUIDs of version 7 for one instant sort by creation, also when interleaved with others', () => {
  const instants = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 200 })
  let startMs = Date.UTC(2026, 10, 1)
  fc.assert(
    fc.property(instants, (offsets) => {
      startMs += 10
      const idsByOffset = Map.groupBy(
        offsets.map((offset) => ({ offset, id: uuidv7(startMs + offset) })),
        ({ offset }) => offset,
      )
      for (const ids of idsByOffset.values())
        assert.deepEqual(
          ids,
          ids.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        )
    }),
  )
})

test('isUuid accepts UUIDs of any version and nothing else', () => {
  for (const id of [uuidv4(), uuidv7(), uuidv4().toUpperCase()]) assert.ok(isUuid(id), id)
  const uuid = uuidv4()
  for (const text of ['', `${uuid} `, ` ${uuid}`, uuid.slice(1), uuid.replaceAll('-', ''), `{${uuid}}`, `${uuid}\n`])
    assert.ok(!isUuid(text), JSON.stringify(text))
  for (const text of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
    assert.ok(!isUuid(text), text)
})

test('property: converts a UUID to bytes and back', () => {
  fc.assert(fc.property(fc.uuid(), (id) => assert.equal(formatUuid(uuidBytes(id)), id)))
})

test('property: base62 is reversible and has a fixed length per number of bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const text = base62(bytes)
      assert.match(text, /^[0-9A-Za-z]*$/)
      assert.equal(text.length, base62(new Uint8Array(bytes.length)).length)
      assert.deepEqual(fromBase62(text, bytes.length), Buffer.from(bytes))
    }),
  )
})

test('property: base62 sorts like its bytes', () => {
  const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const order = Math.sign(Buffer.compare(a, b))
      assert.equal(base62(a) < base62(b) ? -1 : base62(a) > base62(b) ? 1 : 0, order)
    }),
  )
})

test('property: returns the requested number of random digits without bias', () => {
  const octets = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 80 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), octets, (count, firstOctets) => {
      const source = [...firstOctets, ...Array.from({ length: 300 }, (_, i) => i % 62)]
      const drawn: number[] = []
      const digits = randomDigits(count, (size) => {
        const bytes = source.splice(0, size)
        drawn.push(...bytes)
        return Uint8Array.from(bytes)
      })
      const unbiased = drawn.filter((byte) => byte < 248).map((byte) => base62(Uint8Array.of(byte % 62))[1])
      assert.equal(digits, unbiased.slice(0, count).join(''))
    }),
  )
  const counts = new Map<string, number>()
  const everyByte = randomDigits(248, () => Uint8Array.from({ length: 256 }, (_, i) => i))
  for (const digit of everyByte) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  assert.equal(counts.size, 62)
  assert.deepEqual(new Set(counts.values()), new Set([4]))
})

test('encodes known values in base62', () => {
  assert.equal(base62(Uint8Array.of(0)), '00')
  assert.equal(base62(Uint8Array.of(61)), '0z')
  assert.equal(base62(Uint8Array.of(62)), '10')
  assert.equal(base62(new Uint8Array(16).fill(255)), '7n42DGM5Tflk9n8mt7Fhc7')
})

test('rejects base62 of another length, with other characters, or of too large a value', () => {
  assert.equal(fromBase62('000', 1), null)
  assert.equal(fromBase62('0', 1), null)
  assert.equal(fromBase62('0!', 1), null)
  assert.equal(fromBase62('zz', 1), null)
  assert.deepEqual(fromBase62('47', 1), Buffer.of(255))
  assert.equal(fromBase62('48', 1), null)
  assert.equal(fromBase62('zzzzzzzzzzzzzzzzzzzzzz', 16), null)
})

test('identifiers of one millisecond sort by creation', () => {
  for (const at of [1_795_000_000_000, 1_795_000_000_001, 1_795_000_000_000]) {
    const ids = Array.from({ length: 2000 }, () => uuidv7(at))
    const misplaced = ids.findIndex((id, i) => i > 0 && id <= ids[i - 1]!)
    assert.equal(misplaced, -1, `${ids[misplaced]} comes after ${ids[misplaced - 1]}`)
    assert.ok(ids.every((id) => isUuid(id) && id[14] === '7'))
  }
})

test('property: an id of either version contains its bucket, and ids of one bucket and instant sort by creation', () => {
  const bucket = fc.integer({ min: 0, max: buckets - 1 })
  const at = Date.UTC(2026, 10, 2)
  fc.assert(
    fc.property(fc.array(bucket, { maxLength: 50 }), fc.integer({ min: 0, max: 3 }), (expected, offset) => {
      const ids = expected.map((each) => uuidv7(at + offset, each))
      assert.deepEqual(ids.map(bucketOf), expected)
      assert.deepEqual(expected.map((each) => uuidv4(each)).map(bucketOf), expected)
      assert.ok([...ids, ...expected.map((each) => uuidv4(each))].every(isUuid))
      for (const group of Map.groupBy(ids, bucketOf).values()) assert.deepEqual(group, group.toSorted())
    }),
  )
  assert.equal(new Set(Array.from({ length: 8000 }, () => uuidv7(at, 7).slice(0, 23))).size, 8000)
})

test('bucketOfNames is stable and distributes evenly', () => {
  assert.equal(bucketOfNames('tenant', 'borrower-1'), bucketOfNames('tenant', 'borrower-1'))
  assert.notEqual(bucketOfNames('a', 'bc'), bucketOfNames('ab', 'c'))
  const counts = new Map<number, number>()
  for (let i = 0; i < 40_960; i++) {
    const part = Math.floor(bucketOfNames('tenant', `borrower-${i}`) / (buckets / 64))
    counts.set(part, (counts.get(part) ?? 0) + 1)
  }
  // 640 are expected in each of 64 parts; six standard deviations are 152.
  for (const count of counts.values()) assert.ok(Math.abs(count - 640) < 152, String(count))
})

// Caches are bounded in bytes and in time, and what they keep of the driver's memory is a copy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bytesOf, cache, cacheBytes, ownBytes, withOwnBytes } from './cache.ts'

const small = () => cache<string>({ name: 'test', mostBytes: 10_000, forMs: 1000 })

test('an entry counts for its time, also when the clock is set back, and is dropped afterwards', () => {
  const kept = small()
  kept.set('a', 'one', 5000)
  assert.equal(kept.get('a', 5999), 'one')
  assert.equal(kept.get('a', 6000), undefined)
  kept.set('b', 'two', 6000)
  assert.deepEqual([kept.size, [...kept.entries()]], [1, [['b', 'two']]])
  assert.equal(kept.get('b', 5000), undefined)
  assert.deepEqual([kept.size, kept.bytes], [0, 0])
})

test('beyond its bytes the oldest entries go; one that is larger than all of them is not kept', () => {
  const kept = small()
  for (let i = 0; i < 1000; i++) kept.set(`key ${i}`, 'x'.repeat(100), i / 10)
  assert.ok(kept.bytes <= 10_000 && kept.size > 20, `${kept.size} entries of ${kept.bytes} bytes`)
  assert.equal(kept.get('key 0', 100), undefined)
  assert.equal(kept.get('key 999', 100), 'x'.repeat(100))
  kept.set('huge', 'x'.repeat(5000), 100)
  assert.equal(kept.get('huge', 100), undefined)
  assert.equal(kept.get('key 999', 100), 'x'.repeat(100))
})

test('property: the bytes are those of the entries, and the total of a name is that of its caches', () => {
  const before = cacheBytes().get('test') ?? 0
  const acts = fc.array(fc.tuple(fc.nat(20), fc.nat(400), fc.boolean()), { maxLength: 80 })
  fc.assert(
    fc.property(acts, (steps) => {
      const kept = small()
      let at = 0
      for (const [key, n, isSet] of steps) {
        at += n
        if (isSet) kept.set(String(key), 'x'.repeat(n), at)
        else kept.delete(String(key))
        const sum = [...kept.entries()].reduce((all, [k, v]) => all + 150 + 2 * k.length + bytesOf(v), 0)
        assert.equal(kept.bytes, sum)
        assert.ok(kept.bytes <= 10_000)
      }
      kept.get('none', at + 1000)
      assert.equal(kept.bytes, 0)
    }),
  )
  assert.equal(cacheBytes().get('test'), before)
})

test('a kept Buffer has memory of its own', () => {
  const row = withOwnBytes({ digest: Buffer.from('00ff', 'hex'), name: 'x', at: new Date(0) })
  assert.deepEqual(row, { digest: Buffer.from([0, 255]), name: 'x', at: new Date(0) })
  assert.equal(row.digest.buffer.byteLength, 2)
  assert.equal(ownBytes(Buffer.from('abc')).buffer.byteLength, 3)
})

// Caches limit the size and the age of their entries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bytesOf, cache, cacheBytes, copyBuffers, copyBytes } from './cache.ts'

const newSmallCache = () => cache<string>({ name: 'test', maxBytes: 10_000, lifetimeMs: 1000 })

test('an entry expires after its lifetime, or when the clock is set back', () => {
  const store = newSmallCache()
  store.set('a', 'one', 5000)
  assert.equal(store.get('a', 5999), 'one')
  assert.equal(store.get('a', 6000), undefined)
  store.set('b', 'two', 6000)
  assert.equal(store.size, 1)
  assert.deepEqual([...store.entries()], [['b', 'two']])
  assert.equal(store.get('b', 5000), undefined)
  assert.equal(store.size, 0)
  assert.equal(store.bytes, 0)
})

test('a full cache evicts its oldest entries, and does not store an oversized entry', () => {
  const store = newSmallCache()
  for (let i = 0; i < 1000; i++) store.set(`key ${i}`, 'x'.repeat(100), i / 10)
  assert.ok(store.bytes <= 10_000 && store.size > 20, `${store.size} entries of ${store.bytes} bytes`)
  assert.equal(store.get('key 0', 100), undefined)
  assert.equal(store.get('key 999', 100), 'x'.repeat(100))
  store.set('huge', 'x'.repeat(5000), 100)
  assert.equal(store.get('huge', 100), undefined)
  assert.equal(store.get('key 999', 100), 'x'.repeat(100))
})

test('property: a cache counts the bytes of its entries, and removes them from the total when they expire', () => {
  const before = cacheBytes().get('test') ?? 0
  const operations = fc.array(fc.tuple(fc.nat(20), fc.nat(400), fc.boolean()), { maxLength: 80 })
  fc.assert(
    fc.property(operations, (steps) => {
      const store = newSmallCache()
      let at = 0
      for (const [key, n, isSet] of steps) {
        at += n
        if (isSet) store.set(String(key), 'x'.repeat(n), at)
        else store.delete(String(key))
        const sum = [...store.entries()].reduce((all, [k, v]) => all + 150 + 2 * k.length + bytesOf(v), 0)
        assert.equal(store.bytes, sum)
        assert.ok(store.bytes <= 10_000)
      }
      store.get('none', at + 1000)
      assert.equal(store.bytes, 0)
    }),
  )
  assert.equal(cacheBytes().get('test'), before)
})

test('copyBuffers and copyBytes copy bytes out of the shared memory of a Buffer', () => {
  const row = copyBuffers({ digest: Buffer.from('00ff', 'hex'), name: 'x', at: new Date(0) })
  assert.deepEqual(row, { digest: Buffer.from([0, 255]), name: 'x', at: new Date(0) })
  assert.equal(row.digest.buffer.byteLength, 2)
  assert.equal(copyBytes(Buffer.from('abc')).buffer.byteLength, 3)
})

// Look-ups of callers are cached for a few seconds, in a limited number of bytes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheBytes, lookupCache } from './cache.ts'

const db = {}
const at = (ms: number) => new Date(1_800_000_000_000 + ms)
const row = (name: string) => ({ name, digest: Buffer.from('ab'.repeat(32), 'hex') })
const cachedBytes = (name: string) => cacheBytes().get(name)!

test('the next look-up drops expired rows', async () => {
  const lookups = lookupCache<ReturnType<typeof row>>('test-expired')
  for (let i = 0; i < 1000; i++) await lookups.find(db, `key ${i}`, at(i), async () => row(`row ${i}`))
  const full = cachedBytes('test-expired')
  await lookups.find(db, 'key 0', at(6000), async () => row('new'))
  assert.ok(cachedBytes('test-expired') < full / 100, `${cachedBytes('test-expired')} of ${full} bytes`)
})

test('limits the bytes of cached rows', async () => {
  const lookups = lookupCache<ReturnType<typeof row>>('test-bytes')
  for (let i = 0; i < 3000; i++) await lookups.find(db, `key ${i}`, at(0), async () => row('x'.repeat(5000)))
  assert.ok(cachedBytes('test-bytes') <= 16 << 20, `${cachedBytes('test-bytes')} bytes`)
})

test("copies a cached digest, so that the driver's read buffer can be freed", async () => {
  const lookups = lookupCache<ReturnType<typeof row>>('test-own')
  const read = await lookups.find(db, 'key', at(0), async () => row('x'))
  assert.equal(read!.digest.buffer.byteLength, 32)
  const again = await lookups.find(db, 'key', at(1), async () => assert.fail('the row is cached'))
  assert.equal(again, read)
  lookups.forget(db, ({ name }) => name === 'x')
  assert.equal(await lookups.find(db, 'key', at(2), async () => undefined), undefined)
})

test('does not cache a row that was forgotten during its read', async () => {
  const lookups = lookupCache<{ name: string }>('test-forgotten-meanwhile')
  const db = {}
  const at = new Date()
  const read = Promise.withResolvers<{ name: string }>()
  const lookup = lookups.find(db, 'key', at, () => read.promise)
  lookups.forget(db, () => true)
  read.resolve({ name: 'valid before' })
  assert.deepEqual(await lookup, { name: 'valid before' })
  assert.equal(await lookups.find(db, 'key', at, async () => undefined), undefined)
})

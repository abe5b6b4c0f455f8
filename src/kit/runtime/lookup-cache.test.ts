// Callers that were looked up are remembered for seconds, in a bounded number of bytes that are their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheBytes, lookupCache } from './cache.ts'

const db = {}
const at = (ms: number) => new Date(1_800_000_000_000 + ms)
const row = (name: string) => ({ name, digest: Buffer.from('ab'.repeat(32), 'hex') })
const kept = (name: string) => cacheBytes().get(name)!

test('expired rows are dropped by the next look-up, not only when there are many', async () => {
  const believed = lookupCache<ReturnType<typeof row>>('test-expired')
  for (let i = 0; i < 1000; i++) await believed.find(db, `key ${i}`, at(i), async () => row(`row ${i}`))
  const full = kept('test-expired')
  await believed.find(db, 'key 0', at(6000), async () => row('new'))
  assert.ok(kept('test-expired') < full / 100, `${kept('test-expired')} of ${full} bytes`)
})

test('rows of many callers are bounded in bytes', async () => {
  const believed = lookupCache<ReturnType<typeof row>>('test-bytes')
  for (let i = 0; i < 3000; i++) await believed.find(db, `key ${i}`, at(0), async () => row('x'.repeat(5000)))
  assert.ok(kept('test-bytes') <= 16 << 20, `${kept('test-bytes')} bytes`)
})

test('a digest that is kept does not hold the chunk of the driver that it was read from', async () => {
  const believed = lookupCache<ReturnType<typeof row>>('test-own')
  const read = await believed.find(db, 'key', at(0), async () => row('x'))
  assert.equal(read!.digest.buffer.byteLength, 32)
  const again = await believed.find(db, 'key', at(1), async () => assert.fail('it is remembered'))
  assert.equal(again, read)
  believed.forget(db, ({ name }) => name === 'x')
  assert.equal(await believed.find(db, 'key', at(2), async () => undefined), undefined)
})

test('a row that was read before it was forgotten is not kept after it', async () => {
  const known = lookupCache<{ name: string }>('test-forgotten-meanwhile')
  const [db, at] = [{}, new Date()]
  const read = Promise.withResolvers<{ name: string }>()
  const looking = known.find(db, 'key', at, () => read.promise)
  known.forget(db, () => true)
  read.resolve({ name: 'valid before' })
  assert.deepEqual(await looking, { name: 'valid before' })
  assert.equal(await known.find(db, 'key', at, async () => undefined), undefined)
})

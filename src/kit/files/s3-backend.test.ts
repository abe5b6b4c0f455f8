// Files in a bucket, over HTTP to a service that checks signatures: kept once, read by frames, refused aloud.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { newSealKey, sealWith } from '#kit/crypto/seal.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { fakeS3 } from '#test/setup/s3.ts'
import { openStore } from './object-store.ts'
import { s3Backend } from './s3-backend.ts'

const MiB = 1 << 20
const directory = mkdtempSync(join(tmpdir(), 'lendloom-s3-'))
after(() => rmSync(directory, { recursive: true }))
const s3 = await fakeS3()
const seal = sealWith(newSealKey('k1'))
const store = await openStore(directory, seal, s3Backend(s3.bucket))
const drafts = (): string[] => readdirSync(join(directory, 'draft'))

const isAway = (error: unknown): boolean => error instanceof Refusal && error.kind === 'upstream'

async function keep(bytes: Buffer): Promise<string> {
  const draft = store.draft()
  await draft.append([Buffer.from(bytes)])
  const { sha256 } = await draft.finish()
  try {
    await draft.keep(sha256)
  } finally {
    await draft.drop()
  }
  return sha256
}

test('a file goes to the bucket sealed, comes back whole, and leaves nothing on the disk', async () => {
  for (const size of [0, 1000, MiB, 3 * MiB + 5]) {
    const bytes = Buffer.alloc(size, `file of ${size} `)
    const name = await keep(bytes)
    const object = s3.objects.get(`/files/object/${name}`)!
    assert.equal(object.includes('file of'), false)
    assert.ok((await buffer(await store.read(name))).equals(bytes), `${size}`)
  }
  assert.deepEqual(drafts(), [])
})

test('a file that is in the bucket already is not sent again', async () => {
  await keep(Buffer.from('once'))
  s3.requests.length = 0
  await keep(Buffer.from('once'))
  assert.deepEqual(
    s3.requests.map((line) => line.split(' ')[0]),
    ['HEAD'],
  )
})

test('a service that is away, fails or refuses the signature keeps nothing, and the draft is dropped', async () => {
  s3.fail = 503
  await assert.rejects(keep(Buffer.from('x')), isAway)
  s3.fail = undefined
  const otherParty = s3Backend({ ...s3.bucket, keys: { ...s3.bucket.keys, secretAccessKey: 'another' } })
  await assert.rejects(otherParty.has('a'.repeat(64)), /answered 403/)
  await assert.rejects(s3Backend({ ...s3.bucket, url: 'http://127.0.0.1:1/files' }).has('a'.repeat(64)), isAway)
  await assert.rejects(buffer(await store.read('b'.repeat(64))), /answered 404/)
  assert.deepEqual(drafts(), [])
})

test('a file that is changed on its way is refused by its digest, and not stored', async () => {
  s3.damage = true
  await assert.rejects(keep(Buffer.from('changed')), isAway)
  s3.damage = false
  const name = await keep(Buffer.from('changed'))
  assert.equal(String(await buffer(await store.read(name))), 'changed')
  assert.deepEqual(drafts(), [])
})

test('a large file goes in parts; where one of them is changed on its way, nothing of it stays', async () => {
  const bytes = Buffer.alloc(20 * MiB, 'a large file ')
  s3.requests.length = 0
  const name = await keep(bytes)
  const parts = s3.requests.filter((line) => line.startsWith('PUT'))
  assert.equal(parts.length, 3)
  assert.ok(parts.every((line) => /[?&]partNumber=[123]&/.test(line)))
  assert.ok((await buffer(await store.read(name))).equals(bytes))
  const before = s3.objects.size
  s3.damage = true
  await assert.rejects(keep(Buffer.alloc(20 * MiB, 'another one ')), isAway)
  s3.damage = false
  assert.deepEqual([s3.objects.size, s3.uploads.size], [before, 0])
  assert.deepEqual(drafts(), [])
})

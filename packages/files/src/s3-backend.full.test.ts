// Files in an S3 bucket, with a fake service that checks signatures.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { fakeS3 } from '@lendloom/tests/setup/s3'
import { openStore } from './object-store.ts'
import { s3Backend } from './s3-backend.ts'

const MiB = 1 << 20
const directory = mkdtempSync(join(tmpdir(), 'lendloom-s3-'))
after(() => rmSync(directory, { recursive: true }))
const s3 = await fakeS3()
const seal = sealWith(newSealKey('k1'))
const store = await openStore(directory, seal, s3Backend(s3.bucket))
const drafts = (): string[] => readdirSync(join(directory, 'draft'))

const isUnavailable = (error: unknown): boolean => error instanceof Refusal && error.kind === 'upstream'

async function storeFile(bytes: Buffer): Promise<string> {
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

test('stores a file only in the bucket, sealed, and reads it back', async () => {
  for (const size of [0, 1000, MiB, 3 * MiB + 5]) {
    const bytes = Buffer.alloc(size, `file of ${size} `)
    const name = await storeFile(bytes)
    const object = s3.objects.get(`/files/object/${name}`)!
    assert.equal(object.includes('file of'), false)
    assert.ok((await buffer(await store.read(name))).equals(bytes), `${size}`)
  }
  assert.deepEqual(drafts(), [])
})

test('does not send a stored file again', async () => {
  await storeFile(Buffer.from('once'))
  s3.requests.length = 0
  await storeFile(Buffer.from('once'))
  assert.deepEqual(
    s3.requests.map((line) => line.split(' ')[0]),
    ['HEAD'],
  )
})

test('drops the draft when the service is unavailable, fails or rejects the signature', async () => {
  s3.failureStatus = 503
  await assert.rejects(storeFile(Buffer.from('x')), isUnavailable)
  s3.failureStatus = undefined
  const wrongKey = s3Backend({ ...s3.bucket, keys: { ...s3.bucket.keys, secretAccessKey: 'another' } })
  await assert.rejects(wrongKey.has('a'.repeat(64)), /answered 403/)
  await assert.rejects(s3Backend({ ...s3.bucket, url: 'http://127.0.0.1:1/files' }).has('a'.repeat(64)), isUnavailable)
  await assert.rejects(buffer(await store.read('b'.repeat(64))), /answered 404/)
  assert.deepEqual(drafts(), [])
})

test('does not store a file that is damaged in transit', async () => {
  s3.damagesUploads = true
  await assert.rejects(storeFile(Buffer.from('changed')), isUnavailable)
  s3.damagesUploads = false
  const name = await storeFile(Buffer.from('changed'))
  assert.equal(String(await buffer(await store.read(name))), 'changed')
  assert.deepEqual(drafts(), [])
})

test('uploads a large file in parts, all of which it removes when one is damaged', async () => {
  const bytes = Buffer.alloc(20 * MiB, 'a large file ')
  s3.requests.length = 0
  const name = await storeFile(bytes)
  const parts = s3.requests.filter((line) => line.startsWith('PUT'))
  assert.equal(parts.length, 3)
  assert.ok(parts.every((line) => /[?&]partNumber=[123]&/.test(line)))
  assert.ok((await buffer(await store.read(name))).equals(bytes))
  const before = s3.objects.size
  s3.damagesUploads = true
  await assert.rejects(storeFile(Buffer.alloc(20 * MiB, 'another one ')), isUnavailable)
  s3.damagesUploads = false
  assert.equal(s3.objects.size, before)
  assert.equal(s3.uploads.size, 0)
  assert.deepEqual(drafts(), [])
})

// The file store on a real disk: files are sealed, and either complete or absent.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { newFileKey, openFrames, sealFrames } from '@lendloom/seal/seal-frames'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { openStore } from './object-store.ts'

const MiB = 1 << 20
const directory = mkdtempSync(join(tmpdir(), 'lendloom-store-'))
after(() => rmSync(directory, { recursive: true }))
const seal = sealWith(newSealKey('k1'))
const store = await openStore(directory, seal)
const nameOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const pathOf = (name: string): string => join(directory, 'object', name.slice(0, 2), name)
const drafts = (): string[] => readdirSync(join(directory, 'draft'))

async function storeFile(bytes: Buffer, pieceBytes = 65_536): Promise<string> {
  const draft = store.draft()
  for (let from = 0; from < bytes.length; from += pieceBytes * 3)
    await draft.append(
      [0, 1, 2].map((i) => Buffer.from(bytes.subarray(from + i * pieceBytes, from + (i + 1) * pieceBytes))),
    )
  assert.deepEqual(await draft.finish(), { sizeBytes: bytes.length, sha256: nameOf(bytes) })
  assert.ok((await buffer(draft.read())).equals(bytes), 'a draft')
  await draft.keep(nameOf(bytes))
  return nameOf(bytes)
}

test('D3 §4.3: reads back stored files of sizes around multiples of a frame', async () => {
  for (const size of [0, 1, 1000, MiB - 1, MiB, MiB + 1, 3 * MiB, 5 * MiB + 77]) {
    const bytes = Buffer.alloc(size, `file of ${size} `)
    assert.ok((await buffer(await store.read(await storeFile(bytes)))).equals(bytes), `${size}`)
  }
  assert.deepEqual(drafts(), [])
})

test('stores files sealed and readable by their owner only', async () => {
  const name = await storeFile(Buffer.alloc(2 * MiB, 'PAN ABCPS1234K '))
  assert.equal(readFileSync(pathOf(name)).includes('ABCPS'), false)
  assert.equal(statSync(pathOf(name)).mode & 0o077, 0)
  assert.equal(statSync(join(directory, 'object')).mode & 0o077, 0)
})

test('does not replace a stored file', async () => {
  const bytes = Buffer.alloc(MiB, 'twice')
  const name = await storeFile(bytes)
  const before = readFileSync(pathOf(name))
  await storeFile(bytes)
  assert.ok(readFileSync(pathOf(name)).equals(before))
  assert.deepEqual(drafts(), [])
})

test('reseals a file with another key while it is read', async () => {
  const before = newSealKey('k1')
  const after = newSealKey('k2')
  const folder = join(directory, 'resealed')
  const old = await openStore(folder, sealWith(before))
  const bytes = Buffer.alloc(3 * MiB + 5, 'moved ')
  const draft = old.draft()
  await draft.append([Buffer.from(bytes)])
  await draft.finish()
  await draft.keep(nameOf(bytes))
  const reading = await old.read(nameOf(bytes))
  const both = await openStore(folder, sealWith(`${after},${before}:open`))
  assert.equal(await both.reseal(nameOf(bytes)), true)
  assert.equal(await both.reseal(nameOf(bytes)), false)
  assert.ok((await buffer(reading)).equals(bytes), 'a running read continues')
  assert.ok((await buffer(await (await openStore(folder, sealWith(after))).read(nameOf(bytes)))).equals(bytes))
  assert.deepEqual(readdirSync(join(folder, 'draft')), [])
})

test('dropping a draft deletes it unless it is stored', async () => {
  const draft = store.draft()
  await draft.append([Buffer.alloc(MiB)])
  await draft.finish()
  assert.equal(drafts().length, 1)
  await draft.drop()
  await draft.drop()
  assert.deepEqual(drafts(), [])

  const storedDraft = store.draft()
  await storedDraft.append([Buffer.from('x')])
  const { sha256 } = await storedDraft.finish()
  await storedDraft.keep(sha256)
  await storedDraft.drop()
  assert.equal((await buffer(await store.read(sha256))).toString(), 'x')
})

test('deletes old drafts of killed processes', async () => {
  const old = join(directory, 'draft', 'old')
  const young = join(directory, 'draft', 'young')
  for (const path of [old, young]) writeFileSync(path, 'x')
  utimesSync(old, 1, 1)
  await openStore(directory, seal)
  assert.deepEqual(drafts(), ['young'])
  rmSync(young)
})

test('writes many concurrent files without mixing them up', async () => {
  const files = Array.from({ length: 40 }, (_, i) => Buffer.alloc(MiB + i, `file ${i} `))
  const names = await Promise.all(files.map((file) => storeFile(file)))
  for (const [i, name] of names.entries()) assert.ok((await buffer(await store.read(name))).equals(files[i]!))
})

test('after a failed write, append or finish rejects', async () => {
  const lost = join(directory, 'lost')
  const elsewhere = await openStore(lost, seal)
  rmSync(lost, { recursive: true })
  const draft = elsewhere.draft()
  await assert.rejects(async () => {
    await draft.append([Buffer.alloc(10)])
    await draft.finish()
  }, /ENOENT/)
  await assert.rejects(draft.append([Buffer.alloc(10)]), /ENOENT/)
  await draft.drop()
})

test('releases the memory of appended buffers that own it', async () => {
  const draft = store.draft()
  const own = Buffer.alloc(100_000, 'a')
  const shared = Buffer.alloc(100_000, 'b').subarray(1)
  await draft.append([own, shared])
  assert.equal(own.length, 0)
  assert.equal(shared.length, 99_999)
  assert.equal(shared[0], 'b'.charCodeAt(0))
  assert.equal((await draft.finish()).sizeBytes, 199_999)
  await draft.drop()
})

test('rejects a name that is not 64 hexadecimal digits', async () => {
  await assert.rejects(store.read('../draft/x'), /64 hexadecimal digits/)
  await assert.rejects(store.read('a'.repeat(64)), /ENOENT/)
})

test('does not store a draft whose file was deleted from the disk', async () => {
  const draft = store.draft()
  await draft.append([Buffer.from('lost')])
  const { sha256 } = await draft.finish()
  rmSync(join(directory, 'draft', drafts()[0]!))
  await assert.rejects(draft.keep(sha256), /ENOENT/)
  await draft.drop()
})

const context = 'test'
const sealFile = (plain: Buffer): Buffer => {
  const { key, header } = newFileKey(seal, context)
  const sealing = sealFrames(key)
  return Buffer.concat([header, ...sealing.push(plain), ...sealing.end()])
}
async function openSealed(bytes: Buffer, from = seal, as = context): Promise<Buffer> {
  let rest = bytes
  async function read(count: number): Promise<Buffer> {
    const chunk = rest.subarray(0, count)
    rest = rest.subarray(count)
    return chunk
  }
  return buffer(Readable.from(openFrames(from, as, read)))
}

test('sealed frames do not open when one is changed, missing, repeated or swapped', async () => {
  const plain = Buffer.alloc(2 * MiB + 10, 'frame')
  const whole = sealFile(plain)
  assert.ok((await openSealed(whole)).equals(plain))
  const head = whole.length - plain.length - 4 * 16
  const frame = MiB + 16
  const [first, second, third] = [head, head + frame, head + 2 * frame].map((at) => whole.subarray(at, at + frame))
  const start = whole.subarray(0, head)
  const wrong: Record<string, Buffer> = {
    swapped: Buffer.concat([start, second!, first!, third!]),
    'without its last frame': Buffer.concat([start, first!, second!]),
    'without its first frame': Buffer.concat([start, second!, third!]),
    'with a frame twice': Buffer.concat([start, first!, second!, third!, third!]),
    'without frames': start,
    'of another kind': Buffer.from('%PDF-1.7 and so on'),
  }
  for (const [how, bytes] of Object.entries(wrong)) await assert.rejects(openSealed(bytes), Error, how)
  await assert.rejects(openSealed(whole, seal, 'elsewhere'))
  await assert.rejects(openSealed(whole, sealWith(newSealKey('k1'))))
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const changed = Buffer.from(whole)
      changed[at]! ^= by
      await assert.rejects(openSealed(changed))
    }),
    { numRuns: roundsOf(60) },
  )
})

// A stream whose digest is checked while it passes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { checkedBytes } from './checked-bytes.ts'

const pieces = ['one ', 'two ', 'three'].map((text) => Buffer.from(text))
const whole = Buffer.concat(pieces)
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('passes the bytes on unchanged, in any number of chunks', async () => {
  for (const parts of [pieces, [whole], [] as Buffer[]]) {
    const all = Buffer.concat(parts)
    assert.deepEqual(await buffer(checkedBytes(Readable.from(parts), digestOf(all))), all)
  }
})

test('withholds the last chunk of a file whose digest differs', async () => {
  for (const parts of [pieces, [whole]]) {
    const chunks: Buffer[] = []
    const read = async () => {
      for await (const piece of checkedBytes(Readable.from(parts), digestOf(Buffer.from('another file'))))
        chunks.push(piece)
    }
    await assert.rejects(read(), /digest differs/)
    assert.ok(Buffer.concat(chunks).length < whole.length)
  }
})

test('fails when the source fails', async () => {
  async function* broken() {
    yield pieces[0]
    throw new Error('the connection broke')
  }
  await assert.rejects(buffer(checkedBytes(Readable.from(broken()), digestOf(whole))), /the connection broke/)
})

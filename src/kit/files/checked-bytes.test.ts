// A file that is passed on: whole and the same, or not to its end.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { checkedBytes } from './checked-bytes.ts'

const pieces = ['one ', 'two ', 'three'].map((text) => Buffer.from(text))
const whole = Buffer.concat(pieces)
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('the bytes come as they were, in one piece or several, or none at all', async () => {
  for (const parts of [pieces, [whole], [] as Buffer[]]) {
    const all = Buffer.concat(parts)
    assert.deepEqual(await buffer(checkedBytes(Readable.from(parts), digestOf(all))), all)
  }
})

test('of another file the last piece is never given', async () => {
  for (const parts of [pieces, [whole]]) {
    const given: Buffer[] = []
    const read = async () => {
      for await (const piece of checkedBytes(Readable.from(parts), digestOf(Buffer.from('else')))) given.push(piece)
    }
    await assert.rejects(read(), /another file/)
    assert.ok(Buffer.concat(given).length < whole.length)
  }
})

test('what fails on its way fails here', async () => {
  async function* broken() {
    yield pieces[0]
    throw new Error('the line broke')
  }
  await assert.rejects(buffer(checkedBytes(Readable.from(broken()), digestOf(whole))), /the line broke/)
})

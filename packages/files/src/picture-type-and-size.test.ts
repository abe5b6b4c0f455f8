// The type and size of a small picture, by its bytes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pictureIn } from './picture-type-and-size.ts'

/** A WebP file of one chunk, which begins with the bytes `start`. */
function webp(kind: string, start: number[]): Buffer {
  const chunk = Buffer.alloc(18)
  Buffer.from(start).copy(chunk)
  const head = Buffer.from(`RIFF____WEBP${kind}____`, 'latin1')
  head.writeUInt32LE(12 + chunk.length, 4)
  head.writeUInt32LE(chunk.length, 16)
  return Buffer.concat([head, chunk])
}

test('reads the size of all three kinds of WebP file', () => {
  const size = (bytes: Buffer) => {
    const { type, width, height } = pictureIn(bytes)
    assert.equal(type, 'image/webp')
    return { width, height }
  }
  assert.deepEqual(size(webp('VP8X', [0, 0, 0, 0, 99, 0, 0, 49, 0, 0])), { width: 100, height: 50 })
  assert.deepEqual(size(webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 100, 0, 50, 0])), { width: 100, height: 50 })
  assert.deepEqual(size(webp('VP8L', [0x2f, 99, 0x40, 12, 0])), { width: 100, height: 50 })
  assert.throws(() => pictureIn(webp('ABCD', [])), /has no picture in it/)
  assert.throws(() => pictureIn(webp('VP8X', []).subarray(0, 24)), /ends before its picture/)
  const hugeSide = [0xff, 0xff, 0xff]
  assert.throws(
    () => pictureIn(webp('VP8X', [0, 0, 0, 0].concat(hugeSide, hugeSide))),
    /has more pixels than the limit/,
  )
})

test('reads the size of an SVG from its viewBox, or from width and height', () => {
  const svg = (attributes: string, inside = '') =>
    Buffer.from(`<?xml version="1.0"?>\n<!-- a logo -->\n<svg ${attributes}>${inside}</svg>\n`)
  assert.deepEqual(pictureIn(svg('viewBox="0 0 30 12.5"')), { type: 'image/svg+xml', width: 30, height: 12.5 })
  assert.deepEqual(pictureIn(svg('width="30px" height="10"')), { type: 'image/svg+xml', width: 30, height: 10 })
  assert.throws(() => pictureIn(svg('width="100%" height="100%"')), /neither a size nor a viewBox/)
  assert.throws(() => pictureIn(svg('viewBox="0 0 0 10"')), /no width or no height/)
})

test('rejects files of other types', () => {
  for (const text of ['', 'GIF89a', '{}', '<html><svg/></html>'])
    assert.throws(() => pictureIn(Buffer.from(text)), /is neither PNG nor WebP nor SVG/, text)
})

test('checks a picture with thousands of leading comments within seconds', { timeout: 20_000 }, () => {
  const comments = '<!-- -->'.repeat(5000)
  assert.throws(() => pictureIn(Buffer.from(`${comments}x`)), /is neither PNG nor WebP nor SVG/)
  const picture = pictureIn(Buffer.from(`${comments}<svg viewBox="0 0 40 10"></svg>`))
  assert.equal(picture.width, 40)
  assert.equal(picture.height, 10)
})

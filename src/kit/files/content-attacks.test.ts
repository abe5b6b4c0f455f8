// Hostile files: each is checked with time and memory linear in its size.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { plainPdf, pngHeader, pngSignature, sampleJpeg } from '#test/setup/files.ts'
import { packedObjects } from './content-pdf-packed.ts'
import { BadContent, checkFile, checkPicture } from './file-content.ts'

const catalog = '<</Type/Catalog/Pages 2 0 R>>'
const packed = (text: string, { count, first }: { count: number; first: number }) =>
  `<</Type/ObjStm/N ${count}/First ${first}/Filter/FlateDecode>>stream\n${deflateSync(text).toString('latin1')}\nendstream`

/** An object stream with a table of these offsets, followed by an object of `objectBytes`. */
function objectStreamAt(places: number[], objectBytes = 10, count = places.length): string {
  const table = `${places.map((place, i) => `${i + 1} ${place}`).join(' ')} `
  return packed(`${table}${'/A'.repeat(objectBytes / 2)}`, { count, first: table.length })
}

const twoMiB = 1 << 21
const attacks: Record<string, [RegExp, Buffer]> = {
  '10,000 packed objects at one place': [
    /cannot be checked/,
    plainPdf([catalog, objectStreamAt(Array(10_000).fill(0), 5000)]),
  ],
  '100,000 packed objects at one place': [
    /cannot be checked/,
    plainPdf([catalog, objectStreamAt(Array(100_000).fill(0), 5000)]),
  ],
  'a table of digits': [
    /too large to be checked/,
    plainPdf([catalog, packed('1 '.repeat(25 << 20), { count: 25 << 19, first: 25 << 21 })]),
  ],
  'a table of digits within the bounds': [
    /cannot be checked/,
    plainPdf([catalog, packed('1 '.repeat(twoMiB - 1), { count: twoMiB / 2, first: twoMiB * 2 - 2 })]),
  ],
  'fewer objects than its table has': [/cannot be checked/, plainPdf([catalog, objectStreamAt([0, 2, 4], 10, 2)])],
  'more objects than its table has': [/cannot be checked/, plainPdf([catalog, objectStreamAt([0, 2, 4], 10, 4)])],
  'an object behind the end of its stream': [/cannot be checked/, plainPdf([catalog, objectStreamAt([0, 5000])])],
  'objects whose number is written elsewhere': [
    /cannot be checked/,
    plainPdf([catalog, objectStreamAt([0]).replace('/N 1', '/N 9 0 R')]),
  ],
  'many streams that unpack to more than a file may': [
    /too large to be checked/,
    plainPdf([catalog, ...Array.from({ length: 100 }, () => objectStreamAt([0], 100_000))]),
  ],
  'addresses within objects that do not end': [
    /.*/,
    Buffer.concat([
      Buffer.from(`%PDF-1.7\n${'7 0 obj '.repeat(1000)}`),
      Buffer.from('/URI/Next'.repeat(1 << 18)),
      plainPdf([catalog]).subarray(8),
    ]),
  ],
  'objects that each lead to an address': [
    /more actions than can be checked/,
    plainPdf([catalog, ...Array.from({ length: 201_000 }, () => '/URI')]),
  ],
  'tables that are no tables': [/more tables/, plainPdf([catalog, 'xref '.repeat(1 << 18)])],
  'names within names': [/.*/, plainPdf([catalog, '<</A'.repeat(1 << 19)])],
  'numbers that are no objects': [/.*/, plainPdf([catalog, '1234567890        12345        '.repeat(1 << 16)])],
}

for (const [name, [reason, file]] of Object.entries(attacks))
  test(`D3 §4.3: checks a PDF of ${name} before the deadline`, async () => {
    const outcome = await checkFile('application/pdf', file).then(
      () => 'fine',
      (error: unknown) => (error instanceof BadContent ? error.message : error),
    )
    assert.ok(typeof outcome === 'string', String(outcome))
    assert.match(outcome, reason)
    assert.doesNotMatch(outcome, /too long|too much memory/)
  })

test('D3 §4.3: rejects a PNG of empty chunks and a JSON of brackets', async () => {
  const chunk = Buffer.from('0000000061424344', 'hex')
  const png = Buffer.concat([pngSignature, pngHeader(8, 8), ...Array<Buffer>(100_000).fill(chunk)])
  await assert.rejects(checkFile('image/png', png), BadContent)
  await assert.rejects(checkFile('application/json', Buffer.from('['.repeat(1 << 20))), /levels deep/)
})

test('rejects an SVG of many comments', async () => {
  const svg = Buffer.from(`${'<!---->'.repeat(5000)}<p`)
  await assert.rejects(checkPicture(svg), /is neither PNG nor WebP nor SVG/)
})

test('rejects a file that ends its thread, and checks the queued files', async () => {
  const slow = Buffer.concat([sampleJpeg().subarray(0, -2), Buffer.alloc(96 << 20, Buffer.from([0xff, 0x00]))])
  const [first, ...others] = await Promise.allSettled([
    checkFile('image/jpeg', slow),
    ...Array.from({ length: 6 }, () => checkFile('application/pdf', plainPdf([catalog]))),
  ])
  assert.ok(first?.status === 'rejected' && first.reason instanceof BadContent)
  assert.match(first.reason.message, /takes too (long|much memory) to be read/)
  for (const other of others) assert.equal(other.status, 'fulfilled')
})

test('property: the objects of a stream together are not longer than the stream', () => {
  const places = fc.array(fc.nat(60), { maxLength: 12 })
  fc.assert(
    fc.property(places, fc.nat(14), fc.nat(60), (starts, count, bytes) => {
      const table = `${starts.map((place, i) => `${i} ${place}`).join(' ')} `
      const text = table + 'x'.repeat(bytes)
      let read = 0
      try {
        for (const object of packedObjects(text, { count, first: table.length })) read += object.text.length
      } catch (error) {
        if (!(error instanceof BadContent)) throw error
      }
      assert.ok(read <= bytes)
    }),
  )
})

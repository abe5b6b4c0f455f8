// Hostile files are checked in time and memory linear in their size.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { ownerPasswordPdf, plainPdf, pngHeader, pngSignature, sampleJpeg } from '@lendloom/tests/setup/files'
import fc from 'fast-check'
import { packedObjects } from './content-pdf-object-streams.ts'
import { BadContent, beginCheck, checkFile, checkPicture } from './file-content.ts'

const catalog = '<</Type/Catalog/Pages 2 0 R>>'
const packed = (text: string, { count, first }: { count: number; first: number }) =>
  `<</Type/ObjStm/N ${count}/First ${first}/Filter/FlateDecode>>stream\n${deflateSync(text).toString('latin1')}\nendstream`

/** An object stream: a table with these offsets, followed by `objectBytes` bytes of objects. */
function objectStreamAt(offsets: number[], objectBytes = 10, count = offsets.length): string {
  const table = `${offsets.map((offset, i) => `${i + 1} ${offset}`).join(' ')} `
  return packed(`${table}${'/A'.repeat(objectBytes / 2)}`, { count, first: table.length })
}

const twoMiB = 1 << 21
const attacks: Record<string, [RegExp, Buffer]> = {
  '10,000 packed objects at the same offset': [
    /cannot be checked/,
    plainPdf([catalog, objectStreamAt(Array(10_000).fill(0), 5000)]),
  ],
  '100,000 packed objects at the same offset': [
    /cannot be checked/,
    plainPdf([catalog, objectStreamAt(Array(100_000).fill(0), 5000)]),
  ],
  'an object table of 50 MiB of digits': [
    /too large to be checked/,
    plainPdf([catalog, packed('1 '.repeat(25 << 20), { count: 25 << 19, first: 25 << 21 })]),
  ],
  'an object table of digits just below the limit of unpacked bytes': [
    /cannot be checked/,
    plainPdf([catalog, packed('1 '.repeat(twoMiB - 1), { count: twoMiB / 2, first: twoMiB * 2 - 2 })]),
  ],
  'fewer declared objects than its table has': [
    /cannot be checked/,
    plainPdf([catalog, objectStreamAt([0, 2, 4], 10, 2)]),
  ],
  'more declared objects than its table has': [
    /cannot be checked/,
    plainPdf([catalog, objectStreamAt([0, 2, 4], 10, 4)]),
  ],
  'an object after the end of its stream': [/cannot be checked/, plainPdf([catalog, objectStreamAt([0, 5000])])],
  'an object stream whose object count is an indirect reference': [
    /cannot be checked/,
    plainPdf([catalog, objectStreamAt([0]).replace('/N 1', '/N 9 0 R')]),
  ],
  'many streams that together unpack to more than the limit': [
    /too large to be checked/,
    plainPdf([catalog, ...Array.from({ length: 100 }, () => objectStreamAt([0], 100_000))]),
  ],
  'addresses within unclosed objects': [
    /.*/,
    Buffer.concat([
      Buffer.from(`%PDF-1.7\n${'7 0 obj '.repeat(1000)}`),
      Buffer.from('/URI/Next'.repeat(1 << 18)),
      plainPdf([catalog]).subarray(8),
    ]),
  ],
  '201,000 objects that each lead to an address': [
    /more actions than can be checked/,
    plainPdf([catalog, ...Array.from({ length: 201_000 }, () => '/URI')]),
  ],
  'many table keywords without tables': [/more tables/, plainPdf([catalog, 'xref '.repeat(1 << 18)])],
  'deeply nested names': [/.*/, plainPdf([catalog, '<</A'.repeat(1 << 19)])],
  'many numbers without objects': [/.*/, plainPdf([catalog, '1234567890        12345        '.repeat(1 << 16)])],
}

for (const [name, [reason, file]] of Object.entries(attacks))
  test(`D3 §4.3: checks a PDF within the time limit: ${name}`, async () => {
    const outcome = await checkFile('application/pdf', file).then(
      () => 'fine',
      (error: unknown) => (error instanceof BadContent ? error.message : error),
    )
    assert.ok(typeof outcome === 'string', String(outcome))
    assert.match(outcome, reason)
    assert.doesNotMatch(outcome, /too long|too much memory/)
  })

test('D3 §4.3: checks four encrypted PDFs of 20 MiB that arrive at once, while other uploads wait', async () => {
  const text = ownerPasswordPdf().toString('latin1')
  const picture = `9 0 obj<</Filter/DCTDecode>>stream\n${'x'.repeat(20 << 20)}\nendstream endobj\n`
  const at = text.indexOf('xref\n')
  const moved = text.slice(at).replace(/startxref\s+\d+/, `startxref\n${at + picture.length}`)
  const file = Buffer.from(text.slice(0, at) + picture + moved, 'latin1')
  const pieces = Array.from({ length: 21 }, (_, i) => file.subarray(i << 20, (i + 1) << 20))
  const waiting = Array.from({ length: 4 }, () => beginCheck('application/pdf'))
  for (const { write } of waiting) for (const piece of pieces.slice(0, 17)) await write(piece)
  const checks = Array.from({ length: 4 }, () => beginCheck('application/pdf'))
  const results = await Promise.all(
    checks.map(async ({ write, end }) => {
      for (const piece of pieces) await write(piece)
      return end(() => Readable.from(pieces))
    }),
  )
  assert.deepEqual(results, Array(4).fill({ hasOwnerPassword: true }))
  for (const { close } of [...waiting, ...checks]) close()
})

test('D3 §4.3: rejects a PNG of many empty chunks and a JSON of many brackets', async () => {
  const chunk = Buffer.from('0000000061424344', 'hex')
  const png = Buffer.concat([pngSignature, pngHeader(8, 8), ...Array<Buffer>(100_000).fill(chunk)])
  await assert.rejects(checkFile('image/png', png), BadContent)
  await assert.rejects(checkFile('application/json', Buffer.from('['.repeat(1 << 20))), /levels deep/)
})

test('rejects an SVG of many comments', async () => {
  const svg = Buffer.from(`${'<!---->'.repeat(5000)}<p`)
  await assert.rejects(checkPicture(svg), /is neither PNG nor WebP nor SVG/)
})

test('still checks the queued files after a file ended the parser thread', async () => {
  const slow = Buffer.concat([sampleJpeg().subarray(0, -2), Buffer.alloc(96 << 20, Buffer.from([0xff, 0x00]))])
  const [first, ...others] = await Promise.allSettled([
    checkFile('image/jpeg', slow),
    ...Array.from({ length: 6 }, () => checkFile('application/pdf', plainPdf([catalog]))),
  ])
  assert.ok(first?.status === 'rejected' && first.reason instanceof BadContent)
  assert.match(first.reason.message, /takes too (long|much memory) to be read/)
  for (const other of others) assert.equal(other.status, 'fulfilled')
})

test('property: the packed objects of a stream are together not longer than the stream', () => {
  const offsetLists = fc.array(fc.nat(60), { maxLength: 12 })
  fc.assert(
    fc.property(offsetLists, fc.nat(14), fc.nat(60), (offsets, count, bytes) => {
      const table = `${offsets.map((offset, i) => `${i} ${offset}`).join(' ')} `
      const text = table + 'x'.repeat(bytes)
      let readLength = 0
      try {
        for (const object of packedObjects(text, { count, first: table.length })) readLength += object.text.length
      } catch (error) {
        if (!(error instanceof BadContent)) throw error
      }
      assert.ok(readLength <= bytes)
    }),
  )
})

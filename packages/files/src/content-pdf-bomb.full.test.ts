// PDFs whose streams unpack to much more than their size, however the streams are packed.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { plainPdf } from '@lendloom/tests/setup/files'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { openCheck } from './content-checks.ts'
import { filtersByName, type NewFilter, pieceBytes } from './content-pdf-filters.ts'
import { checkFile } from './file-content.ts'

const MiB = 1 << 20
const catalog = '<</Type/Catalog/Pages 2 0 R>>'

/** A stream object, whose dictionary has these entries. */
const streamOf = (packed: Buffer | string, dictionary = '/Filter/FlateDecode'): string =>
  `<<${dictionary}>>stream\n${typeof packed === 'string' ? packed : packed.toString('latin1')}\nendstream`

/** Checks a file in pieces; returns 'fine' or the reason of the refusal. */
async function resultOf(file: Buffer, bytes = file.length): Promise<string> {
  const check = openCheck('application/pdf')
  for (let from = 0; from < file.length; from += bytes) {
    const fault = await check.write(file.subarray(from, from + bytes))
    if (fault) return fault.message
  }
  return (await check.end()).fault?.message ?? 'fine'
}

/** Packs bytes as LZW does, each as a code of nine bits after a code that clears the list. */
function lzwOf(codes: number[]): Buffer {
  const bits = codes.map((code) => code.toString(2).padStart(9, '0')).join('')
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** The codes of LZW for a run of one byte, which are the same whatever the byte is but for the first. */
function lzwRun(codes: number): Buffer {
  let bits = '100000000001000001'
  for (let code = 258, sent = 0; sent < codes; sent++) {
    const width = Math.min(12, Math.floor(Math.log2(code + 1)) + 1)
    bits += code.toString(2).padStart(width, '0')
    if (code < 4094) code++
  }
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

const bomb = deflateSync(Buffer.alloc(60 * MiB))
/** The same, with the keyword of an end in a part that is not compressed. */
function bombAroundKeyword(): Buffer {
  const keyword = Buffer.from('\nendstream\nendobj\n')
  const stored = Buffer.alloc(5)
  stored.writeUInt16LE(keyword.length, 1)
  stored.writeUInt16LE(0xffff - keyword.length, 3)
  return Buffer.concat([Buffer.from([0x78, 0x9c]), stored, keyword, deflateRawSync(Buffer.alloc(60 * MiB))])
}
/** The same data behind a head that says a window of 64 KiB, which zlib refuses and some viewers accept. */
const withLargeWindow = (packed: Buffer): Buffer => Buffer.concat([Buffer.from([0x88, 0x1c]), packed.subarray(2)])
/** Packs data, and puts a fault instead of its end. */
const beforeFault = (plain: Buffer): string =>
  `${deflateSync(plain, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')}\xff`
const ascii85 = (bytes: Buffer): string => {
  let text = ''
  for (let from = 0; from + 4 <= bytes.length; from += 4) {
    let value = bytes.readUInt32BE(from)
    let digits = ''
    for (let i = 0; i < 5; i++) {
      digits = String.fromCharCode(33 + (value % 85)) + digits
      value = Math.floor(value / 85)
    }
    text += digits
  }
  return text
}
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(4)])

const bombs: Record<string, string[]> = {
  'a stream of 60 MiB': [streamOf(bomb)],
  'a stream of 60 MiB of drawing commands': [streamOf(deflateSync('q Q\n'.repeat(15 * MiB)))],
  'a picture of 60 MiB': [streamOf(bomb, '/Subtype/Image/Width 5000/Height 4000/Filter/FlateDecode')],
  'sixty streams of 1 MiB': Array.from({ length: 60 }, () => streamOf(deflateSync(Buffer.alloc(MiB)))),
  'a stream of 60 MiB beside 5 MiB of noise': [streamOf(randomBytes(5 * MiB), ''), streamOf(bomb)],
  'a stream that is packed twice': [streamOf(deflateSync(bomb), '/Filter[/FlateDecode/FlateDecode]')],
  'a stream that is packed four times': [
    streamOf(deflateSync(deflateSync(deflateSync(bomb))), '/Filter[/Fl /Fl /Fl /Fl]'),
  ],
  'a stream of 60 MiB in hexadecimal': [streamOf(`${bomb.toString('hex')}>`, '/Filter[/ASCIIHexDecode/FlateDecode]')],
  'a stream of 60 MiB in base 85': [streamOf(`${ascii85(padded(bomb))}~>`, '/Filter [ /ASCII85Decode /FlateDecode ]')],
  'a stream of 60 MiB in LZW': [streamOf(lzwRun(22_000), '/Filter/LZWDecode')],
  'runs of one byte, packed once more': [
    streamOf(deflateSync(Buffer.alloc(MiB, Buffer.from([129, 0]))), '/Filter[/FlateDecode/RunLengthDecode]'),
  ],
  'a filter whose name is escaped': [streamOf(bomb, '/Filter/Fl#61teDecode')],
  'a filter after a comment': [streamOf(bomb, '/Filter%a comment\n/FlateDecode')],
  'a filter before a string that looks like the end of an object': [streamOf(bomb, '/Filter/FlateDecode/X(endobj)')],
  'no named filter': [streamOf(bomb, '')],
  'a stream of 60 MiB whose head says a window of 64 KiB': [streamOf(withLargeWindow(bomb))],
  'such a head and no named filter': [streamOf(withLargeWindow(bomb), '')],
  'the keyword of its end in its data': [streamOf(bombAroundKeyword())],
  'a carriage return before its data': [streamOf(bomb).replace('stream\n', 'stream\r')],
  'its start in an unpacked stream': [streamOf(`7 0 obj\n${streamOf(bomb)}`, '')],
}
for (const [what, objects] of Object.entries(bombs))
  test(`D3 §4.3: rejects a PDF with ${what}`, async () => {
    const file = plainPdf([catalog, ...objects])
    assert.match(await resultOf(file), /unpack to more than 32 MiB/)
    assert.match(await resultOf(file, 4099), /unpack to more than 32 MiB/)
  })

const uncheckable: Record<string, string> = {
  'whose filter is elsewhere': streamOf('', '/Filter 9 0 R'),
  'with one filter of two elsewhere': streamOf('', '/Filter[/FlateDecode 9 0 R]'),
  'with more filters than anybody needs': streamOf('', `/Filter[${'/Fl'.repeat(5)}]`),
  'packed more often than anybody needs': streamOf(
    deflateSync(deflateSync(deflateSync(deflateSync(deflateSync(bomb))))),
  ),
  'with two lists of filters': streamOf(bomb, '/Filter/DCTDecode/Filter/FlateDecode'),
  'with a filter by the short name of its key': streamOf(bomb, '/F/AHx/Filter/FlateDecode'),
  'with a fault behind a bomb that is packed twice': streamOf(
    beforeFault(deflateSync(Buffer.alloc(12 * MiB))),
    '/Filter[/Fl/Fl]',
  ),
  'behind two headers': `%obj obj\n${streamOf(bomb)}`,
  'with a word before its data': streamOf(bomb).replace('stream', 'stream x'),
  'with a list of filters that does not end': streamOf(bomb, '/Filter[/FlateDecode'),
}
for (const [what, object] of Object.entries(uncheckable))
  test(`D3 §4.3: rejects a PDF with a stream ${what}`, async () =>
    assert.match(await resultOf(plainPdf([catalog, object])), /has streams that cannot be checked/))

test('D3 §4.3: checks a PDF with many starts of streams that do not end in linear time', async () => {
  const start = process.cpuUsage()
  assert.equal(await resultOf(plainPdf([catalog, 'obj<<>>stream\n'.repeat(150_000)])), 'fine')
  assert.ok(process.cpuUsage(start).user < 5_000_000)
})

test('D3 §4.3: rejects a PDF with many streams that each unpack to 16 KiB before a fault', async () => {
  const damaged = beforeFault(Buffer.alloc(16_000))
  assert.match(await resultOf(plainPdf([catalog, ...Array<string>(4000).fill(streamOf(damaged))])), /than 32 MiB/)
})

test('D3 §4.3: rejects a PDF that unpacks to 300 MiB at fifty times its size', async () => {
  const part = Buffer.concat([randomBytes(20_000), Buffer.alloc(MiB)])
  const stream = streamOf(deflateSync(part, { level: 1 }))
  assert.match(await resultOf(plainPdf([catalog, ...Array<string>(300).fill(stream)])), /more than 256 MiB/)
})

test('D3 §4.3: rejects a PDF with a picture of 3.6 gigapixels', async () => {
  const picture = streamOf('', '/Subtype/Image/Width 60000/Height 60000/Filter/CCITTFaxDecode')
  assert.match(await resultOf(plainPdf([catalog, picture])), /has more pixels than the limit/)
})

/** Text as a statement has it; packs to a sixth. */
const statement = (lines: number): Buffer =>
  Buffer.from(
    Array.from({ length: lines }, (_, i) => `BT ${i} 700 Td (${randomBytes(6).toString('hex')}) Tj ET`).join('\n'),
  )
const noise = randomBytes(3 * MiB)
const plainFiles: Record<string, string[]> = {
  'an empty page, scanned in colour': [streamOf(deflateSync(Buffer.alloc(25 * MiB, 255)))],
  '48 MiB of text': Array.from({ length: 8 }, () => streamOf(deflateSync(statement(160_000), { level: 1 }))),
  'six pages, scanned in colour': Array.from({ length: 6 }, () =>
    streamOf(deflateSync(Buffer.concat([noise, Buffer.alloc(5 * MiB, 255)]), { level: 1 })),
  ),
  'streams without their last bytes': Array.from({ length: 100 }, () =>
    streamOf(deflateSync(statement(300)).subarray(0, -5)),
  ),
  'streams that do not unpack': [streamOf('nothing'), streamOf('x\x9cnothing'), streamOf('', '/Filter[]')],
  pictures: [streamOf(noise, '/Filter[/ASCII85Decode /DCTDecode]'), streamOf(noise, '/Width 100/Height 100')],
  'a signature': ['<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached>>'],
  'numbers after a filter': [streamOf(deflateSync('1'), '/Filter[/A85 /Fl] /Length 30 0 R')],
}
for (const [what, objects] of Object.entries(plainFiles))
  test(`D3 §4.3: accepts a PDF with ${what}`, async () => {
    const file = plainPdf([catalog, ...objects])
    assert.equal(await resultOf(file), 'fine')
    assert.equal(await resultOf(file, 65_537), 'fine')
  })

test('D3 §4.3: a parser thread checks bombs and long files within its time', async () => {
  await assert.rejects(checkFile('application/pdf', plainPdf([catalog, streamOf(bomb)])), /more than 32 MiB/)
  await checkFile('application/pdf', plainPdf([catalog, ...Array<string>(5000).fill(streamOf(deflateSync('q Q')))]))
  const endless = streamOf(deflateSync(randomBytes(60_000), { level: 0 }).subarray(0, 100))
  await assert.rejects(
    checkFile('application/pdf', plainPdf([catalog, ...Array<string>(5000).fill(endless)])),
    /has streams that cannot be checked/,
  )
})

async function unpacked(newFilter: NewFilter | undefined, bytes: Buffer): Promise<Buffer> {
  const filter = newFilter!()
  const parts: Buffer[] = []
  for (let from = 0; from < bytes.length; from += pieceBytes)
    parts.push(...(await filter.unpack(bytes.subarray(from, from + pieceBytes))))
  filter.close()
  return Buffer.concat(parts)
}

test('unpacks what each filter packs', async () => {
  const { LZWDecode, RunLengthDecode, ASCIIHexDecode, ASCII85Decode } = filtersByName
  // The example of ISO 32000-2 §7.4.4.2.
  const lzw = Buffer.from('800b6050220c0c8501', 'hex')
  const text = Buffer.from([45, 45, 45, 45, 45, 65, 45, 45, 45, 66])
  assert.deepEqual(await unpacked(LZWDecode?.[0], lzw), text)
  assert.deepEqual(await unpacked(LZWDecode?.[1], lzw), text)
  assert.deepEqual(await unpacked(LZWDecode?.[0], lzwOf([256, 65, 300])), Buffer.from('A'))
  const runs = Buffer.from([2, 65, 66, 67, 254, 68, 128, 1, 1])
  assert.equal((await unpacked(RunLengthDecode?.[0], runs)).toString(), 'ABCDDD')
  assert.equal((await unpacked(ASCIIHexDecode?.[0], Buffer.from('41 4\n2>43'))).toString(), 'AB')
  assert.equal((await unpacked(ASCII85Decode?.[0], Buffer.from('87cUR\nD]z~>'))).toString().slice(0, 4), 'Hell')
})

test('property: a run in LZW unpacks to as many bytes as its codes say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5000 }), async (codes) => {
      const [early] = filtersByName.LZWDecode ?? []
      const { length } = await unpacked(early, lzwRun(codes))
      const growing = Math.min(codes, 4094 - 258 + 1)
      const expected = 1 + (growing * (growing + 3)) / 2 + (codes - growing) * (growing + 1)
      // The last code may lie in bits that do not fill a byte.
      assert.ok(Math.abs(length - expected) <= growing + 2, `${length} and ${expected}`)
    }),
    { numRuns: roundsOf(50) },
  )
})

// Content checks: each type is recognized by its bytes, however the file is split into chunks.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import * as files from '@lendloom/tests/setup/files'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { checkableTypes, contentCheck } from './content-checks.ts'
import { BadContent } from './file-content.ts'

/** Checks the file in chunks; returns 'fine', or the kind and message of the fault. */
async function result(type: string, file: Buffer, pieceBytes = file.length || 1): Promise<string> {
  const check = contentCheck(type)!
  try {
    for (let from = 0; from < file.length; from += pieceBytes) await check.write(file.subarray(from, from + pieceBytes))
    await check.end()
    return 'fine'
  } catch (error) {
    if (!(error instanceof BadContent)) throw error
    return `${error.kind}: ${error.message}`
  }
}

const jsonText = JSON.stringify({ a: [1, -2.5e3, true, null, { 'b"\\': 'text é 😀 \\u00e9 "' }], c: '' })
const samples: Record<string, Buffer> = {
  'application/pdf': await files.samplePdf('A statement'),
  'application/json': Buffer.from(jsonText),
  'image/png': files.samplePng(),
  'image/jpeg': files.sampleJpeg(),
  'video/mp4': files.sampleMp4(),
}

test('D3 §4.3: accepts a valid file of each type as that type only', async () => {
  assert.deepEqual(Object.keys(samples).sort(), [...checkableTypes].sort())
  for (const [type, file] of Object.entries(samples))
    for (const claimed of checkableTypes) {
      const outcome = await result(claimed, file)
      if (claimed === type) assert.equal(outcome, 'fine', type)
      else assert.match(outcome, /^other: /, `${type} as ${claimed}`)
    }
  assert.equal(contentCheck('text/html'), undefined)
})

test('D3 §4.3: rejects an empty file as every type', async () => {
  for (const type of checkableTypes) assert.match(await result(type, Buffer.alloc(0)), /^other: /)
})

test('property: the result does not depend on how the file is split', async () => {
  const kinds = fc.constantFrom(...Object.keys(samples))
  await fc.assert(
    fc.asyncProperty(kinds, fc.integer({ min: 1, max: 400 }), fc.nat(), async (type, pieceBytes, cut) => {
      const file = samples[type]!
      assert.equal(await result(type, file, pieceBytes), 'fine')
      const shorter = file.subarray(0, cut % file.length)
      assert.equal(await result(type, shorter, pieceBytes), await result(type, shorter))
    }),
    { numRuns: roundsOf(300) },
  )
})

test('D3 §4.3: rejects a truncated file', async () => {
  for (const [type, file] of Object.entries(samples)) {
    const minCut = type === 'application/pdf' ? 7 : 1
    for (let bytes = file.length - minCut; bytes > 0; bytes -= Math.ceil(file.length / 97))
      assert.notEqual(await result(type, file.subarray(0, bytes)), 'fine', `${type} of ${bytes} bytes`)
  }
})

const catalog = '<</Type/Catalog/Pages 2 0 R>>'
const objectStream = (count: number, first: number) => `/Type/ObjStm/N ${count}/First ${first}/Filter/FlateDecode`
const packed = (objects: string, about = objectStream(1, 4)) =>
  `<<${about}>>stream\n${deflateSync(Buffer.from(objects, 'latin1')).toString('latin1')}\nendstream`

const pdfs: Record<string, [RegExp, Buffer]> = {
  'a script': [/^unsafe: contains scripts/, files.plainPdf([catalog, '<</S/JavaScript/JS(app.alert(1))>>'])],
  'a script whose name is escaped': [/^unsafe: contains scripts/, files.plainPdf([catalog, '<</S/J#61vaScr#69pt>>'])],
  'a script in packed objects': [
    /^unsafe: contains scripts/,
    files.plainPdf([catalog, packed('5 0 <</S/JavaScript>>')]),
  ],
  'a script in an object stream without /Type': [
    /^unsafe: contains scripts/,
    files.plainPdf([catalog, packed('5 0 <</S /JavaScript >>', '/N 1/First 4/Filter/FlateDecode')]),
  ],
  'a script in an object stream with other numbers in an inner dictionary': [
    /^unsafe: contains scripts/,
    files.plainPdf([catalog, packed('5 0 <</S/JavaScript>>', `${objectStream(1, 4)}/X<</N 0/First 0>>`)]),
  ],
  'a script in an object stream with a string that looks like the end of an object': [
    /^unsafe: contains scripts/,
    files.plainPdf([catalog, packed('5 0 <</S/JavaScript>>', '/N 1/First 4/Filter/FlateDecode/X(endobj)/Type/ObjStm')]),
  ],
  'a script in an object stream with a string that looks like the start of a stream': [
    /^unsafe: contains scripts/,
    files.plainPdf([catalog, packed('5 0 <</S/JavaScript>>', '/N 1/X(stream\n)/First 4/Filter/FlateDecode')]),
  ],
  'a script in an object stream that says that it has no objects': [
    /^unsafe: contains scripts/,
    files.plainPdf([catalog, packed('5 0 <</S/JavaScript>>', objectStream(0, 0))]),
  ],
  'an object stream that says that it has no objects': [
    /^unsafe: .*cannot be checked/,
    files.plainPdf([catalog, packed('5 0 <<>>', objectStream(0, 0))]),
  ],
  'an object stream within another': [
    /^unsafe: .*cannot be checked/,
    files.plainPdf([catalog, `<<${objectStream(1, 4)}>>stream\n5 0 (6 0 obj${packed('7 0 <<>>')})endstream`]),
  ],
  'packed objects that are not compressed, with the keyword of an end in them': [
    /^unsafe: .*packed objects that cannot be checked/,
    files.plainPdf([
      '<</Type/Catalog/Pages 2 0 R/OpenAction 6 0 R>>',
      '<</Type/ObjStm/N 1/First 4>>stream\n6 0 <</X(\nendstream 9 0 obj)/S/URI/URI(http://example.com)>>\nendstream',
    ]),
  ],
  'a script in packed objects whose head says a window of 64 KiB': [
    /^unsafe: contains scripts/,
    files.plainPdf([catalog, packed('5 0 <</S/JavaScript>>').replace('x\x9c', '\x88\x1c')]),
  ],
  'a name up to the end of a stream': [
    /^fine$/,
    files.plainPdf([catalog, packed('5 0 <<>>').replace('\nendstream', '/Xendstream'), packed('6 0 <<>>')]),
  ],
  'an object stream whose dictionary viewers could read differently': [
    /^unsafe: .*cannot be checked/,
    files.plainPdf([catalog, packed('5 0 <</S/JavaScript>>', `${objectStream(1, 4)}/N 0`)]),
  ],
  'an object stream by another start of its data': [
    /^unsafe: .*cannot be checked/,
    files.plainPdf([catalog, packed('5 0 <</S/JavaScript>>').replace('stream', 'stream%')]),
  ],
  'numbers, strings and words of many kinds': [
    /^fine$/,
    files.plainPdf([
      catalog,
      '<</A[.5 -.5 4. --1 nan true null]/B(a\\)(endobj)\r\n)/C<0 A>/D%>>\n<</E 1 0 R>>/F(stream\n)>>',
      packed('BT ET', '/BBox[0 0 .5 1.]%x\n/Resources<</Font<</F1<</Widths[1 2]>>>>>>/Filter[/FlateDecode]'),
      packed('5 0 <<>>', '/Type/ObjStm/N 1/First 4/Filter[/FlateDecode]/DecodeParms<<>>'),
    ]),
  ],
  'a form that can run scripts': [/^unsafe: has an XFA form/, files.plainPdf([catalog, '<</XFA 3 0 R>>'])],
  'objects packed twice': [
    /^unsafe: .*cannot be checked/,
    files.plainPdf([catalog, packed('5 0 <<>>', '/Type/ObjStm/N 1/First 4/Filter[/FlateDecode/FlateDecode]')]),
  ],
  'an object stream whose filter is an indirect reference': [
    /^unsafe: .*cannot be checked/,
    files.plainPdf([catalog, packed('5 0 <<>>', '/Type/ObjStm/N 1/First 4/Filter 9 0 R')]),
  ],
  'objects that do not unpack': [
    /^unsafe: .*cannot be checked/,
    files.plainPdf([catalog, '<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>stream\nnothing\nendstream']),
  ],
  'objects that unpack to 70 MiB': [/^unsafe: /, files.plainPdf([catalog, packed(' '.repeat(70 << 20))])],
  'a stream that unpacks to 60 MiB': [
    /^unsafe: has streams that unpack to more than 32 MiB/,
    files.plainPdf([catalog, packed('\0'.repeat(60 << 20), '/Filter/FlateDecode')]),
  ],
  'a long text': [
    /^fine$/,
    files.plainPdf([catalog, packed('BT (text) Tj ET\n'.repeat(60_000), '/Filter/FlateDecode')]),
  ],
  'an action that starts a program': [
    /^unsafe: starts other programs/,
    files.plainPdf([catalog, '<</S/Launch/F(cmd.exe)>>']),
  ],
  'an embedded file': [
    /^unsafe: contains other files/,
    files.plainPdf([catalog, '<</Names<</EmbeddedFiles 3 0 R>>>>']),
  ],
  'a password': [/^unsafe: is encrypted/, files.plainPdf([catalog], '/Root 1 0 R/Encrypt 5 0 R')],
  'no table': [
    /^corrupt: does not give the position/,
    Buffer.from('%PDF-1.4\n1 0 obj <</Root 1 0 R>> endobj\nstartxref\n999\n%%EOF'),
  ],
  'no end': [/^corrupt: does not end/, Buffer.concat([files.plainPdf([catalog]), Buffer.alloc(70_000, 32)])],
  'blanks and NUL after its end': [
    /^fine$/,
    Buffer.concat([files.plainPdf([catalog]), Buffer.from('\n\f\t '), Buffer.alloc(4096)]),
  ],
  'bytes after the blanks after its end': [
    /^unsafe: has bytes after its end/,
    Buffer.concat([files.plainPdf([catalog]), Buffer.alloc(4096), Buffer.from('MZ')]),
  ],
  'no catalog': [/^corrupt: has no catalog/, files.plainPdf([catalog], '/Size 1')],
  'another header': [/^other: /, Buffer.from('<html>%PDF</html>')],
  'bytes before its header': [
    /^unsafe: has bytes before its header/,
    Buffer.concat([Buffer.from('\n'), files.plainPdf([catalog])]),
  ],
  'bytes after its end': [
    /^unsafe: has bytes after its end/,
    Buffer.concat([files.plainPdf([catalog]), Buffer.from('\r\nMZ')]),
  ],
  'bytes and a second end marker after its end': [
    /^unsafe: has bytes after its end/,
    Buffer.concat([files.plainPdf([catalog]), Buffer.from('<html></html>\n%%EOF\n')]),
  ],
  'line breaks after its end': [/^fine$/, Buffer.concat([files.plainPdf([catalog]), Buffer.from(' \r\n\n')])],
  'harmful words only in a text': [/^fine$/, files.plainPdf([catalog, '<</Kids[]/Title(JavaScript, Launch)>>'])],
  'an outline and pictures': [
    /^fine$/,
    files.plainPdf(['<</First 2 0 R>>', '<</Filter/DCTDecode/N 3>>stream\nxyz\nendstream']),
  ],
}
const address = '<</S/URI/URI(http://example.com)>>'
const link = `<</Type/Annot/Subtype/Link/A${address}>>`
const opening = (value: string) => `<</Type/Catalog/Pages 2 0 R/OpenAction ${value}>>`
const leadsOut = /^unsafe: leads to an address/
const openActions: Record<string, [RegExp, string[]]> = {
  'an address that it opens': [leadsOut, [opening(address)]],
  'an address that it opens, whose names are escaped': [
    leadsOut,
    [`<</Open#41ction<</S/#55RI/URI(http://example.com)>>>>`],
  ],
  'another file that it opens': [leadsOut, [opening('<</S/GoToR/F(//example.com/a.pdf)>>')]],
  'an address that it opens by reference': [leadsOut, [opening('3 0 R'), '<<>>', address]],
  'an open action that refers to an earlier URI action': [leadsOut, [address, opening('1 0 R')]],
  'an address in the next action after the one that it opens': [
    leadsOut,
    [opening('2 0 R'), '<</S/GoTo/Next 3 0 R>>', address],
  ],
  'an address that a page opens': [leadsOut, [catalog, '<</Type/Page/AA<</O 3 0 R>>>>', address]],
  'an address that a page opens, whose actions are given by reference': [
    leadsOut,
    [catalog, '<</Type/Page/AA 3 0 R>>', '<</O 4 0 R>>', address],
  ],
  'an address that it opens, after much white space': [leadsOut, [opening(`${' '.repeat(200)}2 0 R`), address]],
  'an address that it opens, after a comment': [leadsOut, [opening('%x\n2 0 R'), address]],
  'an address that it opens, in a packed object': [leadsOut, [opening('9 0 R'), packed(`9 0 ${address}`)]],
  'an address that it opens, after a string that looks like the start of another object': [
    leadsOut,
    [opening('2 0 R'), `<</X(7 0 obj)/S/URI/URI(http://example.com)>>`],
  ],
  'an address that it opens, after a string that looks like the end of an object': [
    leadsOut,
    [opening('<</X(endobj 9 0 obj)/S/URI/URI(http://example.com)>>')],
  ],
  'a link to click, and a destination to open': [/^fine$/, [opening('[3 0 R/Fit]'), link, '<</Type/Page>>']],
  'a link to click, and a jump to one of its pages': [
    /^fine$/,
    [opening('<</S/GoTo/D[3 0 R/Fit]>>'), link, '<</Type/Page>>'],
  ],
  'a link to click, and a jump by reference': [/^fine$/, [opening('3 0 R'), link, '<</S/GoTo/D[1 0 R]>>']],
  'a packed link, and a packed jump': [
    /^fine$/,
    [opening('9 0 R'), packed(`9 0 8 24 ${'<</S/GoTo/D[1 0 R]>>'.padEnd(24)}${link}`, objectStream(2, 9))],
  ],
}
const verbOf = (expected: RegExp): string => (expected.test('fine') ? 'accepts' : 'rejects')
for (const [what, [expected, objects]] of Object.entries(openActions)) pdfs[what] = [expected, files.plainPdf(objects)]

for (const [what, [expected, file]] of Object.entries(pdfs))
  test(`D3 §4.3: ${verbOf(expected)} a PDF with ${what}`, async () => {
    const whole = await result('application/pdf', file)
    assert.match(whole, expected)
    assert.equal(await result('application/pdf', file, 7), whole)
  })

const { pngChunk, pngHeader, pngSignature } = files
const last = pngChunk('IEND', Buffer.alloc(0))
const flipped = (file: Buffer, at: number): Buffer => {
  const copy = Buffer.from(file)
  copy[at]! ^= 1
  return copy
}
const jpegFile = files.sampleJpeg()
const images: Record<string, [string, RegExp, Buffer]> = {
  'a PNG with a changed byte': ['image/png', /^corrupt: .*checksum/, flipped(files.samplePng(), 45)],
  'a PNG without a picture': [
    'image/png',
    /^corrupt: has no picture/,
    Buffer.concat([pngSignature, pngHeader(1, 1), last]),
  ],
  'a PNG without a header': ['image/png', /^corrupt: does not begin/, Buffer.concat([pngSignature, last])],
  'a PNG with bytes of a phone after its end': [
    'image/png',
    /^fine$/,
    Buffer.concat([files.samplePng(), Buffer.from('note')]),
  ],
  'a PNG of 3.6 gigapixels': [
    'image/png',
    /^unsafe: has more pixels/,
    Buffer.concat([pngSignature, pngHeader(60_000, 60_000)]),
  ],
  'a JPEG with no size': [
    'image/jpeg',
    /^corrupt: has no width/,
    Buffer.from(jpegFile.toString('hex').replace('ffc0000b0800080008', 'ffc0000b0800000000'), 'hex'),
  ],
  'a JPEG with bytes between segments': [
    'image/jpeg',
    /^corrupt: /,
    Buffer.concat([jpegFile.subarray(0, 20), Buffer.from('x'), jpegFile.subarray(20)]),
  ],
  'a JPEG with bytes of a camera after its end': [
    'image/jpeg',
    /^fine$/,
    Buffer.concat([jpegFile, Buffer.from('note')]),
  ],
}
for (const [what, [type, expected, file]] of Object.entries(images))
  test(`D3 §4.3: ${verbOf(expected)} ${what}`, async () => assert.match(await result(type, file), expected))

const { mp4Box } = files
const typeBox = mp4Box('ftyp', Buffer.from('mp42\0\0\0\0mp42', 'latin1'))
const movie = mp4Box('moov', mp4Box('mvhd', Buffer.alloc(4)), mp4Box('trak', Buffer.alloc(4)))
const large = Buffer.concat([
  Buffer.from('00000001', 'hex'),
  Buffer.from('mdat'),
  Buffer.from('0000000000000014', 'hex'),
  Buffer.alloc(4),
])
const videos: Record<string, [RegExp, Buffer[]]> = {
  'a box with a 64-bit size': [/^fine$/, [typeBox, movie, large]],
  'a box that reaches to the end of the file': [/^fine$/, [typeBox, movie, Buffer.from('000000006d646174ffff', 'hex')]],
  'no movie': [/^corrupt: .*moov/, [typeBox, mp4Box('mdat', Buffer.alloc(4))]],
  'no media': [/^corrupt: .*mdat/, [typeBox, movie]],
  'a movie without tracks': [/^corrupt: .*tracks/, [typeBox, mp4Box('moov', mp4Box('mvhd')), large]],
  'a box that is larger than its movie': [
    /^corrupt: .*fit/,
    [typeBox, mp4Box('moov', Buffer.from('000000ff6d766864', 'hex')), large],
  ],
  'a box smaller than its head': [/^corrupt: .*size/, [typeBox, Buffer.from('000000046d646174', 'hex')]],
  'the brand of another format': [
    /^other: /,
    [mp4Box('ftyp', Buffer.from('qt  \0\0\0\0qt  ', 'latin1')), movie, large],
  ],
}
for (const [what, [expected, boxes]] of Object.entries(videos))
  test(`D3 §4.3: ${verbOf(expected)} an MP4 with ${what}`, async () =>
    assert.match(await result('video/mp4', Buffer.concat(boxes)), expected))

test('D3 §4.3: accepts exactly the valid JSON objects and lists', async () => {
  const document = fc.json({ maxDepth: 6 })
  const mutated = fc
    .tuple(document, fc.nat(), fc.constantFrom('', '"', '}', ']', ',', ':', '\\', '0', '\u0001', 'e', ' '))
    .map(([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1))
  const isObjectOrList = (text: string): boolean => {
    try {
      return typeof (JSON.parse(text) ?? 0) === 'object'
    } catch {
      return false
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.oneof(document, mutated), fc.integer({ min: 1, max: 9 }), async (text, pieceBytes) => {
      assert.equal(
        (await result('application/json', Buffer.from(text), pieceBytes)) === 'fine',
        isObjectOrList(text),
        text,
      )
    }),
    { numRuns: roundsOf(3000) },
  )
})

test('D3 §4.3: rejects JSON that is not UTF-8, is too deeply nested, or has an overlong number', async () => {
  const resultOf = (file: Buffer | string): Promise<string> => result('application/json', Buffer.from(file))
  assert.match(await resultOf(Buffer.from('7b2261223a22ff227d', 'hex')), /^corrupt: is not UTF-8/)
  assert.match(await resultOf('['.repeat(300)), /^corrupt: is nested/)
  assert.match(await resultOf(`[${'1'.repeat(2000)}]`), /^corrupt: .*word/)
  assert.match(await resultOf('"text"'), /^other: /)
  assert.match(await resultOf('\ufeff{}'), /^other: /)
  assert.match(await resultOf(`["${'é'.repeat(300_000)}"]`), /^fine$/)
})

// Checks PNG and JPEG: signature, structure, and a limit of pixels.
import { crc32 } from 'node:zlib'
import { corruptContent, otherContent, type Reading, skip, unsafeContent } from './content-reading.ts'

/** A viewer decodes a picture to four bytes per pixel. */
const mostPixels = 100_000_000

function checkSize(width: number, height: number): void {
  if (width === 0 || height === 0) throw corruptContent('has no width or no height')
  if (width * height > mostPixels) throw unsafeContent('has more pixels than can be shown')
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Depths of each colour type. */
const pngDepths: Record<number, number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/** Every chunk has a valid checksum; the header is first, then data, the end last. */
export function* png(): Reading {
  if (!(yield { exactly: 8 }).equals(pngSignature)) throw otherContent('is not a PNG image')
  const seen = new Set<string>()
  for (;;) {
    const head = yield { exactly: 8 }
    if (head.length < 8) throw corruptContent('ends before its last chunk')
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4)
    if (!/^[A-Za-z]{4}$/.test(type)) throw corruptContent('has a chunk without a name')
    if (seen.size === 0 && (type !== 'IHDR' || length !== 13)) throw corruptContent('does not begin with its header')
    if (seen.size > 0 && type === 'IHDR') throw corruptContent('has two headers')
    seen.add(type)
    const sum =
      type === 'IHDR' ? yield* pngHeader(crc32(head.subarray(4))) : yield* summed(length, crc32(head.subarray(4)))
    const given = yield { exactly: 4 }
    if (given.length < 4) throw corruptContent('ends within a chunk')
    if (given.readUInt32BE(0) !== sum) throw corruptContent('has a chunk whose checksum is wrong')
    if (type === 'IEND') break
  }
  if (!seen.has('IDAT')) throw corruptContent('has no picture in it')
  if ((yield { upTo: 1 }).length > 0) throw unsafeContent('goes on behind its end')
}

function* pngHeader(sum: number): Reading<number> {
  const header = yield { exactly: 13 }
  if (header.length < 13) throw corruptContent('ends within its header')
  const [depth, colour] = [header.readUInt8(8), header.readUInt8(9)]
  const [packing, filter, interlace] = [header.readUInt8(10), header.readUInt8(11), header.readUInt8(12)]
  if (!pngDepths[colour]?.includes(depth) || packing !== 0 || filter !== 0 || interlace > 1)
    throw corruptContent('has a header that is not possible')
  checkSize(header.readUInt32BE(0), header.readUInt32BE(4))
  return crc32(header, sum)
}

function* summed(bytes: number, start: number): Reading<number> {
  let sum = start
  for (let left = bytes; left > 0; ) {
    const piece = yield { upTo: left }
    if (piece.length === 0) throw corruptContent('ends within a chunk')
    sum = crc32(piece, sum)
    left -= piece.length
  }
  return sum
}

const marker = { soi: 0xd8, eoi: 0xd9, sos: 0xda, tem: 0x01 }
const isRestart = (code: number): boolean => code >= 0xd0 && code <= 0xd7
/** Frame headers, with the size; the three others between them are tables. */
const isFrame = (code: number): boolean => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code)

/** From SOI through segments and scans to EOI. What cameras write behind it is another picture or a note, and stays. */
export function* jpeg(): Reading {
  const start = yield { exactly: 3 }
  if (start[0] !== 0xff || start[1] !== marker.soi || start[2] !== 0xff) throw otherContent('is not a JPEG image')
  let [hasFrame, hasScan] = [false, false]
  let code = yield* markerCode()
  while (code !== marker.eoi) {
    if (isRestart(code) || code === marker.tem) {
      code = yield* nextMarker()
      continue
    }
    const size = yield { exactly: 2 }
    if (size.length < 2) throw corruptContent('ends within a segment')
    const length = size.readUInt16BE(0) - 2
    if (length < 0) throw corruptContent('has a segment that is shorter than nothing')
    if (isFrame(code)) {
      hasFrame = true
      yield* frameHeader(length)
    } else if (!(yield* skip(length))) throw corruptContent('ends within a segment')
    if (code === marker.sos) {
      if (!hasFrame) throw corruptContent('has a scan before its frame')
      hasScan = true
      code = yield* scanData()
    } else code = yield* nextMarker()
  }
  if (!hasScan) throw corruptContent('has no picture in it')
}

function* frameHeader(length: number): Reading {
  const header = yield { exactly: 6 }
  if (length < 6 || header.length < 6) throw corruptContent('has a frame without a size')
  checkSize(header.readUInt16BE(3), header.readUInt16BE(1))
  if (!(yield* skip(length - 6))) throw corruptContent('ends within a segment')
}

function* nextMarker(): Reading<number> {
  const first = yield { exactly: 1 }
  if (first.length === 0) throw corruptContent('ends before its end marker')
  if (first[0] !== 0xff) throw corruptContent('has bytes between its segments')
  return yield* markerCode()
}

/** The code behind an 0xff, before which there may be more of them. */
function* markerCode(): Reading<number> {
  for (;;) {
    const [code] = yield { exactly: 1 }
    if (code === undefined) throw corruptContent('ends before its end marker')
    if (code !== 0xff) return code
  }
}

/** Passes over the packed picture to the marker that ends it. */
function* scanData(): Reading<number> {
  for (;;) {
    const piece = yield { through: 0xff }
    if (piece.length === 0) throw corruptContent('ends before its end marker')
    if (piece.at(-1) !== 0xff) continue
    const code = yield* markerCode()
    if (code !== 0 && !isRestart(code)) return code
  }
}

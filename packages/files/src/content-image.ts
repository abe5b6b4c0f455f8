// Checks the signature, structure and number of pixels of PNG and JPEG images.
import { crc32 } from 'node:zlib'
import { corruptContent, otherContent, type Reading, skip, unsafeContent } from './resumable-parser.ts'

/** Limits the memory of a viewer, which decodes a picture to four bytes per pixel. */
const maxPixels = 100_000_000

export function checkPixels(width: number, height: number): void {
  if (width === 0 || height === 0) throw corruptContent('has no width or no height')
  if (width * height > maxPixels) throw unsafeContent('has more pixels than the limit')
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The valid bit depths of each colour type. */
const pngDepths: Record<number, number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/**
 * Requires valid checksums, the header chunk first, and image data. Bytes after the end chunk are accepted, as in a JPEG:
 * phones append notes, and screenshot tools leave what was there before.
 */
export function* png(): Reading {
  if (!(yield { exactly: 8 }).equals(pngSignature)) throw otherContent('is not a PNG image')
  const chunkTypes = new Set<string>()
  for (;;) {
    const head = yield { exactly: 8 }
    if (head.length < 8) throw corruptContent('ends before its last chunk')
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4)
    if (!/^[A-Za-z]{4}$/.test(type)) throw corruptContent('has a chunk without a name')
    if (chunkTypes.size === 0 && (type !== 'IHDR' || length !== 13))
      throw corruptContent('does not begin with its header')
    if (chunkTypes.size > 0 && type === 'IHDR') throw corruptContent('has two headers')
    chunkTypes.add(type)
    const sum =
      type === 'IHDR' ? yield* pngHeader(crc32(head.subarray(4))) : yield* checksumOf(length, crc32(head.subarray(4)))
    const storedSum = yield { exactly: 4 }
    if (storedSum.length < 4) throw corruptContent('ends within a chunk')
    if (storedSum.readUInt32BE(0) !== sum) throw corruptContent('has a chunk whose checksum is wrong')
    if (type === 'IEND') break
  }
  if (!chunkTypes.has('IDAT')) throw corruptContent('has no picture in it')
}

function* pngHeader(sum: number): Reading<number> {
  const header = yield { exactly: 13 }
  if (header.length < 13) throw corruptContent('ends within its header')
  const depth = header.readUInt8(8)
  const colour = header.readUInt8(9)
  const compression = header.readUInt8(10)
  const filter = header.readUInt8(11)
  const interlace = header.readUInt8(12)
  if (!pngDepths[colour]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    throw corruptContent('has an invalid header')
  checkPixels(header.readUInt32BE(0), header.readUInt32BE(4))
  return crc32(header, sum)
}

function* checksumOf(bytes: number, start: number): Reading<number> {
  let sum = start
  for (let remaining = bytes; remaining > 0; ) {
    const piece = yield { upTo: remaining }
    if (piece.length === 0) throw corruptContent('ends within a chunk')
    sum = crc32(piece, sum)
    remaining -= piece.length
  }
  return sum
}

const marker = { soi: 0xd8, eoi: 0xd9, sos: 0xda, tem: 0x01 }
const isRestart = (code: number): boolean => code >= 0xd0 && code <= 0xd7
/** Whether a marker starts a frame header, which contains the size. The other three codes of the range do not. */
const isFrame = (code: number): boolean => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code)

/** Reads segments and scans from SOI to EOI. Bytes after EOI are accepted: cameras append pictures or notes. */
export function* jpeg(): Reading {
  const start = yield { exactly: 3 }
  if (start[0] !== 0xff || start[1] !== marker.soi || start[2] !== 0xff) throw otherContent('is not a JPEG image')
  let hasFrame = false
  let hasScan = false
  let code = yield* markerCode()
  while (code !== marker.eoi) {
    if (isRestart(code) || code === marker.tem) {
      code = yield* nextMarker()
      continue
    }
    const size = yield { exactly: 2 }
    if (size.length < 2) throw corruptContent('ends within a segment')
    const length = size.readUInt16BE(0) - 2
    if (length < 0) throw corruptContent('has a segment with a negative length')
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
  checkPixels(header.readUInt16BE(3), header.readUInt16BE(1))
  if (!(yield* skip(length - 6))) throw corruptContent('ends within a segment')
}

function* nextMarker(): Reading<number> {
  const first = yield { exactly: 1 }
  if (first.length === 0) throw corruptContent('ends before its end marker')
  if (first[0] !== 0xff) throw corruptContent('has bytes between its segments')
  return yield* markerCode()
}

/** Reads the marker code after an 0xff; further 0xff bytes may precede the code. */
function* markerCode(): Reading<number> {
  for (;;) {
    const [code] = yield { exactly: 1 }
    if (code === undefined) throw corruptContent('ends before its end marker')
    if (code !== 0xff) return code
  }
}

/** Skips the compressed picture, and returns the marker that ends it. */
function* scanData(): Reading<number> {
  for (;;) {
    const piece = yield { through: 0xff }
    if (piece.length === 0) throw corruptContent('ends before its end marker')
    if (piece.at(-1) !== 0xff) continue
    const code = yield* markerCode()
    if (code !== 0 && !isRestart(code)) return code
  }
}

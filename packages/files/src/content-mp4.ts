// Checks MP4: the boxes fill the file exactly, the first one names a supported brand, and there are tracks and media.
import { corruptContent, otherContent, type Reading, skip } from './resumable-parser.ts'

/** The brands of the ISO base media format that MP4 players support, unlike those of QuickTime and still pictures. */
const brands = /^(?:iso[m2-9]|isoa|mp4[12]|avc1|M4[AV] |MSNV|dash|cmf[c2]|3gp[4-9]|f4v )$/

interface Box {
  type: string
  /** Length of the content; null when the box reaches to the end of the file. */
  bytes: number | null
  headBytes: number
}

export function* mp4(): Reading {
  const boxTypes = new Set<string>()
  for (;;) {
    const box = yield* boxHead(boxTypes.size === 0 ? otherContent : corruptContent)
    if (!box) break
    if (boxTypes.size === 0 && box.type !== 'ftyp') throw otherContent('is not an MP4 video')
    boxTypes.add(box.type)
    if (box.type === 'ftyp') yield* fileType(box)
    else if (box.type === 'moov') yield* movie(box)
    else if (box.bytes === null) yield* skipToEnd()
    else if (!(yield* skip(box.bytes))) throw corruptContent(`ends within its ${box.type} box`)
  }
  if (boxTypes.size === 0) throw otherContent('is not an MP4 video')
  if (!boxTypes.has('moov')) throw corruptContent('has no description of its tracks: the moov box is missing')
  if (!boxTypes.has('mdat')) throw corruptContent('has no pictures or sound: the mdat box is missing')
}

function* fileType({ bytes }: Box): Reading {
  if (bytes === null || bytes < 8 || bytes > 4096) throw corruptContent('has a ftyp box of an impossible size')
  const body = yield { exactly: bytes }
  if (body.length < bytes) throw corruptContent('ends within its ftyp box')
  const compatible = Array.from({ length: Math.floor((bytes - 8) / 4) }, (_, i) =>
    body.toString('latin1', 8 + i * 4, 12 + i * 4),
  )
  if (![body.toString('latin1', 0, 4), ...compatible].some((brand) => brands.test(brand)))
    throw otherContent('is not an MP4 video')
}

/** Checks that the inner boxes fill the movie box, and that they include a header and a track. */
function* movie({ bytes }: Box): Reading {
  if (bytes === null) throw corruptContent('has a moov box without a size')
  const boxTypes = new Set<string>()
  for (let remaining = bytes; remaining > 0; ) {
    const inner = yield* boxHead()
    if (!inner || inner.bytes === null || inner.headBytes + inner.bytes > remaining)
      throw corruptContent('has boxes that do not fit into their moov box')
    if (!(yield* skip(inner.bytes))) throw corruptContent('ends within its moov box')
    remaining -= inner.headBytes + inner.bytes
    boxTypes.add(inner.type)
  }
  if (!boxTypes.has('mvhd') || !boxTypes.has('trak'))
    throw corruptContent('has a movie without a header or without tracks')
}

/** Reads the head of a box; undefined when the file ends before it. */
function* boxHead(fault = corruptContent): Reading<Box | undefined> {
  const head = yield { exactly: 8 }
  if (head.length === 0) return undefined
  if (head.length < 8) throw fault('ends within the head of a box')
  const type = head.toString('latin1', 4, 8)
  if (!/^[ -~\xa9]{4}$/.test(type)) throw fault('has a box without a name')
  const size = head.readUInt32BE(0)
  if (size === 0) return { type, bytes: null, headBytes: 8 }
  if (size !== 1) return boxOf(type, size, 8, fault)
  const large = yield { exactly: 8 }
  if (large.length < 8) throw fault('ends within the head of a box')
  return boxOf(type, Number(large.readBigUInt64BE()), 16, fault)
}

function boxOf(type: string, size: number, headBytes: number, fault: typeof corruptContent): Box {
  if (size < headBytes || !Number.isSafeInteger(size)) throw fault('has a box of an impossible size')
  return { type, bytes: size - headBytes, headBytes }
}

function* skipToEnd(): Reading {
  while ((yield { upTo: 1 << 20 }).length > 0);
}

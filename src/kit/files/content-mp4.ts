// MP4: boxes that fill the file exactly, starting with a supported brand, a movie with tracks, and the media.
import { corruptContent, otherContent, type Reading, skip } from './content-reading.ts'

/** Brands of the ISO base media format that players of MP4 know; QuickTime and still pictures have others. */
const brands = /^(?:iso[m2-9]|isoa|mp4[12]|avc1|M4[AV] |MSNV|dash|cmf[c2]|3gp[4-9]|f4v )$/

interface Box {
  type: string
  /** Bytes of its content; null when it reaches to the end of the file. */
  bytes: number | null
  headBytes: number
}

export function* mp4(): Reading {
  const seen = new Set<string>()
  for (;;) {
    const box = yield* boxHead(seen.size === 0 ? otherContent : corruptContent)
    if (!box) break
    if (seen.size === 0 && box.type !== 'ftyp') throw otherContent('is not an MP4 video')
    seen.add(box.type)
    if (box.type === 'ftyp') yield* fileType(box)
    else if (box.type === 'moov') yield* movie(box)
    else if (box.bytes === null) yield* toTheEnd()
    else if (!(yield* skip(box.bytes))) throw corruptContent(`ends within its ${box.type} box`)
  }
  if (seen.size === 0) throw otherContent('is not an MP4 video')
  if (!seen.has('moov')) throw corruptContent('does not say what is in it: it has no moov box')
  if (!seen.has('mdat')) throw corruptContent('has no pictures or sound in it: it has no mdat box')
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

/** The boxes inside must fill it; a header and a track are what every movie has. */
function* movie({ bytes }: Box): Reading {
  if (bytes === null) throw corruptContent('has a moov box without a size')
  const seen = new Set<string>()
  for (let left = bytes; left > 0; ) {
    const inner = yield* boxHead()
    if (!inner || inner.bytes === null || inner.headBytes + inner.bytes > left)
      throw corruptContent('has boxes that do not fit into their moov box')
    if (!(yield* skip(inner.bytes))) throw corruptContent('ends within its moov box')
    left -= inner.headBytes + inner.bytes
    seen.add(inner.type)
  }
  if (!seen.has('mvhd') || !seen.has('trak')) throw corruptContent('has a movie without a header or without tracks')
}

/** Null when the file ends between two boxes. */
function* boxHead(bad = corruptContent): Reading<Box | undefined> {
  const head = yield { exactly: 8 }
  if (head.length === 0) return undefined
  if (head.length < 8) throw bad('ends within the head of a box')
  const type = head.toString('latin1', 4, 8)
  if (!/^[ -~\xa9]{4}$/.test(type)) throw bad('has a box without a name')
  const size = head.readUInt32BE(0)
  if (size === 0) return { type, bytes: null, headBytes: 8 }
  if (size !== 1) return sized(type, size, 8, bad)
  const large = yield { exactly: 8 }
  if (large.length < 8) throw bad('ends within the head of a box')
  return sized(type, Number(large.readBigUInt64BE()), 16, bad)
}

function sized(type: string, size: number, headBytes: number, bad: typeof corruptContent): Box {
  if (size < headBytes || !Number.isSafeInteger(size)) throw bad('has a box of an impossible size')
  return { type, bytes: size - headBytes, headBytes }
}

function* toTheEnd(): Reading {
  while ((yield { upTo: 1 << 20 }).length > 0);
}

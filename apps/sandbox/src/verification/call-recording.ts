// The recording of a call: a valid MP4 with one still H.264 picture of grey bars.

/** 128 by 96 pixels, baseline profile: the sequence and picture parameters that a decoder needs first. */
const sequenceParameters = Buffer.from('6742000af841a2', 'hex')
const pictureParameters = Buffer.from('68ce3880', 'hex')
const width = 128
const height = 96
const blocks = 48
/** An IDR slice of intra macroblocks (H.264 §7.3.3), up to and including the first macroblock's header. */
const sliceHeader = Buffer.from('6588840868', 'hex')
/** The header of every other macroblock; raw pixels follow (I_PCM). */
const blockHeader = Buffer.from('0d00', 'hex')
const blockPixels = { luma: 256, chroma: 128 }
const seconds = 5
const timescale = 1000

/** A small, valid recording that differs by time. */
export function recording(at: Date): Buffer {
  const sample = withLength(stillPicture())
  const type = box('ftyp', text('isom'), u32(512), text('isomiso2avc1mp41'))
  const media = box('mdat', sample)
  // The length of the movie box does not depend on the offset's value.
  const movieAt = (offset: number): Buffer => movie(at, sample.length, offset)
  const head = type.length + movieAt(0).length
  return Buffer.concat([type, movieAt(head + 8), media])
}

function stillPicture(): Buffer {
  const pixels = (n: number) =>
    Buffer.concat([Buffer.alloc(blockPixels.luma, 40 + 4 * n), Buffer.alloc(blockPixels.chroma, 128)])
  const otherBlocks = Array.from({ length: blocks - 1 }, (_, n) => [blockHeader, pixels(n + 1)])
  return Buffer.concat([sliceHeader, pixels(0), ...otherBlocks.flat(), Buffer.from([0x80])])
}

const withLength = (unit: Buffer): Buffer => Buffer.concat([u32(unit.length), unit])

function movie(at: Date, sampleBytes: number, offset: number): Buffer {
  const createdAt = Math.floor(at.getTime() / 1000) + secondsFrom1904
  const duration = seconds * timescale
  return box(
    'moov',
    fullBox(
      'mvhd',
      0,
      u32(createdAt),
      u32(createdAt),
      u32(timescale),
      u32(duration),
      u32(0x10000),
      u16(0x100),
      zeros(10),
      matrix,
      zeros(24),
      u32(2),
    ),
    box(
      'trak',
      fullBox(
        'tkhd',
        3,
        u32(createdAt),
        u32(createdAt),
        u32(1),
        zeros(4),
        u32(duration),
        zeros(16),
        matrix,
        u32(width << 16),
        u32(height << 16),
      ),
      box(
        'mdia',
        fullBox('mdhd', 0, u32(createdAt), u32(createdAt), u32(timescale), u32(duration), u16(0x55c4), u16(0)),
        fullBox('hdlr', 0, zeros(4), text('vide'), zeros(12), text('recording\0')),
        box(
          'minf',
          fullBox('vmhd', 1, zeros(8)),
          box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1))),
          samples(sampleBytes, duration, offset),
        ),
      ),
    ),
  )
}

/** One sample, shown for the whole duration. */
const samples = (bytes: number, duration: number, offset: number): Buffer =>
  box(
    'stbl',
    fullBox('stsd', 0, u32(1), visualSampleEntry()),
    fullBox('stts', 0, u32(1), u32(1), u32(duration)),
    fullBox('stss', 0, u32(1), u32(1)),
    fullBox('stsc', 0, u32(1), u32(1), u32(1), u32(1)),
    fullBox('stsz', 0, u32(0), u32(1), u32(bytes)),
    fullBox('stco', 0, u32(1), u32(offset)),
  )

function visualSampleEntry(): Buffer {
  const parameters = [
    Buffer.from([0xe1]),
    u16(sequenceParameters.length),
    sequenceParameters,
    Buffer.from([1]),
    u16(pictureParameters.length),
    pictureParameters,
  ]
  const profile = sequenceParameters.subarray(1, 4)
  const configuration = box('avcC', Buffer.from([1]), profile, Buffer.from([0xff]), ...parameters)
  const resolution = [u32(0x480000), u32(0x480000)]
  return box(
    'avc1',
    zeros(6),
    u16(1),
    zeros(16),
    u16(width),
    u16(height),
    ...resolution,
    zeros(4),
    u16(1),
    zeros(32),
    u16(24),
    u16(0xffff),
    configuration,
  )
}

const secondsFrom1904 = 2_082_844_800

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), text(type), body])
}
const fullBox = (type: string, flags: number, ...parts: Buffer[]): Buffer => box(type, u32(flags), ...parts)
const text = (value: string): Buffer => Buffer.from(value, 'latin1')
const zeros = (count: number): Buffer => Buffer.alloc(count)

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const matrix = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32))

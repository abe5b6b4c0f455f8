// Measures what the streams of a PDF unpack to, because a small stream can fill the memory of a program that opens it.
import { ownValue } from '@lendloom/foundation/record'
import {
  type Filter,
  filtersByName,
  flate,
  flateHeadBytes,
  type NewFilter,
  pieceBytes,
  startsAsFlate,
} from './content-pdf-filters.ts'
import type { Decrypt } from './content-pdf-key.ts'
import { unsafeContent } from './resumable-parser.ts'

/** A stream may unpack to so many times its size: text does to ten times, a drawn page to a hundred, a bomb to 1000. */
const plainRatio = 100
/** What the streams of a file may unpack to beyond that: an empty page in colour at 300 dots per inch has 25 MiB. */
const maxExcessBytes = 32 << 20
const maxUnpackedBytes = 256 << 20
/** How many bytes after the ends of streams are unpacked, in case the packed data has the keyword of an end in it. */
const maxOverrunBytes = 4 << 20
/** The first piece of them. Each further one has as many bytes as all before, because most data ends at once. */
const overrunPieceBytes = 64
/** The first piece of a stream, which shows whether it is packed as its dictionary says. */
const firstPieceBytes = 64
const maxFilters = 4

export const uncheckableStreams = () => unsafeContent('has streams that cannot be checked')
const bomb = () => unsafeContent('has streams that unpack to more than 32 MiB and a hundred times their size')
const tooLargeStreams = () => unsafeContent('has streams that unpack to more than 256 MiB')

export interface StreamMeter {
  /** Starts a stream at a position of the text, in each of the ways in which a viewer may read it. */
  begin(at: number, ways: StreamWay[]): void
  /** Ends the current stream at a position of the text. */
  end(at: number): void
  /** Unpacks the streams up to a position, where the next text starts. Throws `BadContent` for a bomb. */
  read(text: string, upTo: number): Promise<void>
  close(): void
}

export interface StreamWay {
  /** The names of its filters. */
  filters: string[]
  /** Starts to decrypt it, once for each way to unpack it. */
  startDecryption: (() => Decrypt) | undefined
}

/** A stream that is being unpacked in one of the ways in which a viewer may unpack it. */
interface OpenStream {
  decrypt: Decrypt | undefined
  unpacking: Unpacking
  /** Where its next byte is in the text. */
  from: number
  /** Where a keyword ends it in the text; undefined before. */
  end: number | undefined
  overrunBytes: number
  packedBytes: number
  unpackedBytes: number
  excessBytes: number
}

export function newStreamMeter(): StreamMeter {
  let open: OpenStream[] = []
  /** The stream that no keyword has ended yet, in each of its ways. */
  let current: OpenStream[] = []
  let excessBytes = 0
  let unpackedBytes = 0
  let overrunBytes = 0

  function end(at: number): void {
    for (const stream of current) stream.end = at
    current = []
  }

  function count(stream: OpenStream, bytes: number): void {
    stream.unpackedBytes += bytes
    unpackedBytes += bytes
    const excess = Math.max(0, stream.unpackedBytes - plainRatio * stream.packedBytes)
    excessBytes += excess - stream.excessBytes
    stream.excessBytes = excess
    if (excessBytes > maxExcessBytes) throw bomb()
    if (unpackedBytes > maxUnpackedBytes) throw tooLargeStreams()
  }

  function countOverrun(stream: OpenStream, bytes: number): void {
    stream.overrunBytes += bytes
    overrunBytes += bytes
    if (overrunBytes > maxOverrunBytes) throw uncheckableStreams()
  }

  async function readStream(stream: OpenStream, text: string, upTo: number): Promise<void> {
    const { unpacking } = stream
    while (stream.from < upTo && !unpacking.hasEnded()) {
      const isOverrun = stream.end !== undefined && stream.from >= stream.end
      const overrunPiece = Math.min(pieceBytes, Math.max(overrunPieceBytes, stream.overrunBytes))
      const to = isOverrun
        ? Math.min(upTo, stream.from + overrunPiece)
        : Math.min(upTo, stream.from + (stream.packedBytes > 0 ? pieceBytes : firstPieceBytes), stream.end ?? upTo)
      const read = Buffer.from(text.slice(stream.from, to), 'latin1')
      const piece = stream.decrypt?.(read) ?? read
      if (isOverrun) countOverrun(stream, piece.length)
      stream.from = to
      stream.packedBytes += piece.length
      await unpacking.unpack(piece, (bytes) => count(stream, bytes))
    }
  }

  return {
    begin(at, ways) {
      end(at)
      current = ways.flatMap(({ filters, startDecryption }) =>
        waysToUnpack(filters).map((unpackers) => ({
          decrypt: startDecryption?.(),
          unpacking: unpackingBy(unpackers),
          from: at,
          end: undefined,
          overrunBytes: 0,
          packedBytes: 0,
          unpackedBytes: 0,
          excessBytes: 0,
        })),
      )
      for (const stream of current) open.push(stream)
    },
    end,
    async read(text, upTo) {
      for (const stream of open) {
        await readStream(stream, text, upTo)
        if (stream.unpacking.hasEnded()) stream.unpacking.close()
        stream.from -= upTo
        if (stream.end !== undefined) stream.end -= upTo
      }
      open = open.filter(({ unpacking }) => !unpacking.hasEnded())
    },
    close() {
      for (const { unpacking } of open) unpacking.close()
    },
  }
}

/** The short names of filters, which viewers accept. */
const longNames: Record<string, string> = {
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
}

/** Data that looks as if `FlateDecode` had packed it is unpacked in any case, as some viewers may do. */
function waysToUnpack(filters: string[]): NewFilter[][] {
  const declared = filtersOf(filters).filter(({ length }) => length > 0)
  return declared.some(([first]) => first === flate) ? declared : [...declared, []]
}

/** Returns the filters up to the first one for pictures, whose size the dictionary tells. */
function filtersOf(names: string[]): NewFilter[][] {
  if (names.length > maxFilters) throw uncheckableStreams()
  let ways: NewFilter[][] = [[]]
  for (const name of names) {
    // It says that the stream is not encrypted: the first reading of a file measures it as it is.
    if (name === 'Crypt') continue
    const variants = ownValue(filtersByName, ownValue(longNames, name) ?? name)
    if (!variants) break
    ways = ways.flatMap((way) => variants.map((variant) => [...way, variant]))
  }
  return ways
}

interface Unpacking {
  /** Unpacks bytes by all filters, and counts what each of them gives. */
  unpack(bytes: Buffer, count: (bytes: number) => void): Promise<void>
  hasEnded(): boolean
  close(): void
}

/** Unpacks by these filters, and then as long as the result looks packed. */
function unpackingBy([first, ...others]: NewFilter[], depth = 0): Unpacking {
  if (depth > maxFilters) throw uncheckableStreams()
  let filter: Filter | undefined = first?.()
  let isPlain = false
  let start = Buffer.alloc(0)
  let next: Unpacking | undefined

  async function unpack(bytes: Buffer, count: (bytes: number) => void): Promise<void> {
    if (isPlain) return
    let packed = bytes
    if (!filter) {
      start = Buffer.concat([start, bytes])
      if (start.length < flateHeadBytes) return
      isPlain = !startsAsFlate(start)
      if (isPlain) return
      filter = flate()
      packed = start
    }
    for (let from = 0; from < packed.length && !filter.hasEnded(); from += pieceBytes) {
      for (const unpacked of await filter.unpack(packed.subarray(from, from + pieceBytes))) {
        count(unpacked.length)
        next ??= unpackingBy(others, depth + 1)
        await next.unpack(unpacked, count)
      }
      const missing = filter.missingBytes()
      // They may be a bomb for another filter.
      if (missing > 0 && others.length > 0) throw uncheckableStreams()
      count(missing)
    }
  }
  return {
    unpack,
    hasEnded: () => isPlain || (filter?.hasEnded() ?? false),
    close() {
      filter?.close()
      next?.close()
    },
  }
}

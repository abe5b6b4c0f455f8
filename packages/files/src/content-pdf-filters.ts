// The filters that pack the streams of a PDF (ISO 32000-2 §7.4): they unpack piece by piece and keep nothing.
import { createInflateRaw } from 'node:zlib'

/** Unpacks one stream, or what another filter has unpacked of it. */
export interface Filter {
  /** Returns what these bytes unpack to; nothing after the end of the packed data, or after a fault in it. */
  unpack(bytes: Buffer): Promise<Buffer[]>
  hasEnded(): boolean
  /** How many bytes may be missing that were unpacked just before a fault. */
  missingBytes(): number
  close(): void
}

/** Starts a filter. */
export type NewFilter = () => Filter

/** The size of a piece, which a filter unpacks to 24 MiB at most. */
export const pieceBytes = 8 << 10

/** The filters by their names. LZW has two variants, which a parameter of the stream selects. */
export const filtersByName: Record<string, NewFilter[]> = {
  FlateDecode: [flate],
  LZWDecode: [() => lzw(1), () => lzw(0)],
  RunLengthDecode: [runLength],
  ASCIIHexDecode: [hex],
  ASCII85Decode: [base85],
}

/** The length of the head of data for `FlateDecode` (RFC 1950). */
export const flateHeadBytes = 2

/** Whether data starts as that of `FlateDecode` does. Viewers differ in the sizes of a window that they accept. */
export const startsAsFlate = (bytes: Buffer): boolean =>
  bytes.length >= flateHeadBytes && (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0

export function flate(): Filter {
  let start = Buffer.alloc(0)
  let inflating: Filter | undefined
  let hasEnded = false
  return {
    async unpack(bytes) {
      if (hasEnded) return []
      if (inflating) return inflating.unpack(bytes)
      start = Buffer.concat([start, bytes])
      if (start.length < flateHeadBytes) return []
      // Such as data that was decrypted with a wrong key.
      hasEnded = !startsAsFlate(start)
      if (hasEnded) return []
      inflating = inflateRaw()
      return inflating.unpack(start.subarray(flateHeadBytes))
    },
    hasEnded: () => hasEnded || (inflating?.hasEnded() ?? false),
    missingBytes: () => inflating?.missingBytes() ?? 0,
    close() {
      hasEnded = true
      inflating?.close()
    },
  }
}

/** The size of a piece that zlib returns, or loses when it finds a fault. */
const inflatedBytes = 16 << 10

/** Unpacks what is behind the head. The checksum at the end is not read, because some viewers ignore it. */
function inflateRaw(): Filter {
  const zlib = createInflateRaw({ chunkSize: inflatedBytes })
  let unpacked: Buffer[] = []
  let sentBytes = 0
  let hasEnded = false
  let missingBytes = 0
  let onClose = (): void => {}
  zlib.on('data', (bytes: Buffer) => unpacked.push(bytes))
  // A viewer shows what it could unpack before a fault, so a fault is an end.
  zlib.on('error', () => {
    missingBytes = inflatedBytes
  })
  zlib.on('close', () => {
    hasEnded = true
    onClose()
  })
  return {
    async unpack(bytes) {
      if (hasEnded) return []
      sentBytes += bytes.length
      await new Promise<void>((resolve) => {
        onClose = resolve
        // It closes after a fault.
        zlib.write(bytes, (fault) => {
          if (!fault) resolve()
        })
      })
      // It takes no bytes after the end of its data.
      if (zlib.bytesWritten < sentBytes) hasEnded = true
      const result = unpacked
      unpacked = []
      return result
    },
    hasEnded: () => hasEnded,
    missingBytes: () => missingBytes,
    close: () => zlib.destroy(),
  }
}

/** A filter without pauses. `unpackByte` returns the bytes that a byte completes; null at the end or a fault. */
function byteFilter(unpackByte: (byte: number) => Uint8Array | null): Filter {
  let hasEnded = false
  return {
    async unpack(bytes) {
      const unpacked: Uint8Array[] = []
      for (const byte of bytes) {
        const more = hasEnded ? null : unpackByte(byte)
        if (more === null) {
          hasEnded = true
          break
        }
        if (more.length > 0) unpacked.push(more)
      }
      return unpacked.length > 0 ? [Buffer.concat(unpacked)] : []
    },
    hasEnded: () => hasEnded,
    missingBytes: () => 0,
    close() {
      hasEnded = true
    },
  }
}

const nothing = new Uint8Array(0)

const lzwClear = 256
const lzwEnd = 257
const maxCodes = 4096

/** `early` is 1 if codes get longer one code early, as they do unless a stream says `/EarlyChange 0`. */
function lzw(early: 0 | 1): Filter {
  let codes: Uint8Array[] = []
  let previous: Uint8Array | undefined
  let buffered = 0
  let bits = 0
  const start = (): void => {
    codes = Array.from({ length: 258 }, (_, code) => (code < 256 ? Uint8Array.of(code) : nothing))
    previous = undefined
  }
  const widthOf = (count: number): number => (count >= 2048 ? 12 : count >= 1024 ? 11 : count >= 512 ? 10 : 9)

  function textOf(code: number): Uint8Array | null {
    const known = codes[code]
    if (previous === undefined) return known ?? null
    const first = (known ?? previous)[0] ?? 0
    if (known === undefined && code !== codes.length) return null
    if (codes.length < maxCodes) codes.push(joined(previous, first))
    return codes[code] ?? null
  }
  start()
  return byteFilter((byte) => {
    buffered = (buffered << 8) | byte
    bits += 8
    const width = widthOf(codes.length + early)
    if (bits < width) return nothing
    bits -= width
    const code = buffered >>> bits
    buffered &= (1 << bits) - 1
    if (code === lzwEnd) return null
    if (code === lzwClear) {
      start()
      return nothing
    }
    const text = textOf(code)
    if (text !== null) previous = text
    return text
  })
}

function joined(text: Uint8Array, byte: number): Uint8Array {
  const longer = new Uint8Array(text.length + 1)
  longer.set(text)
  longer[text.length] = byte
  return longer
}

const runLengthEnd = 128

function runLength(): Filter {
  let copies = 0
  let isRun = false
  return byteFilter((byte) => {
    if (isRun) {
      const run = new Uint8Array(copies).fill(byte)
      isRun = false
      copies = 0
      return run
    }
    if (copies > 0) {
      copies--
      return Uint8Array.of(byte)
    }
    if (byte === runLengthEnd) return null
    isRun = byte > runLengthEnd
    copies = isRun ? 257 - byte : byte + 1
    return nothing
  })
}

const isBlank = (byte: number): boolean => byte <= 0x20

function hex(): Filter {
  let high: number | undefined
  return byteFilter((byte) => {
    if (isBlank(byte)) return nothing
    const digit = Number.parseInt(String.fromCharCode(byte), 16)
    if (Number.isNaN(digit)) return null
    if (high === undefined) {
      high = digit
      return nothing
    }
    const whole = high * 16 + digit
    high = undefined
    return Uint8Array.of(whole)
  })
}

const zero = 'z'.charCodeAt(0)
const firstDigit = '!'.charCodeAt(0)
const lastDigit = 'u'.charCodeAt(0)

/** Its end, at most four bytes, is left out, because a bomb needs more. */
function base85(): Filter {
  let digits = 0
  let value = 0
  return byteFilter((byte) => {
    if (isBlank(byte)) return nothing
    if (byte === zero && digits === 0) return new Uint8Array(4)
    if (byte < firstDigit || byte > lastDigit) return null
    value = value * 85 + (byte - firstDigit)
    digits++
    if (digits < 5) return nothing
    const whole = Buffer.alloc(4)
    whole.writeUInt32BE(value % 2 ** 32)
    digits = 0
    value = 0
    return whole
  })
}

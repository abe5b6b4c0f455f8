// Inflates files of a ZIP archive within limits, and compares their sizes and checksums with the directory.
import { crc32, inflateRawSync } from 'node:zlib'
import { FileFault } from './xml-read.ts'

interface ZipEntry {
  name: string
  isDeflated: boolean
  checksum: number
  packedBytes: number
  bytes: number
  offset: number
}

const maxEntries = 1000
/** The beginnings of the records of a ZIP archive (APPNOTE 4.3); the offsets below are those of their fields. */
const directoryEntry = 0x504b0102
const localHeader = 0x504b0304
const damaged = 'its archive is damaged'

/** Inflates the chosen files, by name. No file is inflated if all together exceed `maxBytes`. */
export function unzip(archive: Buffer, isChosen: (name: string) => boolean, maxBytes: number): Map<string, Buffer> {
  try {
    const entries = entriesOf(archive).filter(({ name }) => isChosen(name))
    const total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
    if (total > maxBytes) throw new FileFault(`it has more than ${maxBytes >> 20} MB when unzipped`)
    if (new Set(entries.map(({ name }) => name)).size < entries.length) throw new FileFault(damaged)
    return new Map(entries.map((entry) => [entry.name, inflate(archive, entry)]))
  } catch (error) {
    if (error instanceof RangeError || (error instanceof Error && 'code' in error)) throw new FileFault(damaged)
    throw error
  }
}

function entriesOf(archive: Buffer): ZipEntry[] {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0) throw new FileFault(damaged)
  const count = archive.readUInt16LE(end + 10)
  if (count > maxEntries) throw new FileFault(`its archive has more than ${maxEntries} files`)
  const entries: ZipEntry[] = []
  for (let at = archive.readUInt32LE(end + 16); entries.length < count; ) {
    if (archive.readUInt32BE(at) !== directoryEntry) throw new FileFault(damaged)
    if (archive.readUInt16LE(at + 8) & 1) throw new FileFault('it is encrypted: save it without a password')
    const method = archive.readUInt16LE(at + 10)
    if (method !== 0 && method !== 8) throw new FileFault(damaged)
    const nameEnd = at + 46 + archive.readUInt16LE(at + 28)
    entries.push({
      name: archive.toString('utf8', at + 46, nameEnd),
      isDeflated: method === 8,
      checksum: archive.readUInt32LE(at + 16),
      packedBytes: archive.readUInt32LE(at + 20),
      bytes: archive.readUInt32LE(at + 24),
      offset: archive.readUInt32LE(at + 42),
    })
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return entries
}

function inflate(archive: Buffer, { isDeflated, checksum, packedBytes, bytes, offset }: ZipEntry): Buffer {
  if (archive.readUInt32BE(offset) !== localHeader) throw new FileFault(damaged)
  const start = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
  const packed = archive.subarray(start, start + packedBytes)
  const content = isDeflated ? inflateRawSync(packed, { maxOutputLength: Math.max(bytes, 1) }) : packed
  if (content.length !== bytes || crc32(content) !== checksum) throw new FileFault(damaged)
  return content
}

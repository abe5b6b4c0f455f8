// PDF: a whole file of a known version, and nothing in it that acts by itself, hides other files or hides its content.
import { inflateSync } from 'node:zlib'
import { broken, type ContentCheck, harmful, unlike } from './content-reading.ts'

/** Names (ISO 32000-2 §7.3.5) that no paper of a loan needs, and what each of them does to who opens it. */
const harm: Record<string, string> = {
  Encrypt: 'is encrypted',
  JavaScript: 'contains scripts',
  Rendition: 'contains scripts',
  XFA: 'contains scripts',
  Launch: 'starts other programs',
  ImportData: 'reads other files',
  SubmitForm: 'sends data elsewhere',
  EmbeddedFile: 'contains other files',
  EmbeddedFiles: 'contains other files',
  GoToE: 'contains other files',
  RichMedia: 'contains other programs',
}
/** What a stream that holds objects says of itself, and how it may be packed. */
const told = new Set(['ObjStm', 'First', 'N', 'Filter', 'Predictor'])
const packings = new Set(['FlateDecode', 'LZWDecode', 'ASCIIHexDecode', 'ASCII85Decode', 'RunLengthDecode', 'Crypt'])

const headerWithin = 1024
const eofWithin = 1024
/** Longer than any name or keyword that is looked for. */
const overlap = 160
const mostTables = 10_000
const mostPackedBytes = 8 << 20
const mostUnpackedBytes = 64 << 20

const anyName = String.raw`/([^\0\t\n\f\r ()<>[\]{}/%]{1,127})`
const names = new RegExp(anyName, 'g')
const keywords = String.raw`startxref\s{1,16}(\d{1,10})|xref|%%EOF|endstream|stream\r?\n|endobj`
const tokens = new RegExp(`${anyName}|${keywords}`, 'g')

/**
 * Reads names and keywords wherever they stand, also in comments, strings and packed pictures: a reader that is led there
 * by a crafted table would see them too. Packed objects are unpacked and read the same way.
 */
export function pdf(): ContentCheck {
  let text = ''
  /** Where `text` begins in the file. */
  let base = 0
  let header: number | undefined
  let lastEof = -1
  let start: number | undefined
  let hasRoot = false
  const tables: number[] = []
  /** What was told since the last object or stream ended. */
  const tells = new Set<string>()
  let packing: string[] = []
  let packed: { pieces: string[]; from: number; bytes: number } | undefined
  let unpackedBytes = 0

  function name(written: string, at: number): void {
    const plain = plainName(written)
    checkName(plain)
    if (told.has(plain)) tells.add(plain)
    if (packings.has(plain) && packing.length < 2) packing.push(plain)
    if (plain === 'Root') hasRoot = true
    if (plain === 'XRef') table(at)
  }
  function table(at: number): void {
    if (tables.push(at) > mostTables) throw broken('has more tables than a file needs')
  }
  function endOfObject(): void {
    if (tells.has('ObjStm')) throw harmful('has packed objects that cannot be checked')
    forget()
  }
  function forget(): void {
    tells.clear()
    packing = []
  }

  /** A stream begins: it is unpacked if a reader could find objects in it. */
  function stream(from: number): void {
    const holdsObjects = tells.has('ObjStm') || (tells.has('First') && tells.has('N'))
    const isReadable = packing.length === 1 && packing[0] === 'FlateDecode' && !tells.has('Predictor')
    const isPacked = tells.has('Filter')
    forget()
    if (!holdsObjects || !isPacked) return
    if (!isReadable) throw harmful('has packed objects that cannot be checked')
    packed = { pieces: [], from, bytes: 0 }
  }
  function collect(upTo: number): void {
    if (!packed) return
    packed.pieces.push(text.slice(packed.from, upTo))
    packed.bytes += upTo - packed.from
    packed.from = 0
    if (packed.bytes > mostPackedBytes) throw harmful('has packed objects that are too large to be checked')
  }
  function endOfStream(at: number): void {
    forget()
    if (!packed) return
    collect(at)
    const objects = unpacked(packed.pieces.join(''))
    packed = undefined
    unpackedBytes += objects.length
    if (unpackedBytes > mostUnpackedBytes) throw harmful('has packed objects that are too large to be checked')
    for (const [, written] of objects.matchAll(names)) {
      const plain = plainName(written!)
      checkName(plain)
      if (plain === 'Root') hasRoot = true
    }
  }

  function found(match: RegExpExecArray): void {
    const [all, written, offset] = match
    const at = base + match.index
    if (written !== undefined) name(written, at)
    else if (offset !== undefined) start = Number(offset)
    else if (all === 'xref') table(at)
    else if (all === '%%EOF') lastEof = at
    else if (all === 'endstream') endOfStream(match.index)
    else if (all === 'endobj') endOfObject()
    else if (!packed) stream(match.index + all.length)
  }

  /** Reads what is held; what begins in the last bytes waits for those that follow, unless none do. */
  function read(isAll: boolean): void {
    if (header === undefined && (isAll || text.length >= headerWithin + overlap)) header = headerIn(text)
    if (header === undefined) return
    let cut = isAll ? text.length : Math.max(0, text.length - overlap)
    tokens.lastIndex = 0
    for (let match = tokens.exec(text); match && match.index < cut; match = tokens.exec(text)) {
      found(match)
      cut = Math.max(cut, tokens.lastIndex)
    }
    collect(cut)
    text = text.slice(cut)
    base += cut
  }

  return {
    write(piece) {
      text += piece.toString('latin1')
      read(false)
    },
    end() {
      read(true)
      if (packed) throw broken('ends within a stream')
      if (lastEof < 0 || base - lastEof > eofWithin) throw broken('does not end as a PDF does')
      if (start === undefined || !leadsToTable(start, tables, header!)) throw broken('does not say where its table is')
      if (!hasRoot) throw broken('has no catalog')
    },
  }
}

const headerIn = (text: string): number => {
  const at = text.slice(0, headerWithin + 8).search(/%PDF-[12]\.\d/)
  if (at < 0) throw unlike('is not a PDF')
  return at
}

/** Offsets count from the header; some writers count from the first byte. A stream's `/XRef` stands a little behind it. */
const leadsToTable = (start: number, tables: number[], header: number): boolean =>
  tables.some((at) => [start, start + header].some((from) => at >= from && at - from < 2048))

function checkName(name: string): void {
  const why = harm[name]
  if (Object.hasOwn(harm, name)) throw harmful(why!)
}

/** `#4a` stands for a letter. */
const plainName = (written: string): string =>
  written.includes('#')
    ? written.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : written

function unpacked(bytes: string): string {
  try {
    return inflateSync(Buffer.from(bytes, 'latin1'), { maxOutputLength: mostUnpackedBytes }).toString('latin1')
  } catch {
    throw harmful('has packed objects that cannot be checked')
  }
}

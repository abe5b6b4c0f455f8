// PDF: a whole file of a known version, and nothing in it that acts by itself, hides other files or hides its content.
import { inflateSync } from 'node:zlib'
import { openActions, packedObjects } from './content-pdf-actions.ts'
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
/** Only line ends and blanks may stand behind the end, and no more of them than this. */
const eofWithin = 1024
/** Longer than any name or keyword that is looked for. */
const overlap = 160
const mostTables = 10_000
const mostPackedBytes = 8 << 20
const mostUnpackedBytes = 64 << 20

const anyName = String.raw`/([^\0\t\n\f\r ()<>[\]{}/%]{1,127})`
const names = new RegExp(anyName, 'g')
const startOfTable = String.raw`startxref\s{1,16}(\d{1,10})(\s{1,16}%%EOF)?`
const keywords = String.raw`${startOfTable}|xref|endstream|stream\r?\n|endobj|(?<!\d)(\d{1,10})\s{1,8}\d{1,5}\s{1,8}obj`
const tokens = new RegExp(`${anyName}|${keywords}`, 'g')

/**
 * Reads names and keywords wherever they stand, also in comments, strings and packed pictures: a reader that is led there
 * by a crafted table would see them too. Packed objects are unpacked and read the same way.
 */
export function pdf(): ContentCheck {
  let text = ''
  /** Where `text` begins in the file. */
  let base = 0
  let hasHeader = false
  /** Where the last end of the file is, as far as it has been read, and the last bytes. */
  let end = -1
  let tail = ''
  let start: number | undefined
  let hasRoot = false
  const tables: number[] = []
  /** What was told since the last object or stream ended. */
  const tells = new Set<string>()
  let packing: string[] = []
  let first: number | undefined
  const actions = openActions()
  let packed: { pieces: string[]; from: number; bytes: number; first: number } | undefined
  let unpackedBytes = 0

  function name(written: string, at: number, behind: string): void {
    const plain = plainName(written)
    checkName(plain)
    actions.name(plain, behind)
    if (told.has(plain)) tells.add(plain)
    if (plain === 'First') first = firstIn(behind)
    if (packings.has(plain) && packing.length < 2) packing.push(plain)
    if (plain === 'Root') hasRoot = true
    if (plain === 'XRef') table(at)
  }
  function table(at: number): void {
    if (tables.push(at) > mostTables) throw broken('has more tables than a file needs')
  }
  function endOfObject(): void {
    if (tells.has('ObjStm')) throw uncheckable()
    actions.endOfObject()
    forget()
  }
  function forget(): void {
    tells.clear()
    packing = []
    first = undefined
  }

  /** A stream begins: it is unpacked if a reader could find objects in it. */
  function stream(from: number): void {
    const holdsObjects = tells.has('ObjStm') || (tells.has('First') && tells.has('N'))
    const isReadable = packing.length === 1 && packing[0] === 'FlateDecode' && !tells.has('Predictor')
    const isPacked = tells.has('Filter')
    const firstAt = first
    forget()
    if (!holdsObjects) return
    // The objects in it have numbers of their own.
    actions.object(undefined)
    if (!isPacked) return
    if (!isReadable || firstAt === undefined) throw uncheckable()
    packed = { pieces: [], from, bytes: 0, first: firstAt }
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
    const all = unpacked(packed.pieces.join(''))
    const objects = packedObjects(all, packed.first)
    packed = undefined
    unpackedBytes += all.length
    if (unpackedBytes > mostUnpackedBytes) throw harmful('has packed objects that are too large to be checked')
    if (!objects) throw uncheckable()
    for (const object of objects) readPacked(object)
  }
  function readPacked({ number, text }: { number: number; text: string }): void {
    actions.object(number)
    for (const match of text.matchAll(names)) {
      const plain = plainName(match[1]!)
      checkName(plain)
      actions.name(plain, behindOf(text, match))
      if (plain === 'Root') hasRoot = true
    }
    actions.endOfObject()
  }

  function found(match: RegExpExecArray): void {
    const [all, written, offset, eof, number] = match
    const at = base + match.index
    if (written !== undefined) name(written, at, behindOf(text, match))
    else if (offset !== undefined) {
      start = Number(offset)
      if (eof !== undefined) end = at + all.length
    } else if (number !== undefined) actions.object(Number(number))
    else if (all === 'xref') table(at)
    else if (all === 'endstream') endOfStream(match.index)
    else if (all === 'endobj') endOfObject()
    else if (!packed) stream(match.index + all.length)
  }

  /** Reads what is held; what begins in the last bytes waits for those that follow, unless none do. */
  function read(isAll: boolean): void {
    if (!hasHeader && (isAll || text.length >= headerWithin + overlap)) hasHeader = isHeaded(text)
    if (!hasHeader) return
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
      const more = piece.toString('latin1')
      text += more
      tail = (tail + more).slice(-eofWithin)
      read(false)
    },
    end() {
      read(true)
      if (packed) throw broken('ends within a stream')
      const behind = base - end
      if (end < 0 || behind > eofWithin) throw broken('does not end as a PDF does')
      if (behind > 0 && !/^[ \t\r\n]*$/.test(tail.slice(-behind))) throw harmful('goes on behind its end')
      if (start === undefined || !leadsToTable(start, tables)) throw broken('does not say where its table is')
      if (!hasRoot) throw broken('has no catalog')
      actions.end()
    },
  }
}

const isHeaded = (text: string): true => {
  const at = text.slice(0, headerWithin + 8).search(/%PDF-[12]\.\d/)
  if (at < 0) throw unlike('is not a PDF')
  if (at > 0) throw harmful('has bytes before its header')
  return true
}

/** A stream's `/XRef` stands a little behind the offset that is given. */
const leadsToTable = (start: number, tables: number[]): boolean => tables.some((at) => at >= start && at - start < 2048)

/** What stands behind a name. Longer names than that of an action have no value that matters. */
const behindOf = (text: string, { index, 0: all }: RegExpExecArray): string =>
  text.slice(index + all.length, index + overlap)

/** Where the first object of a stream begins: undefined when that is written elsewhere. */
function firstIn(behind: string): number | undefined {
  const [, number] = /^\s*(\d{1,9})(?!\d|\s+\d+\s+R)/.exec(behind) ?? []
  return number === undefined ? undefined : Number(number)
}

const uncheckable = () => harmful('has packed objects that cannot be checked')

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
    throw uncheckable()
  }
}

// PDF: a complete file of a supported version without automatic actions, embedded files or hidden content.
import { ownValue } from '#kit/runtime/record.ts'
import { type OpenActions, openActions } from './content-pdf-actions.ts'
import {
  maxUnpackedBytes,
  oversizedObjects,
  type PackedHead,
  packedObjects,
  uncheckableObjects,
  unpackStream,
} from './content-pdf-packed.ts'
import { type ContentCheck, corruptContent, otherContent, unsafeContent } from './content-reading.ts'

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
/** The dictionary names of an object stream, and its supported filters. */
const reportedWords = new Set(['ObjStm', 'First', 'N', 'Filter', 'Predictor'])
const packings = new Set(['FlateDecode', 'LZWDecode', 'ASCIIHexDecode', 'ASCII85Decode', 'RunLengthDecode', 'Crypt'])

const headerWithin = 1024
/** How many bytes of white space may follow the end marker. */
const eofWithin = 1024
/** Longer than any name or keyword that is looked for. */
const overlap = 160
const mostTables = 10_000
const mostPackedBytes = 8 << 20

const anyName = String.raw`/([^\0\t\n\f\r ()<>[\]{}/%]{1,127})`
const names = new RegExp(anyName, 'g')
const startOfTable = String.raw`startxref\s{1,16}(\d{1,10})(\s{1,16}%%EOF)?`
const keywords = String.raw`${startOfTable}|xref|endstream|stream\r?\n|endobj|(?<!\d)(\d{1,10})\s{1,8}\d{1,5}\s{1,8}obj`
const tokens = new RegExp(`${anyName}|${keywords}`, 'g')

/** The state of a file that is being read. */
interface PdfProgress {
  /** The buffered text, and its position in the file. */
  text: string
  base: number
  hasHeader: boolean
  /** The position of the last end marker, and the last bytes. */
  end: number
  tail: string
  start: number | undefined
  hasRoot: boolean
  tables: number[]
  stream: StreamWords
  actions: OpenActions
  packed: PackedStream | undefined
  unpackedBytes: number
}

/** The words reported since the last object or stream ended. */
interface StreamWords {
  tells: Set<string>
  packing: string[]
  first: number | undefined
  count: number | undefined
}
const emptyWords = (): StreamWords => ({ tells: new Set(), packing: [], first: undefined, count: undefined })

/** A stream of packed objects that is being read. */
interface PackedStream {
  pieces: string[]
  from: number
  bytes: number
  head: PackedHead
}

/**
 * Reads names and keywords everywhere, also in comments, strings and packed pictures, because a crafted table could
 * lead a reader there. Packed objects are unpacked and read the same way.
 */
export function pdf(): ContentCheck {
  const progress: PdfProgress = {
    ...{ text: '', base: 0, hasHeader: false, end: -1, tail: '', start: undefined, hasRoot: false, tables: [] },
    ...{ stream: emptyWords(), actions: openActions(), packed: undefined, unpackedBytes: 0 },
  }
  return {
    write(piece) {
      const more = piece.toString('latin1')
      progress.text += more
      progress.tail = (progress.tail + more).slice(-eofWithin)
      read(progress, false)
    },
    end() {
      read(progress, true)
      checkEnd(progress)
    },
  }
}

/** Reads what is held; what begins in the last bytes waits for those that follow, unless none do. */
function read(progress: PdfProgress, isAll: boolean): void {
  const { text } = progress
  if (!progress.hasHeader && (isAll || text.length >= headerWithin + overlap)) progress.hasHeader = isHeaded(text)
  if (!progress.hasHeader) return
  let cut = isAll ? text.length : Math.max(0, text.length - overlap)
  tokens.lastIndex = 0
  for (let match = tokens.exec(text); match && match.index < cut; match = tokens.exec(text)) {
    found(progress, match)
    cut = Math.max(cut, tokens.lastIndex)
  }
  collect(progress, cut)
  progress.text = text.slice(cut)
  progress.base += cut
}

function found(progress: PdfProgress, match: RegExpExecArray): void {
  const [all, written, offset, eof, number] = match
  const at = progress.base + match.index
  if (written !== undefined) name(progress, plainName(written), { at, behind: behindOf(progress.text, match) })
  else if (offset !== undefined) {
    progress.start = Number(offset)
    if (eof !== undefined) progress.end = at + all.length
  } else if (number !== undefined) progress.actions.object(Number(number))
  else if (all === 'xref') table(progress, at)
  else if (all === 'endstream') endOfStream(progress, match.index)
  else if (all === 'endobj') endOfObject(progress)
  else if (!progress.packed) beginStream(progress, match.index + all.length)
}

function name(progress: PdfProgress, plain: string, { at, behind }: { at: number; behind: string }): void {
  const { stream } = progress
  checkName(plain)
  progress.actions.name(plain, behind)
  if (reportedWords.has(plain)) stream.tells.add(plain)
  if (plain === 'First') stream.first = numberIn(behind)
  if (plain === 'N') stream.count = numberIn(behind)
  if (packings.has(plain) && stream.packing.length < 2) stream.packing.push(plain)
  if (plain === 'Root') progress.hasRoot = true
  if (plain === 'XRef') table(progress, at)
}

function table({ tables }: PdfProgress, at: number): void {
  if (tables.push(at) > mostTables) throw corruptContent('has more tables than a file needs')
}

function endOfObject(progress: PdfProgress): void {
  if (progress.stream.tells.has('ObjStm')) throw uncheckableObjects()
  progress.actions.endOfObject()
  progress.stream = emptyWords()
}

/** A stream begins: it is unpacked if a reader could find objects in it. */
function beginStream(progress: PdfProgress, from: number): void {
  const { tells, packing, first, count } = progress.stream
  progress.stream = emptyWords()
  const holdsObjects = tells.has('ObjStm') || (tells.has('First') && tells.has('N'))
  if (!holdsObjects) return
  // Its objects have numbers of their own.
  progress.actions.object(undefined)
  if (!tells.has('Filter')) return
  const isReadable = packing.length === 1 && packing[0] === 'FlateDecode' && !tells.has('Predictor')
  if (!isReadable || first === undefined || count === undefined) throw uncheckableObjects()
  progress.packed = { pieces: [], from, bytes: 0, head: { count, first } }
}

function collect({ text, packed }: PdfProgress, upTo: number): void {
  if (!packed) return
  packed.pieces.push(text.slice(packed.from, upTo))
  packed.bytes += upTo - packed.from
  packed.from = 0
  if (packed.bytes > mostPackedBytes) throw oversizedObjects()
}

function endOfStream(progress: PdfProgress, at: number): void {
  const { packed } = progress
  progress.stream = emptyWords()
  if (!packed) return
  collect(progress, at)
  const all = unpackStream(packed.pieces.join(''), maxUnpackedBytes - progress.unpackedBytes)
  progress.packed = undefined
  progress.unpackedBytes += all.length
  for (const object of packedObjects(all, packed.head)) readPacked(progress, object)
}

function readPacked(progress: PdfProgress, { number, text }: { number: number; text: string }): void {
  progress.actions.object(number)
  for (const match of text.matchAll(names)) {
    const [, written = ''] = match
    const plain = plainName(written)
    checkName(plain)
    progress.actions.name(plain, behindOf(text, match))
    if (plain === 'Root') progress.hasRoot = true
  }
  progress.actions.endOfObject()
}

function checkEnd({ packed, base, end, tail, start, tables, hasRoot, actions }: PdfProgress): void {
  if (packed) throw corruptContent('ends within a stream')
  const behind = base - end
  if (end < 0 || behind > eofWithin) throw corruptContent('does not end as a PDF does')
  if (behind > 0 && !/^[ \t\r\n]*$/.test(tail.slice(-behind))) throw unsafeContent('goes on behind its end')
  if (start === undefined || !leadsToTable(start, tables)) throw corruptContent('does not say where its table is')
  if (!hasRoot) throw corruptContent('has no catalog')
  actions.end()
}

const isHeaded = (text: string): true => {
  const at = text.slice(0, headerWithin + 8).search(/%PDF-[12]\.\d/)
  if (at < 0) throw otherContent('is not a PDF')
  if (at > 0) throw unsafeContent('has bytes before its header')
  return true
}

/** A stream's `/XRef` follows shortly after the offset. */
const leadsToTable = (start: number, tables: number[]): boolean => tables.some((at) => at >= start && at - start < 2048)

/** The text after a name. Longer names than those of actions have no value that matters. */
const behindOf = (text: string, { index, 0: all }: RegExpExecArray): string =>
  text.slice(index + all.length, index + overlap)

/** A number that is written behind a name: undefined when it is written elsewhere. */
function numberIn(behind: string): number | undefined {
  const [, number] = /^\s*(\d{1,9})(?!\d|\s+\d+\s+R)/.exec(behind) ?? []
  return number === undefined ? undefined : Number(number)
}

function checkName(name: string): void {
  const why = ownValue(harm, name)
  if (why !== undefined) throw unsafeContent(why)
}

/** Decodes `#4a` to its character. */
const plainName = (written: string): string =>
  written.includes('#')
    ? written.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : written

// Checks that a PDF is complete, and has no scripts, embedded files or automatic actions that lead out of it.
import { ownValue } from '#kit/runtime/record.ts'
import { checkSize } from './content-image.ts'
import { type ActionScanner, newActionScanner } from './content-pdf-actions.ts'
import { newStreamMeter, type StreamMeter, uncheckableStreams } from './content-pdf-bomb.ts'
import { type FileCopy, newFileCopy } from './content-pdf-copy.ts'
import { type Decrypt, keyWithoutPassword, type ObjectName, type PdfKey } from './content-pdf-key.ts'
import { anyName, filtersIn, names, numberIn, plainName } from './content-pdf-names.ts'
import {
  maxUnpackedBytes,
  oversizedObjects,
  type PackedHead,
  packedObjects,
  uncheckableObjects,
  unpackStream,
} from './content-pdf-packed.ts'
import { BadContent, type ContentCheck, corruptContent, otherContent, unsafeContent } from './content-reading.ts'

/** Names (ISO 32000-2 §7.3.5) that no document of a loan needs, each with the fault of a file that has it. */
const harmfulNames: Record<string, string> = {
  JavaScript: 'contains scripts',
  Rendition: 'contains scripts',
  XFA: 'has an XFA form, which can run scripts; print it to a new PDF',
  Launch: 'starts other programs',
  ImportData: 'reads other files',
  SubmitForm: 'sends data elsewhere',
  EmbeddedFile: 'contains other files',
  EmbeddedFiles: 'contains other files',
  GoToE: 'contains other files',
  RichMedia: 'contains other programs',
}
/** The dictionary keys that describe an object stream. */
const reportedWords = new Set(['ObjStm', 'First', 'N', 'Filter', 'Predictor'])

const headerWithin = 1024
/** How many bytes of white space may follow the end marker: some programs fill a block with them. */
const eofWithin = 64 << 10
/** White space (ISO 32000-2 §7.2.3) and nothing else. */
const onlyBlank = /^[\0\t\n\f\r ]*$/
/** Bytes that are read again with the next chunk; longer than any name or keyword that is searched for. */
const overlap = 160
const maxTables = 10_000
const maxPackedBytes = 8 << 20
/** How many `/Filter` may be in front of a stream: its own, and those of dictionaries in the same object. */
const maxChains = 8

const startOfTable = String.raw`startxref\s{1,16}(\d{1,10})(\s{1,16}%%EOF)?`
const keywords = String.raw`${startOfTable}|xref|endstream|stream[ \t]{0,8}(?:\r\n?|\n)|endobj|(?<!\d)(\d{1,10})\s{1,8}(\d{1,5})\s{1,8}obj`
const tokens = new RegExp(`${anyName}|${keywords}`, 'g')

/** The state of a file that is being read. */
interface PdfProgress {
  /** The buffered text, and its position in the file. */
  text: string
  base: number
  hasHeader: boolean
  /** The position after the last end marker, and the last bytes of the file. */
  end: number
  tail: string
  start: number | undefined
  hasRoot: boolean
  tables: number[]
  stream: StreamWords
  actions: ActionScanner
  packed: PackedStream | undefined
  unpackedBytes: number
  meter: StreamMeter
  /** The objects that began since the last one ended. */
  objects: ObjectName[]
  /** How often the file says that it is encrypted. */
  encryptions: number
  /** The key of an encrypted file, in the second reading; undefined in the first. */
  key: PdfKey | undefined
  /** A fault of packed objects in the first reading, which is none if they are encrypted. */
  packedFault: BadContent | undefined
}

/** The keys, filters and numbers that were read since the last object or stream ended. */
interface StreamWords {
  keys: Set<string>
  /** The filters of each `/Filter`; null if they are elsewhere or too long to be read. */
  chains: (string[] | null)[]
  first: number | undefined
  count: number | undefined
  width: number | undefined
  height: number | undefined
}
const emptyWords = (): StreamWords => ({
  keys: new Set(),
  chains: [],
  first: undefined,
  count: undefined,
  width: undefined,
  height: undefined,
})

/** A stream of packed objects that is being read. */
interface PackedStream {
  pieces: string[]
  from: number
  bytes: number
  head: PackedHead
  decrypt: Decrypt | undefined
}

/**
 * Reads names and keywords everywhere, even in comments, strings and compressed pictures, because a crafted table could
 * make a viewer read objects there. Packed objects are unpacked and read the same way. An encrypted file is read again
 * once its key is known, which is at its end.
 */
export function pdf(): ContentCheck {
  const copy = newFileCopy()
  const progress = newProgress(undefined)
  return {
    async write(piece) {
      copy.add(piece)
      await readPiece(progress, piece)
    },
    async end() {
      await readEnd(progress)
      if (progress.encryptions > 0) await checkDecrypted(copy, progress.encryptions)
    },
    hasOwnerPassword: () => progress.encryptions > 0,
    close: () => copy.drop(),
  }
}

const newProgress = (key: PdfKey | undefined): PdfProgress => ({
  text: '',
  base: 0,
  hasHeader: false,
  end: -1,
  tail: '',
  start: undefined,
  hasRoot: false,
  tables: [],
  stream: emptyWords(),
  actions: newActionScanner(),
  packed: undefined,
  unpackedBytes: 0,
  meter: newStreamMeter(),
  objects: [],
  encryptions: 0,
  key,
  packedFault: undefined,
})

async function readPiece(progress: PdfProgress, piece: Buffer): Promise<void> {
  const more = piece.toString('latin1')
  progress.text += more
  progress.tail = (progress.tail + more).slice(-eofWithin)
  await read(progress, false)
}

async function readEnd(progress: PdfProgress): Promise<void> {
  await read(progress, true)
  progress.meter.close()
  const { encryptions, packedFault } = progress
  if (encryptions === 0 && packedFault) throw packedFault
  checkEnd(progress)
}

/** Reads the file again with its key. Throws `BadContent` if it does not open without a password. */
async function checkDecrypted(copy: FileCopy, encryptions: number): Promise<void> {
  const pieces = copy.pieces()
  const progress = newProgress(keyWithoutPassword(Buffer.concat(pieces).toString('latin1'), encryptions))
  for (const piece of pieces) await readPiece(progress, piece)
  await readEnd(progress)
}

/** Reads the buffered text, all of it at the end of the file; before, the last bytes wait for the next chunk. */
async function read(progress: PdfProgress, isAll: boolean): Promise<void> {
  const { text } = progress
  if (!progress.hasHeader && (isAll || text.length >= headerWithin + overlap)) progress.hasHeader = checkHeader(text)
  if (!progress.hasHeader) return
  let cut = isAll ? text.length : Math.max(0, text.length - overlap)
  tokens.lastIndex = 0
  for (let match = tokens.exec(text); match && match.index < cut; match = tokens.exec(text)) {
    readToken(progress, match)
    cut = Math.max(cut, tokens.lastIndex)
  }
  collect(progress, cut)
  await progress.meter.read(text, cut)
  progress.text = text.slice(cut)
  progress.base += cut
}

function readToken(progress: PdfProgress, match: RegExpExecArray): void {
  const [all, rawName, offset, eof, number, generation] = match
  const at = progress.base + match.index
  if (rawName !== undefined) readName(progress, plainName(rawName), { at, following: textAfter(progress.text, match) })
  else if (offset !== undefined) {
    progress.start = Number(offset)
    if (eof !== undefined) progress.end = at + all.length
  } else if (number !== undefined) beginObject(progress, { object: Number(number), generation: Number(generation) })
  else if (all === 'xref') addTable(progress, at)
  else if (all === 'endstream') endOfStream(progress, match.index)
  else if (all === 'endobj') endOfObject(progress)
  else if (!progress.packed) beginStream(progress, match.index + all.length)
}

function beginObject(progress: PdfProgress, name: ObjectName): void {
  progress.actions.object(name.object)
  progress.objects.push(name)
}

function readName(progress: PdfProgress, plain: string, { at, following }: { at: number; following: string }): void {
  const { stream } = progress
  checkName(plain)
  progress.actions.name(plain, following)
  if (reportedWords.has(plain)) stream.keys.add(plain)
  if (plain === 'First') stream.first = numberIn(following)
  if (plain === 'N') stream.count = numberIn(following)
  if (plain === 'Filter' && stream.chains.length <= maxChains) stream.chains.push(filtersIn(following))
  if (plain === 'Width') stream.width = numberIn(following)
  if (plain === 'Height') stream.height = numberIn(following)
  if (plain === 'Root') progress.hasRoot = true
  if (plain === 'Encrypt') progress.encryptions++
  if (plain === 'XRef') addTable(progress, at)
}

function addTable({ tables }: PdfProgress, at: number): void {
  if (tables.push(at) > maxTables) throw corruptContent('has more tables than can be checked')
}

function endOfObject(progress: PdfProgress): void {
  if (progress.stream.keys.has('ObjStm')) throw uncheckableObjects()
  progress.actions.endOfObject()
  progress.objects = []
  progress.stream = emptyWords()
}

/** Starts a stream; its text is collected if a viewer could read objects from it, and measured otherwise. */
function beginStream(progress: PdfProgress, from: number): void {
  const { keys, chains, first, count, width, height } = progress.stream
  progress.stream = emptyWords()
  const holdsObjects = keys.has('ObjStm') || (keys.has('First') && keys.has('N'))
  // The objects in the stream have their own numbers.
  if (holdsObjects) progress.actions.object(undefined)
  if (!holdsObjects || !keys.has('Filter')) {
    if (width !== undefined && height !== undefined) checkSize(width, height)
    progress.meter.begin(from, knownChains(chains), () => decryptionOf(progress))
    return
  }
  const isSupported = chains.length === 1 && chains[0]?.join() === 'FlateDecode' && !keys.has('Predictor')
  if (!isSupported || first === undefined || count === undefined) throw uncheckableObjects()
  progress.packed = { pieces: [], from, bytes: 0, head: { count, first }, decrypt: decryptionOf(progress) }
}

/** Starts the decryption of a stream; undefined in the first reading of a file. */
function decryptionOf({ key, objects }: PdfProgress): Decrypt | undefined {
  if (!key) return undefined
  const [name, ...others] = objects
  // A viewer could take any of several objects for the one of the stream.
  if (key.isByObject && others.length > 0) throw uncheckableStreams()
  return key.ofStream(name ?? { object: 0, generation: 0 })
}

function collect({ text, packed }: PdfProgress, upTo: number): void {
  if (!packed) return
  packed.pieces.push(text.slice(packed.from, upTo))
  packed.bytes += upTo - packed.from
  packed.from = 0
  if (packed.bytes > maxPackedBytes) throw oversizedObjects()
}

function endOfStream(progress: PdfProgress, at: number): void {
  const { packed } = progress
  progress.stream = emptyWords()
  progress.meter.end(at)
  if (!packed) return
  collect(progress, at)
  progress.packed = undefined
  try {
    readPackedStream(progress, packed)
  } catch (error) {
    if (progress.key || !(error instanceof BadContent) || error.message !== uncheckableObjects().message) throw error
    progress.packedFault ??= error
  }
}

function readPackedStream(progress: PdfProgress, { pieces, head, decrypt }: PackedStream): void {
  const bytes = Buffer.from(pieces.join(''), 'latin1')
  const all = unpackStream(decrypt?.(bytes) ?? bytes, maxUnpackedBytes - progress.unpackedBytes)
  progress.unpackedBytes += all.length
  for (const object of packedObjects(all, head)) readPacked(progress, object)
}

function readPacked(progress: PdfProgress, { number, text }: { number: number; text: string }): void {
  progress.actions.object(number)
  for (const match of text.matchAll(names)) {
    const [, rawName = ''] = match
    const plain = plainName(rawName)
    checkName(plain)
    progress.actions.name(plain, textAfter(text, match))
    if (plain === 'Root') progress.hasRoot = true
    if (plain === 'Encrypt') progress.encryptions++
  }
  progress.actions.endOfObject()
}

function checkEnd({ packed, base, end, tail, start, tables, hasRoot, actions }: PdfProgress): void {
  if (packed) throw corruptContent('ends within a stream')
  const following = base - end
  if (end < 0 || following > eofWithin) throw corruptContent('does not end as a PDF does')
  if (following > 0 && !onlyBlank.test(tail.slice(-following))) throw unsafeContent('has bytes after its end')
  if (start === undefined || !leadsToTable(start, tables))
    throw corruptContent('does not give the position of its table')
  if (!hasRoot) throw corruptContent('has no catalog')
  actions.end()
}

const checkHeader = (text: string): true => {
  const at = text.slice(0, headerWithin + 8).search(/%PDF-[12]\.\d/)
  if (at < 0) throw otherContent('is not a PDF')
  if (at > 0) throw unsafeContent('has bytes before its header')
  return true
}

/** Whether a table is at the offset. The `/XRef` of a table in a stream follows shortly after the offset. */
const leadsToTable = (start: number, tables: number[]): boolean => tables.some((at) => at >= start && at - start < 2048)

/** Returns the text that follows a name; it is shorter after longer names, whose values are not checked. */
const textAfter = (text: string, { index, 0: all }: RegExpExecArray): string =>
  text.slice(index + all.length, index + overlap)

/** Throws unless all filters are known. */
function knownChains(chains: (string[] | null)[]): string[][] {
  if (chains.length > maxChains) throw uncheckableStreams()
  return chains.map((chain) => {
    if (chain === null) throw uncheckableStreams()
    return chain
  })
}

function checkName(name: string): void {
  const fault = ownValue(harmfulNames, name)
  if (fault !== undefined) throw unsafeContent(fault)
}

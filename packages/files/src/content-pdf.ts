// Checks that a PDF is complete, and has no scripts, embedded files or automatic actions that lead out of it.
import { ownValue } from '@lendloom/foundation/record'
import { checkPixels } from './content-image.ts'
import { type ActionScanner, newActionScanner } from './content-pdf-actions.ts'
import { newStreamMeter, type StreamMeter, uncheckableStreams } from './content-pdf-bomb.ts'
import {
  type Decrypt,
  type Encryption,
  newEncryption,
  type ObjectName,
  type PdfKey,
  uncheckableEncryption,
} from './content-pdf-key.ts'
import { anyName, names, plainName } from './content-pdf-names.ts'
import {
  maxUnpackedBytes,
  oversizedObjects,
  type PackedHead,
  packedObjects,
  uncheckableObjects,
  unpackStream,
} from './content-pdf-object-streams.ts'
import { maxValueLength, type PdfDictionary, type PdfValue, readValue, skipBlanks } from './content-pdf-value.ts'
import { BadContent, type ContentCheck, corruptContent, otherContent, unsafeContent } from './resumable-parser.ts'

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

/** Among how many first bytes the header may be: other bytes may precede it. */
const headerWithin = 1024
/** How many bytes of white space may follow the end marker: some programs fill a block with them. */
const eofWithin = 64 << 10
/** White space (ISO 32000-2 §7.2.3) and nothing else. */
const onlyBlank = /^[\0\t\n\f\r ]*$/
/** Bytes that are read again with the next chunk; longer than any name or keyword that is searched for. */
const overlap = 160
/** Maximum number of cross-reference tables; each saved change of a file adds one. */
const maxTables = 10_000
/** Maximum length of an object stream, as stored. */
const maxPackedBytes = 8 << 20
/** Maximum length of all dictionaries, of which a crafted file could have one in another. */
const maxDictionaryBytes = 64 << 20

const space = String.raw`[\0\t\n\f\r ]`
const startOfTable = String.raw`startxref\s{1,16}(\d{1,10})(\s{1,16}%%EOF)?`
const object = String.raw`(?:(\d{1,10})${space}{1,8}(\d{1,5})${space}{0,8})?obj`
const keywords = `${startOfTable}|xref|trailer|endstream|(>>${space}{0,16})?stream|endobj|${object}`
const tokens = new RegExp(`${anyName}|${keywords}`, 'g')
/** The start of a stream, as every viewer reads it. */
const streamStart = /stream[ \t]{0,8}(?:\r\n?|\n)/y
/** Longer than any match of `streamStart`. */
const longestStart = 20

/** The state of a file that is being read. */
interface PdfProgress {
  /** The buffered text, and its position in the file. */
  text: string
  base: number
  isAll: boolean
  /** The length of the text at which a dictionary is read again that did not end in the text. */
  wantedLength: number
  hasHeader: boolean
  /** The position after the last end marker, and the last bytes of the file. */
  end: number
  tail: string
  start: number | undefined
  hasRoot: boolean
  tables: number[]
  /** The streams that follow the dictionaries that were read, by their positions in the file. */
  streams: Map<number, FoundStream>
  dictionaryBytes: number
  /** The position after the last dictionary of an object. */
  dictionaryEnd: number
  /** Whether a dictionary could not be read, and whether a stream may begin that no dictionary describes. */
  hasUnreadable: boolean
  hasStray: boolean
  actions: ActionScanner
  packed: PackedStream | undefined
  unpackedBytes: number
  meter: StreamMeter
  encryption: Encryption
  /** The key of an encrypted file, in the second reading; undefined in the first. */
  key: PdfKey | undefined
  /** A fault of packed objects in the first reading, which is none if they are encrypted. */
  packedFault: BadContent | undefined
  /** Whether packed objects were read without a key. */
  hasPlainObjects: boolean
}

/** A stream as a viewer finds it that reads the object at its header. */
interface FoundStream {
  dictionary: PdfDictionary
  /** The names that the object may have; undefined if they are uncertain. */
  objects: ObjectName[] | undefined
}

/** What is in front of an object: the digits of its number, and its generation. */
interface ObjectHeader {
  number: string
  generation: number
}

/** A stream of packed objects that is being read. */
interface PackedStream {
  pieces: string[]
  from: number
  bytes: number
  head: PackedHead
  /** The ways to decrypt it. */
  decryptions: ((() => Decrypt) | undefined)[]
}

/**
 * Reads names and keywords everywhere, even in comments, strings and compressed pictures, because a crafted table could
 * make a viewer read objects there. A dictionary is read at each place where an object could begin, and a stream only
 * behind a dictionary. Packed objects are unpacked and read as well. An encrypted file must be written again once its
 * key is known, which is at its end.
 */
export function pdf(): ContentCheck {
  let progress = newProgress(undefined)
  return {
    write: (piece) => readPiece(progress, piece),
    async end() {
      await readEnd(progress)
      const { key, encryption, hasPlainObjects } = progress
      if (key || !encryption.isNamed()) return undefined
      // A viewer that finds no encryption would read other objects in the same bytes.
      if (hasPlainObjects) throw uncheckableEncryption()
      progress = newProgress(encryption.keyWithoutPassword())
      return 'again'
    },
    hasOwnerPassword: () => progress.key !== undefined,
  }
}

const newProgress = (key: PdfKey | undefined): PdfProgress => ({
  text: '',
  base: 0,
  isAll: false,
  wantedLength: 0,
  hasHeader: false,
  end: -1,
  tail: '',
  start: undefined,
  hasRoot: false,
  tables: [],
  streams: new Map(),
  dictionaryBytes: 0,
  dictionaryEnd: 0,
  hasUnreadable: false,
  hasStray: false,
  actions: newActionScanner(),
  packed: undefined,
  unpackedBytes: 0,
  meter: newStreamMeter(),
  encryption: newEncryption(),
  key,
  packedFault: undefined,
  hasPlainObjects: false,
})

async function readPiece(progress: PdfProgress, piece: Buffer): Promise<void> {
  const more = piece.toString('latin1')
  progress.text += more
  progress.tail = (progress.tail + more).slice(-eofWithin)
  if (progress.text.length >= progress.wantedLength) await read(progress)
}

async function readEnd(progress: PdfProgress): Promise<void> {
  progress.isAll = true
  await read(progress)
  progress.meter.close()
  const { encryption, packedFault } = progress
  if (packedFault && !encryption.isNamed()) throw packedFault
  checkEnd(progress)
}

/** Reads the buffered text, all of it at the end of the file; before, the last bytes wait for the next chunk. */
async function read(progress: PdfProgress): Promise<void> {
  const { text, isAll } = progress
  if (!progress.hasHeader && (isAll || text.length >= headerWithin + overlap)) progress.hasHeader = checkHeader(text)
  if (!progress.hasHeader) return
  let cut = isAll ? text.length : Math.max(0, text.length - overlap)
  let from = 0
  progress.wantedLength = 0
  for (let match = tokenAt(text, from); match && match.index < cut; match = tokenAt(text, from)) {
    if (!readToken(progress, match)) {
      cut = match.index
      progress.wantedLength = Math.min(2 * (text.length - cut), maxValueLength + overlap)
      break
    }
    from = match.index + match[0].length
    cut = Math.max(cut, from)
  }
  collect(progress, cut)
  await progress.meter.read(text, cut)
  progress.text = text.slice(cut)
  progress.base += cut
}

function tokenAt(text: string, from: number): RegExpExecArray | null {
  tokens.lastIndex = from
  return tokens.exec(text)
}

/** Returns false if the text ends within what it has to read. */
function readToken(progress: PdfProgress, match: RegExpExecArray): boolean {
  const [all, rawName, offset, eof, close, number, generation] = match
  const at = progress.base + match.index
  const end = match.index + all.length
  if (rawName !== undefined) readName(progress, plainName(rawName), { at, following: textAfter(progress.text, match) })
  else if (offset !== undefined) {
    progress.start = Number(offset)
    if (eof !== undefined) progress.end = at + all.length
  } else if (all === 'xref') addTable(progress, at)
  else if (all === 'trailer') return readTrailer(progress, end)
  else if (all === 'endstream') endOfStream(progress, match.index)
  else if (all === 'endobj') endOfObject(progress, at)
  else if (all.endsWith('stream')) beginStream(progress, match.index + (close?.length ?? 0), close !== undefined)
  else return readObject(progress, end, number === undefined ? undefined : { number, generation: Number(generation) })
  return true
}

/** A dictionary, or that there is none, or that the text ends before it does. */
type FoundDictionary = { dictionary: PdfDictionary; end: number } | 'none' | 'incomplete'

/** Counts what was read for dictionaries, because crafted ones share their text: each piece may be read many times. */
function countRead(progress: PdfProgress, length: number): void {
  progress.dictionaryBytes += length
  if (progress.dictionaryBytes > maxDictionaryBytes) throw unsafeContent('has more objects than can be checked')
}

/** Reads the dictionary at a position of the text, after blanks and comments. */
function dictionaryAt(progress: PdfProgress, at: number): FoundDictionary {
  const { text, isAll } = progress
  const start = skipBlanks(text, at)
  const isMissing = text.length - start >= 2 && !text.startsWith('<<', start)
  const { value, end, isIncomplete } = isMissing ? noValueAt(start) : readValue(text, start)
  countRead(progress, end - at)
  if (isMissing) return 'none'
  if (isIncomplete && !isAll && text.length - at < maxValueLength) return 'incomplete'
  if (value instanceof Map) return { dictionary: value, end }
  progress.hasUnreadable = true
  return 'none'
}

const noValueAt = (end: number) => ({ value: undefined, end, isIncomplete: false })

/** Returns false if the text ends before the dictionary does. */
function readTrailer(progress: PdfProgress, at: number): boolean {
  const found = dictionaryAt(progress, at)
  if (found === 'incomplete') return false
  if (found !== 'none') progress.encryption.addTrailer(found.dictionary)
  return true
}

/** Returns false if the text ends before the dictionary and the start of a stream behind it do. */
function readObject(progress: PdfProgress, at: number, header: ObjectHeader | undefined): boolean {
  const { text, base, isAll, actions, encryption } = progress
  const found = dictionaryAt(progress, at)
  if (found === 'incomplete') return false
  const name = header && { object: Number(header.number), generation: header.generation }
  if (found === 'none') {
    if (name) actions.object(name.object)
    return true
  }
  const { dictionary, end } = found
  const stream = skipBlanks(text, end)
  countRead(progress, stream - end)
  if (!isAll && text.length - stream < longestStart && text.length - at < maxValueLength) return false
  actions.object(name?.object)
  encryption.addObject(name, dictionary)
  progress.dictionaryEnd = Math.max(progress.dictionaryEnd, base + end)
  if (text.startsWith('stream', stream)) addStream(progress, base + stream, { dictionary, objects: namesOf(header) })
  return true
}

function addStream({ streams, encryption }: PdfProgress, at: number, stream: FoundStream): void {
  const isTable = stream.dictionary.get('/Type') === '/XRef' || stream.dictionary.has('/W')
  if (isTable) encryption.addTrailer(stream.dictionary)
  // Only a header in a comment can have the same dictionary behind it as another.
  if (streams.has(at)) throw uncheckableStreams()
  streams.set(at, stream)
}

/** Returns the names under which a viewer may read an object, because a table may lead to the last digits of a number. */
const namesOf = (header: ObjectHeader | undefined): ObjectName[] | undefined =>
  header &&
  Array.from(header.number, (_, i) => ({ object: Number(header.number.slice(i)), generation: header.generation }))

function readName(progress: PdfProgress, plain: string, { at, following }: { at: number; following: string }): void {
  checkName(plain)
  progress.actions.name(plain, following)
  if (plain === 'Root') progress.hasRoot = true
  if (plain === 'Encrypt') progress.encryption.addName()
  if (plain === 'XRef') addTable(progress, at)
}

function addTable({ tables }: PdfProgress, at: number): void {
  if (tables.push(at) > maxTables) throw corruptContent('has more tables than can be checked')
}

function endOfObject({ actions, dictionaryEnd }: PdfProgress, at: number): void {
  // Before, it stands in a string or comment of the object.
  if (at >= dictionaryEnd) actions.endOfObject()
}

/** Starts a stream, if a dictionary is in front of it. */
function beginStream(progress: PdfProgress, at: number, isBehindDictionary: boolean): void {
  const { text, base, streams, packed } = progress
  const stream = streams.get(base + at)
  streams.delete(base + at)
  if (!stream) {
    if (isBehindDictionary) throw uncheckableStreams()
    progress.hasStray = true
    return
  }
  streamStart.lastIndex = at
  const { dictionary } = stream
  if (!streamStart.test(text) || hasOtherSource(dictionary)) throw uncheckableStreams()
  const from = streamStart.lastIndex
  if (holdsObjects(dictionary)) {
    if (packed) throw uncheckableObjects()
    beginPacked(progress, from, stream)
    return
  }
  checkPicture(dictionary)
  const filters = filtersOf(dictionary)
  if (!filters || (filters.includes('Crypt') && !isUnencrypted(dictionary))) throw uncheckableStreams()
  progress.meter.begin(
    from,
    decryptionsOf(progress, stream).map((startDecryption) => ({ filters, startDecryption })),
  )
}

/** Whether the bytes are in another file, or have filters by a name that only some viewers know. */
const hasOtherSource = (dictionary: PdfDictionary): boolean => dictionary.has('/F') || dictionary.has('/DP')

const holdsObjects = (dictionary: PdfDictionary): boolean =>
  dictionary.get('/Type') === '/ObjStm' || (dictionary.has('/First') && dictionary.has('/N'))

const listOf = (value: PdfValue): PdfValue[] => (Array.isArray(value) ? value : [value])

/** Returns the names of the filters; undefined if they are elsewhere. */
function filtersOf(dictionary: PdfDictionary): string[] | undefined {
  const list = listOf(dictionary.get('/Filter') ?? [])
  const filters = list.filter((each) => typeof each === 'string' && each.startsWith('/')).map(String)
  return filters.length === list.length ? filters.map((each) => each.slice(1)) : undefined
}

/** Whether the filter `Crypt` of a stream only says that it is not encrypted, as it does for public metadata. */
const isUnencrypted = (dictionary: PdfDictionary): boolean =>
  listOf(dictionary.get('/DecodeParms') ?? null).every(
    (each) => each === null || (each instanceof Map && (each.get('/Name') ?? '/Identity') === '/Identity'),
  )

function checkPicture(dictionary: PdfDictionary): void {
  const width = dictionary.get('/Width')
  const height = dictionary.get('/Height')
  if (typeof width === 'number' && typeof height === 'number') checkPixels(width, height)
}

function beginPacked(progress: PdfProgress, from: number, stream: FoundStream): void {
  const { dictionary } = stream
  // Only compressed data shows where it ends; other data may have the keyword of its end in it.
  const isCompressed = filtersOf(dictionary)?.join() === 'FlateDecode'
  const parameters = dictionary.get('/DecodeParms') ?? new Map()
  const hasPredictor = !(parameters instanceof Map) || parameters.has('/Predictor')
  const count = dictionary.get('/N')
  const first = dictionary.get('/First')
  if (!isCompressed || hasPredictor || !isIndex(count) || !isIndex(first)) throw uncheckableObjects()
  // The objects in the stream have their own numbers.
  progress.actions.object(undefined)
  progress.packed = {
    pieces: [],
    from,
    bytes: 0,
    head: { count, first },
    decryptions: decryptionsOf(progress, stream),
  }
}

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** Returns the ways to decrypt a stream: none in the first reading of a file. */
function decryptionsOf({ key }: PdfProgress, { objects }: FoundStream): ((() => Decrypt) | undefined)[] {
  if (!key) return [undefined]
  if (!key.isByObject) return [() => key.ofStream({ object: 0, generation: 0 })]
  if (!objects) throw uncheckableStreams()
  return objects.map((each) => () => key.ofStream(each))
}

function collect({ text, packed }: PdfProgress, upTo: number): void {
  if (!packed) return
  packed.pieces.push(text.slice(packed.from, upTo))
  packed.bytes += Math.max(0, upTo - packed.from)
  packed.from = Math.max(0, packed.from - upTo)
  if (packed.bytes > maxPackedBytes) throw oversizedObjects()
}

function endOfStream(progress: PdfProgress, at: number): void {
  const { packed } = progress
  progress.meter.end(at)
  if (!packed) return
  collect(progress, at)
  progress.packed = undefined
  const bytes = Buffer.from(packed.pieces.join(''), 'latin1')
  let fault: BadContent | undefined = uncheckableObjects()
  for (const startDecryption of packed.decryptions)
    if (hasObjects(progress, packed.head, startDecryption?.()(bytes) ?? bytes)) fault = undefined
  if (progress.key && fault) throw fault
  progress.packedFault ??= fault
  if (!fault) progress.hasPlainObjects = true
}

/** Reads packed objects; returns false if they have a fault. */
function hasObjects(progress: PdfProgress, head: PackedHead, bytes: Buffer): boolean {
  const { text, isWhole } = unpackStream(bytes, maxUnpackedBytes - progress.unpackedBytes)
  progress.unpackedBytes += text.length
  for (const [, rawName = ''] of text.matchAll(names)) checkName(plainName(rawName))
  const objects = isWhole ? objectsIn(text, head) : undefined
  // A viewer may read the names that it could unpack. Data that was decrypted with a wrong key has hardly any.
  if (!objects && text.includes('/')) throw uncheckableObjects()
  for (const object of objects ?? []) readPacked(progress, object)
  return objects !== undefined
}

function readPacked(progress: PdfProgress, { number, text }: { number: number; text: string }): void {
  progress.actions.object(number)
  for (const match of text.matchAll(names)) {
    const [, rawName = ''] = match
    const plain = plainName(rawName)
    progress.actions.name(plain, textAfter(text, match))
    if (plain === 'Root') progress.hasRoot = true
    if (plain === 'Encrypt') progress.encryption.addName()
  }
  progress.actions.endOfObject()
}

function checkEnd(progress: PdfProgress): void {
  const { packed, base, end, tail, start, tables, hasRoot, actions, encryption } = progress
  if (packed) throw corruptContent('ends within a stream')
  const following = base - end
  if (end < 0 || following > eofWithin) throw corruptContent('does not end as a PDF does')
  if (following > 0 && !onlyBlank.test(tail.slice(-following))) throw unsafeContent('has bytes after its end')
  if (start === undefined || !leadsToTable(start, tables))
    throw corruptContent('does not give the position of its table')
  if (!hasRoot) throw corruptContent('has no catalog')
  if (progress.hasUnreadable && progress.hasStray) throw uncheckableStreams()
  // It may be the one that tells viewers how the file is encrypted.
  if (progress.hasUnreadable && encryption.isNamed()) throw uncheckableEncryption()
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

function checkName(name: string): void {
  const fault = ownValue(harmfulNames, name)
  if (fault !== undefined) throw unsafeContent(fault)
}

/** Returns the objects in an unpacked stream; undefined if its table has a fault. */
function objectsIn(text: string, head: PackedHead): ReturnType<typeof packedObjects> | undefined {
  try {
    return packedObjects(text, head)
  } catch (error) {
    if (error instanceof BadContent) return undefined
    throw error
  }
}

// Checks that a PDF is complete, and has no scripts, embedded files or automatic actions that lead out of it.
import { ownValue } from '#kit/runtime/record.ts'
import { checkSize } from './content-image.ts'
import { type ActionScanner, blank, newActionScanner } from './content-pdf-actions.ts'
import { newStreamMeter, type StreamMeter, uncheckableStreams } from './content-pdf-bomb.ts'
import {
  maxUnpackedBytes,
  oversizedObjects,
  type PackedHead,
  packedObjects,
  uncheckableObjects,
  unpackStream,
} from './content-pdf-packed.ts'
import { type ContentCheck, corruptContent, otherContent, unsafeContent } from './content-reading.ts'

/** Names (ISO 32000-2 §7.3.5) that no document of a loan needs, each with the fault of a file that has it. */
const harmfulNames: Record<string, string> = {
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

const anyName = String.raw`/([^\0\t\n\f\r ()<>[\]{}/%]{1,127})`
const names = new RegExp(anyName, 'g')
const firstName = new RegExp(`^${anyName}`)
const startOfTable = String.raw`startxref\s{1,16}(\d{1,10})(\s{1,16}%%EOF)?`
const keywords = String.raw`${startOfTable}|xref|endstream|stream[ \t]{0,8}(?:\r\n?|\n)|endobj|(?<!\d)(\d{1,10})\s{1,8}\d{1,5}\s{1,8}obj`
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
}

/**
 * Reads names and keywords everywhere, even in comments, strings and compressed pictures, because a crafted table could
 * make a viewer read objects there. Packed objects are unpacked and read the same way.
 */
export function pdf(): ContentCheck {
  const progress: PdfProgress = {
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
  }
  return {
    async write(piece) {
      const more = piece.toString('latin1')
      progress.text += more
      progress.tail = (progress.tail + more).slice(-eofWithin)
      await read(progress, false)
    },
    async end() {
      await read(progress, true)
      progress.meter.close()
      checkEnd(progress)
    },
  }
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
  const [all, rawName, offset, eof, number] = match
  const at = progress.base + match.index
  if (rawName !== undefined) readName(progress, plainName(rawName), { at, following: textAfter(progress.text, match) })
  else if (offset !== undefined) {
    progress.start = Number(offset)
    if (eof !== undefined) progress.end = at + all.length
  } else if (number !== undefined) progress.actions.object(Number(number))
  else if (all === 'xref') addTable(progress, at)
  else if (all === 'endstream') endOfStream(progress, match.index)
  else if (all === 'endobj') endOfObject(progress)
  else if (!progress.packed) beginStream(progress, match.index + all.length)
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
  if (plain === 'XRef') addTable(progress, at)
}

function addTable({ tables }: PdfProgress, at: number): void {
  if (tables.push(at) > maxTables) throw corruptContent('has more tables than can be checked')
}

function endOfObject(progress: PdfProgress): void {
  if (progress.stream.keys.has('ObjStm')) throw uncheckableObjects()
  progress.actions.endOfObject()
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
    progress.meter.begin(from, knownChains(chains))
    return
  }
  const isSupported = chains.length === 1 && chains[0]?.join() === 'FlateDecode' && !keys.has('Predictor')
  if (!isSupported || first === undefined || count === undefined) throw uncheckableObjects()
  progress.packed = { pieces: [], from, bytes: 0, head: { count, first } }
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
  const all = unpackStream(packed.pieces.join(''), maxUnpackedBytes - progress.unpackedBytes)
  progress.packed = undefined
  progress.unpackedBytes += all.length
  for (const object of packedObjects(all, packed.head)) readPacked(progress, object)
}

function readPacked(progress: PdfProgress, { number, text }: { number: number; text: string }): void {
  progress.actions.object(number)
  for (const match of text.matchAll(names)) {
    const [, rawName = ''] = match
    const plain = plainName(rawName)
    checkName(plain)
    progress.actions.name(plain, textAfter(text, match))
    if (plain === 'Root') progress.hasRoot = true
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

/** Returns the names of the filters at the start of a text; null if they are elsewhere or the list does not end. */
function filtersIn(following: string): string[] | null {
  const value = following.replace(blank, '')
  if (/^\d/.test(value)) return null
  if (!value.startsWith('[')) {
    const [, name] = firstName.exec(value) ?? []
    return name === undefined ? [] : [plainName(name)]
  }
  const end = value.indexOf(']')
  const list = value.slice(1, end)
  if (end < 0 || /%|\d\s{1,8}R/.test(list)) return null
  return Array.from(list.matchAll(names), ([, name = '']) => plainName(name))
}

/** Returns the number at the start of a text; undefined for an indirect reference. */
function numberIn(following: string): number | undefined {
  const [, number] = /^\s*(\d{1,9})(?!\d|\s+\d+\s+R)/.exec(following) ?? []
  return number === undefined ? undefined : Number(number)
}

function checkName(name: string): void {
  const fault = ownValue(harmfulNames, name)
  if (fault !== undefined) throw unsafeContent(fault)
}

/** Decodes escapes such as `#4a` in a name. */
const plainName = (rawName: string): string =>
  rawName.includes('#')
    ? rawName.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : rawName

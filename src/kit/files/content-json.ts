// JSON, strictly: UTF-8, the grammar of RFC 8259 to the last byte, an object or a list, not nested without end.
import { type BadContent, type ContentCheck, corruptContent, otherContent } from './content-reading.ts'

const deepest = 200
const longestWord = 400

const blank = /[ \t\n\r]*/y
const word = /[-+.0-9A-Za-z]+/y
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a string may not hold
const plain = /[^"\\\x00-\x1f]*/y
const escaping = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y
const longestEscape = 6
const blanks = [...' \t\n\r'].map((character) => character.charCodeAt(0))
const brackets = [...'{['].map((character) => character.charCodeAt(0))

/** The token that may come next. */
type Next = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'nothing'

/** How far a text has been read. */
interface JsonProgress {
  open: ('{' | '[')[]
  next: Next
  inString: 'key' | 'value' | undefined
  /** The incomplete end of a piece, for the next one. */
  carry: string
}

/** Reads the text token by token; a token that a chunk cuts is continued in the next chunk. */
export function json(): ContentCheck {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const progress: JsonProgress = { open: [], next: 'value', inString: undefined, carry: '' }
  let hasBegun = false

  function decoded(piece?: Buffer): string {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
    } catch {
      throw corruptContent('is not UTF-8')
    }
  }

  return {
    write(piece) {
      if (!hasBegun) hasBegun = isBegun(piece)
      read(progress, progress.carry + decoded(piece))
    },
    end() {
      read(progress, progress.carry + decoded())
      if (!hasBegun) throw otherContent('is not a JSON object or list')
      if (progress.next !== 'nothing') throw corruptContent('ends before its JSON does')
    },
  }
}

/** Whether the text has begun in this piece. A number or a word alone is JSON too, but no report. */
function isBegun(piece: Buffer): boolean {
  const first = piece.find((byte) => !blanks.includes(byte))
  if (first !== undefined && !brackets.includes(first)) throw otherContent('is not a JSON object or list')
  return first !== undefined
}

function read(progress: JsonProgress, text: string): void {
  progress.carry = ''
  for (let at: number | undefined = 0; at !== undefined && at < text.length; )
    at = progress.inString ? string(progress, text, at) : token(progress, text, at)
}

const wrong = (): BadContent => corruptContent('is no JSON: a character stands where it may not')

function begin(progress: JsonProgress, bracket: '{' | '['): void {
  if (progress.open.push(bracket) > deepest) throw corruptContent(`is nested more than ${deepest} levels deep`)
  progress.next = bracket === '{' ? 'key or }' : 'value or ]'
}

function close(progress: JsonProgress): void {
  progress.open.pop()
  progress.next = progress.open.length === 0 ? 'nothing' : 'comma'
}

function punctuation(progress: JsonProgress, character: string): void {
  const { next, open } = progress
  const isValue = next === 'value' || next === 'value or ]'
  if (isValue && (character === '{' || character === '[')) begin(progress, character)
  else if (isValue && character === '"' && open.length > 0) progress.inString = 'value'
  else if ((next === 'key' || next === 'key or }') && character === '"') progress.inString = 'key'
  else if (character === ']' && (next === 'value or ]' || (next === 'comma' && open.at(-1) === '['))) close(progress)
  else if (character === '}' && (next === 'key or }' || (next === 'comma' && open.at(-1) === '{'))) close(progress)
  else if (character === ':' && next === 'colon') progress.next = 'value'
  else if (character === ',' && next === 'comma') progress.next = open.at(-1) === '{' ? 'key' : 'value'
  else throw wrong()
}

/** The place behind what was read of the string; undefined when an escape is cut. */
function string(progress: JsonProgress, text: string, from: number): number | undefined {
  const stop = endOf(plain, text, from)
  if (stop === text.length) return stop
  if (text[stop] === '"') {
    progress.next = progress.inString === 'key' ? 'colon' : 'comma'
    progress.inString = undefined
    return stop + 1
  }
  const escaped = endOf(escaping, text, stop)
  if (escaped > stop) return escaped
  progress.carry = text.slice(stop)
  if (text[stop] === '\\' && progress.carry.length < longestEscape) return undefined
  throw corruptContent('is no JSON: it has a string that does not end where it should')
}

/** The place behind the next token; undefined when the text ends within one. */
function token(progress: JsonProgress, text: string, from: number): number | undefined {
  const start = endOf(blank, text, from)
  if (start === text.length) return start
  const stop = endOf(word, text, start)
  if (stop === start) {
    punctuation(progress, text.charAt(start))
    return start + 1
  }
  if (progress.open.length === 0 || (progress.next !== 'value' && progress.next !== 'value or ]')) throw wrong()
  if (stop - start > longestWord) throw corruptContent('is no JSON: it has a word that does not end')
  if (stop === text.length) {
    progress.carry = text.slice(start)
    return undefined
  }
  if (!scalar.test(text.slice(start, stop))) throw corruptContent('is no JSON: it has a word or number that is none')
  progress.next = 'comma'
  return stop
}

/** The end of a sticky pattern's match; `from` without a match. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

// Checks that a file is a JSON object or list (RFC 8259) in UTF-8, nested to a limited depth.
import { type BadContent, type ContentCheck, corruptContent, otherContent } from './resumable-parser.ts'

const maxDepth = 200
const maxWordLength = 400

const blank = /[ \t\n\r]*/y
const word = /[-+.0-9A-Za-z]+/y
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON string must not contain these
const unescaped = /[^"\\\x00-\x1f]*/y
const escaping = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y
const escapeLength = 6
const blanks = [...' \t\n\r'].map((character) => character.charCodeAt(0))
const brackets = [...'{['].map((character) => character.charCodeAt(0))

/** The token that may come next. */
type Next = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'nothing'

/** The state of the parser between chunks. */
interface JsonProgress {
  open: ('{' | '[')[]
  next: Next
  inString: 'key' | 'value' | undefined
  /** The incomplete token at the end of a chunk, continued in the next chunk. */
  carry: string
}

/** Reads the text token by token; a token that a chunk cuts is continued in the next chunk. */
export function json(): ContentCheck {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const progress: JsonProgress = { open: [], next: 'value', inString: undefined, carry: '' }
  let isStarted = false

  function decode(chunk?: Buffer): string {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch {
      throw corruptContent('is not UTF-8')
    }
  }

  return {
    write(chunk) {
      if (!isStarted) isStarted = hasText(chunk)
      read(progress, progress.carry + decode(chunk))
    },
    end() {
      read(progress, progress.carry + decode())
      if (!isStarted) throw otherContent('is not a JSON object or list')
      if (progress.next !== 'nothing') throw corruptContent('ends before its JSON is complete')
    },
  }
}

/** Whether the chunk has more than blanks. Throws for a number or word alone, which is JSON but not a document. */
function hasText(chunk: Buffer): boolean {
  const first = chunk.find((byte) => !blanks.includes(byte))
  if (first !== undefined && !brackets.includes(first)) throw otherContent('is not a JSON object or list')
  return first !== undefined
}

function read(progress: JsonProgress, text: string): void {
  progress.carry = ''
  for (let at: number | undefined = 0; at !== undefined && at < text.length; )
    at = progress.inString ? readString(progress, text, at) : readToken(progress, text, at)
}

const unexpectedCharacter = (): BadContent => corruptContent('is not valid JSON: it has an unexpected character')

function begin(progress: JsonProgress, bracket: '{' | '['): void {
  if (progress.open.push(bracket) > maxDepth) throw corruptContent(`is nested more than ${maxDepth} levels deep`)
  progress.next = bracket === '{' ? 'key or }' : 'value or ]'
}

function close(progress: JsonProgress): void {
  progress.open.pop()
  progress.next = progress.open.length === 0 ? 'nothing' : 'comma'
}

function readPunctuation(progress: JsonProgress, character: string): void {
  const { next, open } = progress
  const isValue = next === 'value' || next === 'value or ]'
  if (isValue && (character === '{' || character === '[')) begin(progress, character)
  else if (isValue && character === '"' && open.length > 0) progress.inString = 'value'
  else if ((next === 'key' || next === 'key or }') && character === '"') progress.inString = 'key'
  else if (character === ']' && (next === 'value or ]' || (next === 'comma' && open.at(-1) === '['))) close(progress)
  else if (character === '}' && (next === 'key or }' || (next === 'comma' && open.at(-1) === '{'))) close(progress)
  else if (character === ':' && next === 'colon') progress.next = 'value'
  else if (character === ',' && next === 'comma') progress.next = open.at(-1) === '{' ? 'key' : 'value'
  else throw unexpectedCharacter()
}

/** Reads on in a string. Returns the position after the text that was read; undefined when the chunk cuts an escape. */
function readString(progress: JsonProgress, text: string, from: number): number | undefined {
  const stop = endOf(unescaped, text, from)
  if (stop === text.length) return stop
  if (text[stop] === '"') {
    progress.next = progress.inString === 'key' ? 'colon' : 'comma'
    progress.inString = undefined
    return stop + 1
  }
  const escaped = endOf(escaping, text, stop)
  if (escaped > stop) return escaped
  progress.carry = text.slice(stop)
  if (text[stop] === '\\' && progress.carry.length < escapeLength) return undefined
  throw corruptContent('is not valid JSON: it has an invalid character or escape in a string')
}

/** Reads a token. Returns the position after it; undefined when the chunk ends within it. */
function readToken(progress: JsonProgress, text: string, from: number): number | undefined {
  const start = endOf(blank, text, from)
  if (start === text.length) return start
  const stop = endOf(word, text, start)
  if (stop === start) {
    readPunctuation(progress, text.charAt(start))
    return start + 1
  }
  if (progress.open.length === 0 || (progress.next !== 'value' && progress.next !== 'value or ]'))
    throw unexpectedCharacter()
  if (stop - start > maxWordLength) throw corruptContent('is not valid JSON: it has a word that is too long')
  if (stop === text.length) {
    progress.carry = text.slice(start)
    return undefined
  }
  if (!scalar.test(text.slice(start, stop))) throw corruptContent('is not valid JSON: it has an invalid word or number')
  progress.next = 'comma'
  return stop
}

/** The end of a sticky pattern's match; `from` without a match. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

// Reads request bodies: JSON in strict UTF-8 of limited depth, without repeated keys or text that a database cannot store; forms.
import { isUtf8 } from 'node:buffer'
import { invalid, Refusal } from './refusal.ts'

/**
 * Returns the JSON of a body; an empty body is `{}`, whatever its content type. Throws `unsupported-media`, `malformed`, or
 * `invalid` for characters that PostgreSQL cannot store.
 */
export function jsonBody(raw: Buffer, contentType: string | undefined): unknown {
  if (raw.length === 0) return {}
  if (contentType === undefined || !mediaType.test(contentType))
    throw new Refusal('unsupported-media', 'the body must be application/json')
  return readJson(raw)
}

const mediaType = /^application\/([\w.-]+\+)?json\s*(;|$)/i

/** Rejects bytes that are not UTF-8 instead of replacing them, and repeated keys: the stored value is exactly what was sent. */
export function readJson(raw: Buffer): unknown {
  if (!isUtf8(raw)) throw new Refusal('malformed', 'the body is not UTF-8')
  if (mayBeDeep(raw) && depthOf(raw) > maxDepth)
    throw new Refusal('malformed', `the body is nested more than ${maxDepth} levels deep`)
  const text = raw.toString('utf8')
  const value = parseJson(text)
  if (unstorableEscape.test(text)) refuseUnkeepable(value)
  const repeated = repeatedKey(text, value)
  if (repeated !== null) throw invalid({ path: repeated, message: 'is given twice' })
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('malformed', 'the body is not valid JSON')
  }
}

const maxDepth = 64
const [quote, backslash, opening, closing] = [0x22, 0x5c, [0x5b, 0x7b], [0x5d, 0x7d]] as const

/** Counting opening brackets is a cheap upper bound of the nesting depth. */
function mayBeDeep(raw: Buffer): boolean {
  let count = 0
  for (const bracket of opening)
    for (let at = raw.indexOf(bracket); at >= 0; at = raw.indexOf(bracket, at + 1)) if (++count > maxDepth) return true
  return false
}

/** How deep arrays and objects are nested in a JSON text. */
function depthOf(raw: Buffer): number {
  let [depth, deepest, inText] = [0, 0, false]
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i]
    if (inText) {
      if (byte === backslash) i++
      else if (byte === quote) inText = false
    } else if (byte === quote) inText = true
    else if (byte === opening[0] || byte === opening[1]) deepest = Math.max(deepest, ++depth)
    else if (byte === closing[0] || byte === closing[1]) depth--
  }
  return deepest
}

/** NUL and halves of surrogate pairs can be written in JSON only as escapes. */
const unstorableEscape = /\\u(0000|d[89a-f])/i

/** Throws `invalid` for characters that PostgreSQL cannot store, so that they are not an internal error. */
export function refuseUnkeepable(value: unknown, path = ''): void {
  const inside = (key: string): string => (path === '' ? key : `${path}.${key}`)
  if (typeof value === 'string') {
    if (isUnstorable(value)) throw invalid({ path, message: 'must not contain NUL or half a surrogate pair' })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (isUnstorable(key)) throw invalid({ path, message: 'has a key with NUL or half a surrogate pair' })
      refuseUnkeepable(inner, inside(key))
    }
  }
}

const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

/** Returns the path of a repeated key, or null. Scans the text only if it has more colons than keys. */
export function repeatedKey(text: string, value: unknown): string | null {
  return colonsIn(text) > keysIn(value) ? scan(text) : null
}

function colonsIn(text: string): number {
  let count = 0
  for (let i = text.indexOf(':'); i >= 0; i = text.indexOf(':', i + 1)) count++
  return count
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  let count = Array.isArray(value) ? 0 : inner.length
  for (const each of inner) count += keysIn(each)
  return count
}

/** The open object with its current key, or the open array with its current index. */
type Level = { keys: Set<string>; at: string } | { keys: null; at: number }

/** Returns the path of the first repeated key of valid JSON. */
function scan(text: string): string | null {
  const levels: Level[] = []
  for (let i = 0; i < text.length; i++) {
    const level = levels.at(-1)
    const char = text[i]
    if (char === '{') levels.push({ keys: new Set(), at: '' })
    else if (char === '[') levels.push({ keys: null, at: 0 })
    else if (char === '}' || char === ']') levels.pop()
    else if (char === ',' && level?.keys === null) level.at++
    else if (char === '"') {
      const end = endOfText(text, i)
      if (level?.keys && isKey(text, end)) {
        level.at = JSON.parse(text.slice(i, end))
        if (level.keys.has(level.at)) return levels.map(({ at }) => at).join('.')
        level.keys.add(level.at)
      }
      i = end - 1
    }
  }
  return null
}

/** Returns the position after the closing quote of the string that begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let i = start + 1; ; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i + 1
  }
}

const blanks = new Set<string | undefined>([' ', '\t', '\n', '\r'])

/** Whether the string that ends there is a key: white space and a colon follow. */
function isKey(text: string, end: number): boolean {
  let i = end
  while (blanks.has(text[i])) i++
  return text[i] === ':'
}

/**
 * Returns the fields of a form. Throws `malformed` when the bytes are not UTF-8, `invalid`, naming the field, for text that
 * PostgreSQL cannot store.
 */
export function formFrom(raw: Buffer): URLSearchParams {
  if (!isUtf8(raw)) throw new Refusal('malformed', 'the form is not UTF-8')
  const form = new URLSearchParams(raw.toString('utf8'))
  for (const [name, value] of form) refuseUnkeepable(value, name.isWellFormed() && !name.includes('\0') ? name : 'form')
  return form
}

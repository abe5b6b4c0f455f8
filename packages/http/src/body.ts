// Reads JSON bodies and forms; rejects invalid UTF-8, deep nesting, repeated keys and text that cannot be stored.
import { isUtf8 } from 'node:buffer'
import { invalid, Refusal } from '@lendloom/foundation/refusal'

/**
 * Parses the JSON of a body; an empty body of any content type is `{}`. Throws `unsupported-media`, `malformed`, or
 * `invalid` for repeated keys and for characters that PostgreSQL cannot store.
 */
export function jsonBody(raw: Buffer, contentType: string | undefined): unknown {
  if (raw.length === 0) return {}
  if (!isJson(contentType)) throw new Refusal('unsupported-media', 'the body must be application/json')
  return readJson(raw)
}

export const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && mediaType.test(contentType)

const mediaType = /^application\/([\w.-]+\+)?json\s*(;|$)/i

/**
 * Rejects invalid UTF-8 and repeated keys, so that the stored value is exactly the value that was sent. Depth and number
 * of elements are bounded before the text is parsed, because they, and not the bytes, decide what a value costs.
 */
export function readJson(raw: Buffer): unknown {
  if (!isUtf8(raw)) throw new Refusal('malformed', 'the body is not UTF-8')
  refuseCostlyShape(raw)
  // Some clients write a byte order mark first, which a reader may ignore (RFC 8259 §8.1).
  const text = raw.toString('utf8').replace(/^\ufeff/, '')
  const value = parsedOrRefused(text)
  if (unstorableEscape.test(text)) refuseUnstorable(value)
  const repeated = repeatedKey(text, value)
  if (repeated !== null) throw invalid({ path: repeated, message: 'is a repeated key' })
  return value
}

function parsedOrRefused(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('malformed', 'the body is not valid JSON')
  }
}

const maxDepth = 64
const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openingBrackets = [0x5b, 0x7b] as const
const closingBrackets = [0x5d, 0x7d] as const

/** Whether the body may be too deep: the number of opening brackets is a cheap upper bound of the depth. */
function mayBeTooDeep(raw: Buffer): boolean {
  let count = 0
  for (const bracket of openingBrackets)
    for (let i = raw.indexOf(bracket); i >= 0; i = raw.indexOf(bracket, i + 1)) if (++count > maxDepth) return true
  return false
}

/** Maximum number of elements of arrays and fields of objects: the largest messages of the network have some 3,000. */
export const maxElements = 20_000

/** An element has at least two bytes: its value, and a comma or a bracket. */
const mayHaveTooManyElements = (raw: Buffer): boolean => raw.length > 2 * maxElements

/** Refuses a JSON text as soon as its nesting, or an upper bound of the number of its elements, exceeds the limit. */
export function refuseCostlyShape(raw: Buffer): void {
  if (!mayBeTooDeep(raw) && !mayHaveTooManyElements(raw)) return
  let depth = 0
  let elements = 0
  let isInText = false
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i]
    if (isInText) {
      if (byte === backslash) i++
      else if (byte === quote) isInText = false
    } else if (byte === quote) isInText = true
    else if (byte === comma) elements++
    else if (byte === openingBrackets[0] || byte === openingBrackets[1]) {
      elements++
      depth++
    } else if (byte === closingBrackets[0] || byte === closingBrackets[1]) depth--
    if (depth > maxDepth) throw new Refusal('malformed', `the body is nested more than ${maxDepth} levels deep`)
    if (elements > maxElements)
      throw new Refusal('too-large', `the body has more than ${maxElements} elements`, { maxElements })
  }
}

/** Valid JSON contains NUL and lone surrogates only as escapes. */
const unstorableEscape = /\\u(0000|d[89a-f])/i

/** Throws `invalid` for characters that PostgreSQL cannot store, which would otherwise cause an internal error. */
export function refuseUnstorable(value: unknown, path = ''): void {
  const pathOf = (key: string): string => (path === '' ? key : `${path}.${key}`)
  if (typeof value === 'string') {
    if (isUnstorable(value)) throw invalid({ path, message: 'must not contain NUL or a lone surrogate' })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (isUnstorable(key)) throw invalid({ path, message: 'has a key with NUL or a lone surrogate' })
      refuseUnstorable(inner, pathOf(key))
    }
  }
}

const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

/** Scans a text only if it has more ends of keys than keys, or a string that begins with an escape: V8 may misread such a key. */
export function repeatedKey(text: string, value: unknown): string | null {
  return text.includes('"\\') || countKeyEnds(text) > countKeys(value) ? findRepeatedKey(text) : null
}

/** Counts colons after a quote, which are the ends of keys and perhaps parts of strings. */
function countKeyEnds(text: string): number {
  let count = 0
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let i = colon - 1
    while (whiteSpace.has(text[i])) i--
    if (text[i] === '"') count++
  }
  return count
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const children = Object.values(value)
  let count = Array.isArray(value) ? 0 : children.length
  for (const child of children) count += countKeys(child)
  return count
}

/** An open object with its keys so far, or an open array; `position` is the current key or index. */
type Level = { keys: Set<string>; position: string } | { keys: null; position: number }

/** Returns the path of the first repeated key in valid JSON, or null. */
function findRepeatedKey(text: string): string | null {
  const levels: Level[] = []
  for (let i = 0; i < text.length; i++) {
    const level = levels.at(-1)
    const char = text[i]
    if (char === '{') levels.push({ keys: new Set(), position: '' })
    else if (char === '[') levels.push({ keys: null, position: 0 })
    else if (char === '}' || char === ']') levels.pop()
    else if (char === ',' && level?.keys === null) level.position++
    else if (char === '"') {
      const end = endOfText(text, i)
      if (level?.keys && isKey(text, end)) {
        level.position = JSON.parse(text.slice(i, end))
        if (level.keys.has(level.position)) return levels.map(({ position }) => position).join('.')
        level.keys.add(level.position)
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

const whiteSpace = new Set<string | undefined>([' ', '\t', '\n', '\r'])

/** Whether the string that ends before `end` is a key: a colon follows, perhaps after white space. */
function isKey(text: string, end: number): boolean {
  let i = end
  while (whiteSpace.has(text[i])) i++
  return text[i] === ':'
}

/** The forms of our pages have fewer than a hundred fields. */
const maxFormFields = 1000
const ampersand = 0x26

/** Parses a form. Throws `malformed` for invalid UTF-8, and `invalid` for text that PostgreSQL cannot store. */
export function formFrom(raw: Buffer): URLSearchParams {
  if (!isUtf8(raw)) throw new Refusal('malformed', 'the form is not UTF-8')
  let fields = 1
  for (let i = raw.indexOf(ampersand); i >= 0; i = raw.indexOf(ampersand, i + 1))
    if (++fields > maxFormFields) throw new Refusal('too-large', `the form has more than ${maxFormFields} fields`)
  const form = new URLSearchParams(raw.toString('utf8'))
  for (const [name, value] of form) refuseUnstorable(value, name.isWellFormed() && !name.includes('\0') ? name : 'form')
  return form
}

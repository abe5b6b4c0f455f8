// Reads a value in the text of a PDF: a name, number, string, array or dictionary (ISO 32000-2 §7.3).
import { ownValue } from '@lendloom/foundation/record'
import { plainName } from './content-pdf-names.ts'

/** A name begins with its slash, a keyword does not; a string is bytes. */
export type PdfValue = string | number | boolean | null | Buffer | PdfValue[] | PdfDictionary | PdfReference
export type PdfDictionary = Map<string, PdfValue>
interface PdfReference {
  object: number
  generation: number
}

/** What was read at a position of a text. */
export interface ValueReading {
  /** Undefined if there is no value, or one that viewers may read differently. */
  value: PdfValue | undefined
  /** The position after the value, or where reading stopped. */
  end: number
  /** Whether the text ends before the value does. */
  isIncomplete: boolean
}

/** The dictionary of a drawing with all its fonts has some hundred thousand bytes. */
export const maxValueLength = 1 << 20
const maxDepth = 50

const space = String.raw`[\0\t\n\f\r ]`
const spaces = new RegExp(`${space}+`, 'y')
const comment = /%[^\r\n]*/y
const reference = new RegExp(String.raw`(\d{1,10})${space}+(\d{1,5})${space}+R(?![A-Za-z])`, 'y')
const token = /<<|[[(<]|\/[^\0\t\n\f\r ()<>[\]{}/%]*|[+-]{0,2}(?:\d+(?:\.\d*)?|\.\d*)|[A-Za-z]+/y
const longestToken = 16
const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '', '\r': '' }
/** Keywords that belong between objects. */
const structure = new Set(['R', 'obj', 'endobj', 'stream', 'endstream', 'xref', 'trailer', 'startxref'])

/** Reads the value at a position of the text. */
export function readValue(text: string, at: number): ValueReading {
  const reader = new ValueReader(text, at)
  try {
    return { value: reader.value(0), end: reader.at, isIncomplete: false }
  } catch (error) {
    if (!(error instanceof NoValue)) throw error
    return { value: undefined, end: reader.at, isIncomplete: error.isIncomplete }
  }
}

/** Returns the position after blanks and comments; the end of the text if they do not end. */
export function skipBlanks(text: string, at: number): number {
  let end = at
  for (let hasMore = true; hasMore; ) {
    const before = end
    for (const pattern of [spaces, comment]) {
      pattern.lastIndex = end
      if (pattern.test(text)) end = pattern.lastIndex
    }
    hasMore = end > before
  }
  return end
}

class NoValue extends Error {
  readonly isIncomplete: boolean

  constructor(isIncomplete: boolean) {
    super()
    this.isIncomplete = isIncomplete
  }
}

class ValueReader {
  at: number
  readonly #text: string
  readonly #limit: number

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
    this.#limit = at + maxValueLength
  }

  value(depth: number): PdfValue {
    if (depth > maxDepth) throw new NoValue(false)
    this.#skipBlanks()
    const found = this.#take(reference)
    if (found) return { object: Number(found[1]), generation: Number(found[2]) }
    const [word = ''] = this.#take(token) ?? []
    if (word === '<<') return this.#dictionary(depth)
    if (word === '[') return this.#array(depth)
    if (word === '(') return this.#literal()
    if (word === '<') return this.#hexadecimal()
    // The rest of it may follow.
    if (this.at >= this.#text.length) throw new NoValue(true)
    if (word.startsWith('/')) return plainName(word)
    if (/^[A-Za-z]/.test(word)) return keyword(word)
    const number = Number(word.replace(/^[+-](?=[+-])/, ''))
    if (word === '' || Number.isNaN(number)) throw this.#noValue()
    return number
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.#text)
    if (found) this.at = pattern.lastIndex
    return found
  }

  #skipBlanks(): void {
    this.at = skipBlanks(this.#text, this.at)
    if (this.at > this.#limit) throw new NoValue(false)
    if (this.at >= this.#text.length) throw new NoValue(true)
  }

  #noValue(): NoValue {
    return new NoValue(this.#text.length - this.at < longestToken)
  }

  #ends(word: string): boolean {
    this.#skipBlanks()
    if (!this.#text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  #dictionary(depth: number): PdfDictionary {
    const entries: PdfDictionary = new Map()
    while (!this.#ends('>>')) {
      const name = this.value(depth + 1)
      // Viewers differ in which of two equal keys they take, and in what they skip after a wrong one.
      if (typeof name !== 'string' || !name.startsWith('/') || entries.has(name)) throw new NoValue(false)
      entries.set(name, this.value(depth + 1))
    }
    return entries
  }

  #array(depth: number): PdfValue[] {
    const values: PdfValue[] = []
    while (!this.#ends(']')) values.push(this.value(depth + 1))
    return values
  }

  /** Reads a string in parentheses, after the first of them. */
  #literal(): Buffer {
    let open = 1
    let bytes = ''
    for (;;) {
      if (this.at > this.#limit) throw new NoValue(false)
      const each = this.#text[this.at++]
      if (each === undefined) throw new NoValue(true)
      if (each === '(') open++
      if (each === ')') open--
      if (open === 0) return Buffer.from(bytes, 'latin1')
      if (each === '\r' && this.#text[this.at] === '\n') this.at++
      bytes += each === '\\' ? this.#escaped() : each === '\r' ? '\n' : each
    }
  }

  #escaped(): string {
    const [octal] = this.#take(/[0-7]{1,3}/y) ?? []
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    const [lineBreak] = this.#take(/\r\n/y) ?? []
    if (lineBreak !== undefined) return ''
    const each = this.#text[this.at++]
    if (each === undefined) throw new NoValue(true)
    return ownValue(escapes, each) ?? each
  }

  /** Reads a hexadecimal string, after its first bracket. */
  #hexadecimal(): Buffer {
    const [word = ''] = this.#take(/[0-9A-Fa-f\0\t\n\f\r ]*/y) ?? []
    if (this.at >= this.#text.length) throw new NoValue(true)
    if (this.#text[this.at++] !== '>') throw new NoValue(false)
    const digits = word.replaceAll(/[^0-9A-Fa-f]/g, '')
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
  }
}

function keyword(word: string): PdfValue {
  if (structure.has(word)) throw new NoValue(false)
  if (word === 'true' || word === 'false') return word === 'true'
  return word === 'null' ? null : word
}

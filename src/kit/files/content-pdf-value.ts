// Reads a value in the text of a PDF: a name, number, string, array or dictionary (ISO 32000-2 §7.3).
import { ownValue } from '#kit/runtime/record.ts'

/** A name begins with its slash; a string is bytes. */
export type PdfValue = string | number | boolean | null | Buffer | PdfValue[] | Map<string, PdfValue> | PdfReference
interface PdfReference {
  object: number
  generation: number
}

/** An encryption dictionary has some hundred bytes. */
const maxTextLength = 8 << 10
const maxDepth = 8

const blanks = /(?:[\0\t\n\f\r ]|%[^\r\n]*)+/y
const reference = /(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+R(?![A-Za-z])/y
const token = /<<|>>|\[|\]|\(|<[0-9A-Fa-f\s]*>|\/[^\0\t\n\f\r ()<>[\]{}/%]*|[+-]?\d+(?:\.\d*)?|[A-Za-z]+/y
const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '', '\r': '' }

/** Returns the value at a position of the text; undefined if it is not one, or is too long. */
export function readValue(text: string, at: number): PdfValue | undefined {
  const reader = new ValueReader(text.slice(at, at + maxTextLength))
  try {
    return reader.value(0)
  } catch (error) {
    if (error instanceof NoValue) return undefined
    throw error
  }
}

class NoValue extends Error {}

class ValueReader {
  #at = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): PdfValue {
    if (depth > maxDepth) throw new NoValue()
    this.#take(blanks)
    const found = this.#take(reference)
    if (found) return { object: Number(found[1]), generation: Number(found[2]) }
    const [word = ''] = this.#take(token) ?? []
    if (word === '<<') return this.#dictionary(depth)
    if (word === '[') return this.#array(depth)
    if (word === '(') return this.#literal()
    if (word.startsWith('<')) return hexBytes(word)
    if (word.startsWith('/')) return word
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    const number = Number(word)
    if (word === '' || Number.isNaN(number)) throw new NoValue()
    return number
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at = pattern.lastIndex
    return found
  }

  #ends(word: string): boolean {
    this.#take(blanks)
    if (this.#at >= this.#text.length) throw new NoValue()
    if (!this.#text.startsWith(word, this.#at)) return false
    this.#at += word.length
    return true
  }

  #dictionary(depth: number): Map<string, PdfValue> {
    const entries = new Map<string, PdfValue>()
    while (!this.#ends('>>')) {
      const name = this.value(depth + 1)
      // Viewers differ in which of two equal keys they take.
      if (typeof name !== 'string' || entries.has(name)) throw new NoValue()
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
      const each = this.#text[this.#at++]
      if (each === undefined) throw new NoValue()
      if (each === '(') open++
      if (each === ')') open--
      if (open === 0) return Buffer.from(bytes, 'latin1')
      if (each === '\r' && this.#text[this.#at] === '\n') this.#at++
      bytes += each === '\\' ? this.#escaped() : each === '\r' ? '\n' : each
    }
  }

  #escaped(): string {
    const [octal] = this.#take(/[0-7]{1,3}/y) ?? []
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    const [lineBreak] = this.#take(/\r\n/y) ?? []
    if (lineBreak !== undefined) return ''
    const each = this.#text[this.#at++] ?? ''
    return ownValue(escapes, each) ?? each
  }
}

function hexBytes(word: string): Buffer {
  const digits = word.replaceAll(/[^0-9A-Fa-f]/g, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

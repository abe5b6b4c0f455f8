// One JSON object a line; personal fields are masked by name here, not by whoever writes the line.

import { writeSync } from 'node:fs'
import { type DestinationStream, pino } from 'pino'
import { cache } from './cache.ts'
import { codeOf, isObject } from './narrow.ts'
import { trace } from './trace.ts'

export type Log = Pick<ReturnType<typeof pino>, 'info' | 'warn' | 'error' | 'debug'>

/** `level` is pino's; lines go to standard output unless `to` says otherwise. */
export function logTo(program: string, level: string, to: DestinationStream = standardOutput()): Log {
  const options = {
    level,
    base: { program },
    mixin: () => trace() ?? {},
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: maskedFacts },
    serializers: { err: plainError },
  }
  return pino(options, to)
}

/** The lines of one turn of the event loop are written together, before the next turn and before the process ends. */
function standardOutput(): DestinationStream {
  let lines = ''
  const flush = () => {
    writeWhole(Buffer.from(lines))
    lines = ''
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (lines === '') setImmediate(flush)
      lines += line
    },
  }
}

/** A full pipe is waited for; what nobody reads any more is let go. */
function writeWhole(bytes: Buffer): void {
  for (let rest = bytes; rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') return
      Atomics.wait(idle, 0, 0, 10)
    }
  }
}
const idle = new Int32Array(new SharedArrayBuffer(4))

export const quietLog: Log = pino({ level: 'silent' })

/** Compared in lower case and without underscores, so that every spelling of the documents is meant. */
const personal =
  /^(pan|panname|dob|dateofbirth|name|accountholdername|address(l[12])?|udyamnumber|companyname|vpa|body|profile|workprofile|cookie|otp|.*(token|secret|password|apikey|authorization|email|mobile|contactnumber|accountnumber|aadhaar|embedurl))$/

/** Names come from what others sent too, so they are bounded; what a name means does not change with time. */
const known = cache<boolean>({ name: 'log-names', mostBytes: 512 * 1024, forMs: Number.POSITIVE_INFINITY })

function isPersonal(key: string): boolean {
  const before = known.get(key, 0)
  if (before !== undefined) return before
  const is = personal.test(key.toLowerCase().replaceAll('_', ''))
  known.set(key, is, 0)
  return is
}

const deepest = 8

/** A copy in which nothing personal is left. Errors are left to their own serializer. */
export function masked(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (ArrayBuffer.isView(value)) return '[bytes]'
  if ('toJSON' in value) return value
  if (depth === deepest) return '[deep]'
  if (Array.isArray(value)) return value.map((inner) => masked(inner, depth + 1))
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value))
    copy[key] = isPersonal(key) && inner !== null && inner !== undefined ? '[masked]' : masked(inner, depth + 1)
  return copy
}

function maskedFacts(facts: object): Record<string, unknown> {
  const copy = masked(facts)
  return isObject(copy) ? copy : { facts: copy }
}

/**
 * What helps to find an error. The rest that libraries hang on their errors stays out: PostgreSQL quotes the values of the
 * row it refused.
 */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return masked(error)
  const { type, message, stack, code, constraint, table, kind } = pino.stdSerializers.err(error)
  const plain = { type, message: scrubbed(message), stack: scrubbed(stack), code, constraint, table, kind }
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
}

/** Our tokens, PANs, and numbers as long as those of phones, accounts and Aadhaar. */
const telling = /(?<![\w-])((sk_live|sk_test|st|rt|bt)_[0-9A-Za-z]{8,}|[A-Z]{5}\d{4}[A-Z]|\d{10,18})(?![\w-])/g

const scrubbed = (text: string): string => text.replace(telling, '[masked]')

/** A JSON field with a text, a number or a word, wherever it stands in a text that may be cut off. */
const field = /"([^"\\]{1,100})"(\s*:\s*)(?:"(?:[^"\\]|\\.)*(?:"|$)|-?[\d.eE+-]+|true|false)/g

/** A text from outside, such as an answer, without what is personal in it: JSON by its names, anything else by its look. */
export function maskedText(text: string): string {
  const named = text.replace(field, (whole, key: string, colon: string) =>
    isPersonal(key) ? `"${key}"${colon}"[masked]"` : whole,
  )
  return scrubbed(named)
}

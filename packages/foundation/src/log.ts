// Logs one JSON object per line. Personal fields are masked here, by name, so that callers need not do it.

import { writeSync } from 'node:fs'
import { type DestinationStream, pino } from 'pino'
import { isPersonal, scrub } from './mask.ts'
import { isObject } from './record.ts'
import { codeOf } from './thrown.ts'
import { trace } from './trace.ts'

export type Log = Pick<ReturnType<typeof pino>, 'info' | 'warn' | 'error' | 'debug'>

export function logTo(program: string, level: string, destination: DestinationStream = standardOutput()): Log {
  const options = {
    level,
    base: { program },
    mixin: () => trace() ?? {},
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: maskFacts },
    serializers: { err: serializeError },
  }
  return pino(options, destination)
}

let sharedOutput: DestinationStream | undefined

/** All loggers of a process share one buffer, so that their lines keep their order and one listener writes what is left at exit. */
const standardOutput = (): DestinationStream => (sharedOutput ??= bufferedOutput())

/** Writes the lines of one turn of the event loop together, before the next turn and before the process ends. */
function bufferedOutput(): DestinationStream {
  let lines = ''
  const flush = () => {
    writeAll(Buffer.from(lines))
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

/** Waits while the pipe is full; drops lines after the reader has closed the pipe. */
function writeAll(bytes: Buffer): void {
  for (let remaining = bytes; remaining.length > 0; ) {
    try {
      remaining = remaining.subarray(writeSync(1, remaining))
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') return
      Atomics.wait(idle, 0, 0, 10)
    }
  }
}
const idle = new Int32Array(new SharedArrayBuffer(4))

export const quietLog: Log = pino({ level: 'silent' })

const maxDepth = 8

/** Returns a copy with personal fields masked. Leaves errors to `serializeError`. */
function maskFields(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (ArrayBuffer.isView(value)) return '[bytes]'
  if ('toJSON' in value) return value
  if (depth === maxDepth) return '[deep]'
  if (Array.isArray(value)) return value.map((inner) => maskFields(inner, depth + 1))
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value))
    copy[key] = isPersonal(key) && inner !== null && inner !== undefined ? '[masked]' : maskFields(inner, depth + 1)
  return copy
}

function maskFacts(facts: object): Record<string, unknown> {
  const copy = maskFields(facts)
  return isObject(copy) ? copy : { facts: copy }
}

/** Returns the fields that help to find the cause. Other fields are dropped: PostgreSQL quotes values of rows there. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return maskFields(error)
  const { type, message, stack, code, constraint, table, kind } = pino.stdSerializers.err(error)
  const fields = { type, message: scrub(message), stack: scrub(stack), code, constraint, table, kind }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

// One JSON object a line; personal fields are masked by name here, not by whoever writes the line.
import { pino } from 'pino'
import { trace } from '#kit/trace.ts'

export type Log = Pick<ReturnType<typeof pino>, 'info' | 'warn' | 'error' | 'debug'>

const personal = [
  'pan',
  'panName',
  'mobile',
  'contactNumber',
  'personalEmail',
  'personalemail',
  'officialEmail',
  'officialemail',
  'email',
  'dob',
  'name',
  'accountNumber',
  'accountHolderName',
  'addressL1',
  'addressL2',
  'authorization',
  'token',
  'secret',
  'body',
  'profile',
]

/** `level` is pino's; lines go to standard output. */
export function logTo(program: string, level: string): Log {
  const redact = { paths: personal.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[masked]' }
  return pino({
    level,
    redact,
    base: { program },
    mixin: () => trace() ?? {},
    timestamp: pino.stdTimeFunctions.isoTime,
  })
}

export const quietLog: Log = pino({ level: 'silent' })

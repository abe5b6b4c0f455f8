// The option that says whose database is meant.
import { isOneOf } from '#kit/runtime/narrow.ts'
import { required, UsageError } from '../command.ts'
import type { Distributed } from './placement.ts'

export const programOption = {
  program: { type: 'string', value: 'platform|partner', about: 'whose database' },
} as const

const all: Distributed[] = ['platform', 'partner']

export function programOf(given: string | undefined): Distributed {
  const name = required(given, 'program')
  if (!isOneOf(all, name)) throw new UsageError(`--program must be platform or partner, not "${name}"`)
  return name
}

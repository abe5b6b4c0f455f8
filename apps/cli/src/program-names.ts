// The names of the programs of an installation.
import { isOneOf } from '@lendloom/foundation/record'
import { UsageError } from './command.ts'

export type Program = 'platform' | 'partner' | 'sandbox'
export const programs: readonly Program[] = ['platform', 'partner', 'sandbox']
/** The programs that also run outside a sandbox. */
export const realPrograms = ['platform', 'partner'] as const
export type RealProgram = (typeof realPrograms)[number]

/** Parses the name of a program. Throws `UsageError` unless it is allowed; `what` names the option or argument. */
export function programOf<P extends Program>(text: string, allowed: readonly P[], what = '--program'): P {
  if (isOneOf(allowed, text)) return text
  const names = `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`
  throw new UsageError(`${what} must be ${names}, not "${text}"`)
}

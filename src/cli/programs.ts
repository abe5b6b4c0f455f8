// The programs of an installation.
import { isOneOf } from '#kit/runtime/record.ts'
import { UsageError } from './command.ts'

export type Program = 'platform' | 'partner' | 'sandbox'
export const programs: readonly Program[] = ['platform', 'partner', 'sandbox']

/** Parses the --program option of a command. */
export function programOf<P extends Program>(given: string, among: readonly P[]): P {
  if (isOneOf(among, given)) return given
  const names = `${among.slice(0, -1).join(', ')} or ${among.at(-1)}`
  throw new UsageError(`--program must be ${names}, not "${given}"`)
}

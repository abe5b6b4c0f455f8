// The side of the exchange that a command looks at.
import { type Call, UsageError } from '#cli/command.ts'

export const side = {
  program: { type: 'string', value: 'platform|partner', about: 'whose side is looked at (default: platform)' },
} as const
export type Side = Call<typeof side>

export function sideOf(program: string | undefined): 'platform' | 'partner' {
  if (program === undefined || program === 'platform') return 'platform'
  if (program === 'partner') return 'partner'
  throw new UsageError(`--program must be platform or partner, not "${program}"`)
}

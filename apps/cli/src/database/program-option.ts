// The option --program, which selects the database to distribute or to show.

import { requireOption } from '#cli/command.ts'
import { programOf } from '#cli/program-names.ts'
import type { DistributedProgram } from './placement.ts'

export const programOption = {
  program: { type: 'string', value: 'platform|partner', about: 'program of the database' },
} as const

/** Parses the option. Throws `UsageError` if it is missing or names another program. */
export const distributedProgram = (given: string | undefined): DistributedProgram =>
  programOf(requireOption(given, 'program'), ['platform', 'partner'])

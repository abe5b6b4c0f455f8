// The option that says whose database is meant.
import { required } from '../command.ts'
import { programOf } from '../programs.ts'
import type { Distributed } from './placement.ts'

export const programOption = {
  program: { type: 'string', value: 'platform|partner', about: 'whose database' },
} as const

export const distributedOf = (given: string | undefined): Distributed =>
  programOf(required(given, 'program'), ['platform', 'partner'])

// How often a provider is asked for a check or an analysis of statements that it has not decided.
import { schedule } from '#kit/runtime/schedule.ts'

export const providerSchedule = schedule(
  ['PT5S', 'PT10S', 'PT20S', 'PT30S', 'PT1M', 'PT2M', 'PT5M', 'PT10M', 'PT30M', 'PT1H', 'PT6H'],
  'repeat',
)

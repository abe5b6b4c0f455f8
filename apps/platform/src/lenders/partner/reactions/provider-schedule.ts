// Pauses between polls of a provider about a pending check or statement analysis.
import { schedule } from '@lendloom/foundation/schedule'

export const providerSchedule = schedule(
  ['PT5S', 'PT10S', 'PT20S', 'PT30S', 'PT1M', 'PT2M', 'PT5M', 'PT10M', 'PT30M', 'PT1H', 'PT6H'],
  'repeat',
)

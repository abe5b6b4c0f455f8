// The context of acts on grievances.
import type { Config } from '#kit/runtime/config.ts'
import type { Context } from '#platform/context.ts'
import type { RequestDeps } from '#platform/network/ask.ts'
import type { grievanceSettings } from './settings.ts'

/** The subset of the context that the CLI can provide too. */
export type GrievanceContext = RequestDeps &
  Pick<Context, 'log'> & { config: Config<typeof grievanceSettings> & Pick<Context['config'], 'NETWORK_CALL_TTL'> }

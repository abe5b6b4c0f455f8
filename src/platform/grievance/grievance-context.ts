// The context of acts on grievances.
import type { Config } from '#kit/runtime/config.ts'
import type { Context } from '#platform/context.ts'
import type { RequestDeps } from '#platform/network/ask.ts'
import type { grievanceSettings } from './settings.ts'

/** The part of the context that they need; a command line can create it. */
export type GrievanceContext = RequestDeps &
  Pick<Context, 'log'> & { config: Config<typeof grievanceSettings> & Pick<Context['config'], 'NETWORK_CALL_TTL'> }

// What the acts on complaints work with.
import type { Config } from '#kit/runtime/config.ts'
import type { Context } from '#platform/context.ts'
import type { RequestDeps } from '#platform/network/ask.ts'
import type { grievanceSettings } from './settings.ts'

/** What acts on complaints need of the context; a command line can make it. */
export type GrievanceContext = RequestDeps &
  Pick<Context, 'log'> & { config: Config<typeof grievanceSettings> & Pick<Context['config'], 'NETWORK_CALL_TTL'> }

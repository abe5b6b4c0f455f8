// The part of the context that changes to grievances need. The CLI can provide it too.
import type { Config } from '@lendloom/foundation/config'
import type { Context } from '#platform/context.ts'
import type { RequestDeps } from '#platform/lenders/network/queue-request.ts'
import type { grievanceSettings } from './settings.ts'

export type GrievanceContext = RequestDeps &
  Pick<Context, 'log'> & { config: Config<typeof grievanceSettings> & Pick<Context['config'], 'NETWORK_CALL_TTL'> }

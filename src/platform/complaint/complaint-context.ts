// What the acts on complaints work with.
import type { Write } from '#kit/db/write.ts'
import type { Config } from '#kit/runtime/config.ts'
import type { Context } from '#platform/context.ts'
import type { GrievanceContext } from '#platform/grievance/grievance-context.ts'
import type { complaintSettings } from './settings.ts'

/** What they need of the context; a command line can make it. */
export type ComplaintContext = Omit<GrievanceContext, 'config'> & {
  config: GrievanceContext['config'] & Config<typeof complaintSettings> & Pick<Context['config'], 'MAIL_DOMAIN'>
}

/** One act: the context within its transaction, at its instant. */
export type ActContext = ComplaintContext & Write

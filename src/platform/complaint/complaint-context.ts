// The context of acts on complaints.
import type { Write } from '#kit/db/write.ts'
import type { Config } from '#kit/runtime/config.ts'
import type { Context } from '#platform/context.ts'
import type { GrievanceContext } from '#platform/grievance/grievance-context.ts'
import type { complaintSettings } from './settings.ts'

/** The part of the context that the CLI also provides. */
export type ComplaintContext = Omit<GrievanceContext, 'config'> & {
  config: GrievanceContext['config'] & Config<typeof complaintSettings> & Pick<Context['config'], 'MAIL_DOMAIN'>
}

export type ActContext = ComplaintContext & Write

// The context of acts on complaints.

import type { Config } from '@lendloom/foundation/config'
import type { Write } from '@lendloom/postgres/write'
import type { GrievanceContext } from '#platform/complaints/grievance/grievance-context.ts'
import type { Context } from '#platform/context.ts'
import type { complaintSettings } from './settings.ts'

/** The part of the context that the CLI also provides. */
export type ComplaintContext = Omit<GrievanceContext, 'config'> & {
  config: GrievanceContext['config'] & Config<typeof complaintSettings> & Pick<Context['config'], 'MAIL_DOMAIN'>
}

export type ActContext = ComplaintContext & Write

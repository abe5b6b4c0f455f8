// A lender's deadlines for a grievance, and when it is asked for the status, by the settings (FIS12 §20).
import { durationMs } from '@lendloom/foundation/clock'
import { required } from '@lendloom/foundation/required'
import type { GrievanceContext } from './grievance-context.ts'

const msOf = (duration: string): number => required(durationMs(duration), `a duration in "${duration}"`)

export const statusDueAt = (config: GrievanceContext['config'], since: Date): Date =>
  new Date(since.getTime() + msOf(config.GRIEVANCE_STATUS_AFTER))

export const lenderDeadlines = (config: GrievanceContext['config'], at: Date) => ({
  sinceAt: at,
  responseDueAt: new Date(at.getTime() + msOf(config.GRIEVANCE_RESPONSE_TIME)),
  resolutionDueAt: new Date(at.getTime() + msOf(config.GRIEVANCE_RESOLUTION_TIME)),
})

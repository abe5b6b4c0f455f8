// What the command line may do with complaints of the network.
export { closeGrievance, escalateGrievance, replyToGrievance } from '#platform/grievance/act.ts'
export { type Grievance, isOpen, mayEscalate } from '#platform/grievance/grievance.ts'
export type { GrievanceContext } from '#platform/grievance/grievance-context.ts'
export { raiseGrievance } from '#platform/grievance/raise.ts'
export { type GrievanceOverview, grievancesOf, historyOf } from '#platform/grievance/read.ts'
export { grievanceSettings } from '#platform/grievance/settings.ts'
export { findGrievanceJourney, type GrievanceSummary, newestGrievances } from '#platform/grievance/store.ts'
export { topics } from '#platform/grievance/topic.ts'

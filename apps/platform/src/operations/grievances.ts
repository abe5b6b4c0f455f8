// What the command line may do with complaints of the network.
export { closeGrievance, escalateGrievance, replyToGrievance } from '#platform/complaints/grievance/borrower-acts.ts'
export { type Grievance, isOpen, mayEscalate } from '#platform/complaints/grievance/grievance.ts'
export type { GrievanceContext } from '#platform/complaints/grievance/grievance-context.ts'
export { type GrievanceOverview, grievancesOf, historyOf } from '#platform/complaints/grievance/grievance-history.ts'
export { raiseGrievance } from '#platform/complaints/grievance/raise-grievance.ts'
export { grievanceSettings } from '#platform/complaints/grievance/settings.ts'
export { findGrievanceJourney, type GrievanceSummary, newestGrievances } from '#platform/complaints/grievance/store.ts'
export { topics } from '#platform/complaints/grievance/topic.ts'

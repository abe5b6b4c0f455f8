// What the command line may do with journeys.
export type { Journey } from '#platform/journey/journey.ts'
export { findJourney, lockJourney } from '#platform/journey/store.ts'

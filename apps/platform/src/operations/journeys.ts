// What the command line may do with journeys.
export type { Journey } from '#platform/lending/journey/journey.ts'
export { findJourney, lockJourney } from '#platform/lending/journey/store.ts'

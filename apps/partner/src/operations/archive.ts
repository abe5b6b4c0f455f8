// What the command line may do with the cold archive of the partner.
export { listArchived, ownerOf } from '#partner/records/archive/store.ts'
export { archiveSettled } from '#partner/records/archive/sweep.ts'

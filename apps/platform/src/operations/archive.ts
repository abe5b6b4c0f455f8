// What the command line may do with the cold archive of the platform.
export { archiveBucket, archiveObjects, archiveSettings } from '#platform/archive/settings.ts'
export { listArchived, ownerOf } from '#platform/archive/store.ts'
export { archiveSettled } from '#platform/archive/sweep.ts'

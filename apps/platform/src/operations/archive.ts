// What the command line may do with the cold archive of the platform.

export { archiveEnded } from '#platform/records/archive/nightly-archive.ts'
export { archiveBucket, archiveObjects, archiveSettings } from '#platform/records/archive/settings.ts'
export { listArchived, ownerOf } from '#platform/records/archive/store.ts'

// What the command line may do with stored files.
export { archiveBackend, bucketFrom, openFiles } from '#partner/document/open-files.ts'
export { documentSettings } from '#partner/document/settings.ts'
export { pageOfObjects } from '#partner/document/store.ts'

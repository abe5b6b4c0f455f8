// What the command line may do with stored files.
export { archiveBackend, bucketFrom, openFiles } from '#partner/origination/document/open-files.ts'
export { documentSettings } from '#partner/origination/document/settings.ts'
export { pageOfObjects } from '#partner/origination/document/store.ts'

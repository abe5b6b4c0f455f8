// What the command line may do with settings outside the sandbox, sealed columns and periods.
export { settingsFaults } from '#platform/outside-sandbox.ts'
export { retentionPeriods } from '#platform/records/privacy/retention-period.ts'
export { platformColumns } from '#platform/sealed-columns.ts'

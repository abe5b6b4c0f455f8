// What the command line may do with settings outside the sandbox, sealed columns and periods.

export { retentionPeriods } from '#platform/records/privacy/retention-period.ts'
export { platformColumns } from '#platform/sealed-columns.ts'
export { settingsFaults } from '#platform/settings-faults.ts'

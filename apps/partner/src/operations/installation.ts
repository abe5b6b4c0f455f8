// What the command line may do with settings outside the sandbox and sealed columns.

export { partnerColumns } from '#partner/sealed-columns.ts'
export { settingsFaults } from '#partner/settings-faults.ts'
